import type { SqlParams } from '../db/sql-params.ts'
import { FILE, PART } from '../scope/index/index-keys.ts'
import type { IndexLookups } from './index-lookups.ts'

/** A table that holds the index of scopes of one kind of record, and its column with the record's id. */
export interface ScopeIndex {
  table: 'scope_keys' | 'notable_scope_keys'
  id: 'activity_id' | 'notable_id'
}
export const activityIndex: ScopeIndex = { table: 'scope_keys', id: 'activity_id' }
export const notableIndex: ScopeIndex = { table: 'notable_scope_keys', id: 'notable_id' }

const endsAgree = `(probe.ends = '' or found.tail = '' or starts_with(found.tail, probe.ends) or starts_with(probe.ends, found.tail))`

/** How many pages a table has now. */
export function pagesOf(table: string): string {
  return `(pg_relation_size('${table}') / 8192)::int`
}

/** Always true. The index of the tails of notables is there only for statements that say it. */
const byTail = `tail >= ''`

/**
 * What keys tell of an activity beside a proposal: nothing, where its globs have to be read; that they meet; that they may name
 * the same file beside; that they do. Of several entries the one that tells most holds.
 */
export type Verdict = typeof UNDECIDED | typeof MEET | typeof PERHAPS_SAME_FILE | typeof SAME_FILE
export const UNDECIDED = 0
export const MEET = 1
export const PERHAPS_SAME_FILE = 2
export const SAME_FILE = 3

/**
 * The verdict on an entry at a key of the proposal, or above one. At the key of a file an entry without an extent may be that
 * file: the version before wrote none.
 */
function verdictAtKey(proposedExtents: string): string {
  return `case when extent = ${PART} and not ${proposedExtents} ? key then ${UNDECIDED}
               when ${proposedExtents} -> key = '${FILE}' then
                 case extent when ${FILE} then ${SAME_FILE} when ${PART} then ${PERHAPS_SAME_FILE} else ${MEET} end
               else ${MEET} end`
}

/**
 * Selects the records that an index finds for the probes in the repository `$1` (`id`, `verdict`). Index
 * scans, never all of it unless a glob is open at both ends. `offset 0` keeps the planner from joining another way round:
 * its estimates know nothing of the probes, and a scan of the whole table looks cheap to it. Only the parts that are needed
 * are there, since planning costs too.
 */
export function candidates(probes: IndexLookups, bind: SqlParams, { table, id }: ScopeIndex): string {
  const entries = (kind: 'path' | 'area', condition: string, columns = `${id}, tail`) =>
    `select ${columns} from ${table}
      where repository_id = $1 and kind = '${kind}' and ${condition} offset 0`
  const each = (probe: string, condition: string, verdict: string | number, where = '') =>
    `select found.${id}, ${verdict} from ${probe} cross join lateral (${entries('path', condition)}) as found ${where}`
  // As a sub-select: how many there are would make PostgreSQL plan anew for each check.
  const list = (values: unknown[], type: string) => `(select ${bind(values)}::${type}[])::${type}[]`
  const texts = (values: string[]) => list(values, 'text')
  const object = (entriesOf: Iterable<[string, unknown]>) =>
    `${bind(JSON.stringify(Object.fromEntries(entriesOf)))}::jsonb`
  const { exact, extents, below, tails, tailRanges, everything, areas } = probes
  const parts: string[] = []
  if (everything) {
    const verdict = extents.has('') ? MEET : UNDECIDED
    parts.push(`select ${id}, ${verdict} from (${entries('path', 'true')}) as everything`)
  }
  if (exact.size > 0) {
    // All keys in one scan: neighbours share their way through the index (PostgreSQL 17 and later).
    const tailsOf = object(Array.from(exact, ([key, ends]) => [key, [...ends]]))
    const keys = `array(select jsonb_object_keys(${tailsOf}))`
    // Not a join, which PostgreSQL may make of each entry with each probe, as it knows the number of neither.
    parts.push(
      `select ${id}, ${verdictAtKey(object(extents))}
         from (${entries('path', `key = any(${keys})`, `${id}, key, tail, extent`)}) as found
        where tail = '' or exists (
          select from jsonb_array_elements_text(${tailsOf} -> key) as probe(ends) where ${endsAgree})`,
    )
  }
  if (below.length > 0) {
    const columns = [
      texts(below.map(({ key }) => key)),
      texts(below.map(({ after }) => after)),
      texts(below.map(({ tail }) => tail)),
      list(
        below.map(({ extent }) => (extent === PART ? UNDECIDED : MEET)),
        'smallint',
      ),
    ]
    const range = 'key > probe.begins and key < probe.after'
    parts.push(
      each(`unnest(${columns}) as probe(begins, after, ends, verdict)`, range, 'probe.verdict', `where ${endsAgree}`),
    )
  }
  if (tails.length > 0)
    parts.push(each(`unnest(${texts(tails)}) as probe(ends)`, `${byTail} and tail = probe.ends`, UNDECIDED))
  if (tailRanges.length > 0) {
    const columns = [texts(tailRanges.map(({ tail }) => tail)), texts(tailRanges.map(({ after }) => after))]
    const range = `${byTail} and tail > probe.ends and tail < probe.after`
    parts.push(each(`unnest(${columns}) as probe(ends, after)`, range, UNDECIDED))
  }
  if (areas.length > 0)
    parts.push(`select ${id}, ${UNDECIDED} from (${entries('area', `key = any(${texts(areas)})`)}) as named`)
  // An empty scope overlaps nothing.
  if (parts.length === 0) return `select null::text as id, ${UNDECIDED} as verdict where false`
  return `select id, max(verdict) as verdict from (${parts.join(' union all ')}) as entry(id, verdict) group by id`
}

/**
 * Columns of the records among the candidates, each by its primary key. What a statement with an array is thought to
 * cost does not hang on its values, so that PostgreSQL keeps one plan for all repositories. One by one, since it may think
 * it cheaper to read a whole repository, and look for each row in the array.
 */
export function rowsOf(table: 'activities' | 'notables', found: string, columns: string, condition: string): string {
  return `select candidate.verdict, record.*
    from (select array_agg(id) as ids, array_agg(verdict) as verdicts from (${found}) as found) as lists
      cross join lateral unnest(lists.ids, lists.verdicts) as candidate(id, verdict)
      cross join lateral (
        select ${columns} from ${table} where repository_id = $1 and id = candidate.id and (${condition}) offset 0) as record`
}
