import type { SqlParams } from '../../db/sql-params.ts'
import { PART } from '../../scope/index/index-keys.ts'
import type { IndexLookups } from './index-lookups.ts'
import { resultAtKeySql, resultBelowKey, UNDECIDED } from './index-result.ts'

/** A table that holds the index of scopes of one kind of record, and its column with the record's id. */
interface ScopeIndex {
  table: 'scope_keys' | 'notable_scope_keys'
  id: 'activity_id' | 'notable_id'
}
export const activityIndex: ScopeIndex = { table: 'scope_keys', id: 'activity_id' }
export const notableIndex: ScopeIndex = { table: 'notable_scope_keys', id: 'notable_id' }

const suffixesAgree = (lookup: string) =>
  `(${lookup}.suffix = '' or found.tail = '' or starts_with(found.tail, ${lookup}.suffix) or starts_with(${lookup}.suffix, found.tail))`

/** Names the values of the lookups in a statement. */
export interface LookupParams {
  list(values: readonly unknown[], type: 'text' | 'smallint'): string
  json(value: object): string
}

/** The values as parameters of a statement. */
export function lookupParams(bind: SqlParams): LookupParams {
  return {
    // As a sub-select: otherwise PostgreSQL makes a new plan for each number of elements.
    list: (values, type) => `(select ${bind(values)}::${type}[])::${type}[]`,
    json: (value) => `${bind(JSON.stringify(value))}::jsonb`,
  }
}

/** The current size of a table in pages. */
export function pagesOf(table: string): string {
  return `(pg_relation_size('${table}') / 8192)::int`
}

/** Always true. The partial indexes on suffixes serve only statements that contain it: without statistics they would be taken for keys. */
const usesSuffixIndex = `tail >= ''`

/**
 * Selects the records that the lookups find in the repository `$1` (`id`, `result`). Each part is an index scan, and only a
 * glob that is open at both ends scans all entries. `offset 0` keeps the planner from reordering the joins: it does not know how
 * many lookups there are, and would scan the whole table. Parts without lookups are left out, since planning costs too.
 */
export function selectByIndex(lookups: IndexLookups, { list, json }: LookupParams, { table, id }: ScopeIndex): string {
  const entries = (kind: 'path' | 'area', condition: string) =>
    `select ${id}, tail, extent from ${table}
      where repository_id = $1 and kind = '${kind}' and ${condition} offset 0`
  const each = (lookup: string, condition: string, result: string | number, where = '') =>
    `select found.${id}, ${result} from ${lookup} cross join lateral (${entries('path', condition)}) as found ${where}`
  const texts = (values: readonly string[]) => list(values, 'text')
  const object = (entriesOf: Iterable<[string, unknown]>) => json(Object.fromEntries(entriesOf))
  const { exact, coverageByKey, below, suffixes, suffixRanges, everything, areas } = lookups
  const parts: string[] = []
  if (everything) {
    const result = resultBelowKey(coverageByKey.get('') ?? PART)
    parts.push(`select ${id}, ${result} from (${entries('path', 'true')}) as everything`)
  }
  if (exact.size > 0) {
    const suffixesOf = object(Array.from(exact, ([key, ends]) => [key, [...ends]]))
    const keys = [...exact.keys()]
    const columns = [
      texts(keys),
      list(
        keys.map((key) => coverageByKey.get(key) ?? PART),
        'smallint',
      ),
    ]
    // Most entries have one of the suffixes itself, which `?` finds without a sub-select.
    parts.push(
      each(
        `unnest(${columns}) as lookup(key, extent)`,
        'key = lookup.key',
        resultAtKeySql('lookup.extent', 'found.extent'),
        `where found.tail = '' or ${suffixesOf} -> lookup.key ? found.tail or exists (
          select from jsonb_array_elements_text(${suffixesOf} -> lookup.key) as ends(suffix)
           where ${suffixesAgree('ends')})`,
      ),
    )
  }
  if (below.length > 0) {
    const columns = [
      texts(below.map(({ key }) => key)),
      texts(below.map(({ after }) => after)),
      texts(below.map(({ tail }) => tail)),
      list(
        below.map(({ extent }) => resultBelowKey(extent)),
        'smallint',
      ),
    ]
    const range = 'key > lookup.start and key < lookup.after'
    parts.push(
      each(
        `unnest(${columns}) as lookup(start, after, suffix, result)`,
        range,
        'lookup.result',
        `where ${suffixesAgree('lookup')}`,
      ),
    )
  }
  if (suffixes.length > 0) {
    const condition = `${usesSuffixIndex} and tail = lookup.suffix`
    parts.push(each(`unnest(${texts(suffixes)}) as lookup(suffix)`, condition, UNDECIDED))
  }
  if (suffixRanges.length > 0) {
    const columns = [texts(suffixRanges.map(({ suffix }) => suffix)), texts(suffixRanges.map(({ after }) => after))]
    const range = `${usesSuffixIndex} and tail > lookup.suffix and tail < lookup.after`
    parts.push(each(`unnest(${columns}) as lookup(suffix, after)`, range, UNDECIDED))
  }
  if (areas.length > 0) {
    const named = entries('area', 'key = lookup.key')
    parts.push(
      `select named.${id}, ${UNDECIDED} from unnest(${texts(areas)}) as lookup(key) cross join lateral (${named}) as named`,
    )
  }
  // An empty scope overlaps nothing.
  if (parts.length === 0) return `select null::text as id, ${UNDECIDED} as result where false`
  return `select id, max(result) as result from (${parts.join(' union all ')}) as entry(id, result) group by id`
}

/**
 * Selects columns of the found records that meet the condition. Each record is read by its primary key: PostgreSQL may think it
 * cheaper to read the whole repository and search the array for each row. The ids are one array, since the estimated cost of an
 * array does not depend on its values: so PostgreSQL keeps one plan for all repositories.
 */
export function rowsOf(table: 'activities' | 'notables', found: string, columns: string, condition: string): string {
  return `select candidate.result, record.*
    from (select array_agg(id) as ids, array_agg(result) as results from (${found}) as found) as lists
      cross join lateral unnest(lists.ids, lists.results) as candidate(id, result)
      cross join lateral (
        select ${columns} from ${table} where repository_id = $1 and id = candidate.id and (${condition}) offset 0) as record`
}
