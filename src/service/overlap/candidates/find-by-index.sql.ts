import { getOrCreate } from '../../../core/lib/maps.ts'
import type { IndexLookups } from '../../../core/rules/candidates/index-lookups.ts'
import {
  type IndexResult,
  resultAtKeySql,
  resultBelowKey,
  UNDECIDED,
} from '../../../core/rules/candidates/index-result.ts'
import { PART } from '../../../core/scope/index/index-keys.ts'
import type { SqlParams } from '../../db/sql/sql-params.ts'

/** A table that holds the index of scopes of one kind of record, and its column with the record's id. */
interface ScopeIndex {
  table: 'scope_keys' | 'notable_scope_keys'
  id: 'activity_id' | 'notable_id'
}
export const activityIndex: ScopeIndex = { table: 'scope_keys', id: 'activity_id' }
export const notableIndex: ScopeIndex = { table: 'notable_scope_keys', id: 'notable_id' }

const suffixesAgree = (suffix: string) =>
  `(${suffix} = '' or found.tail = '' or starts_with(found.tail, ${suffix}) or starts_with(${suffix}, found.tail))`

/** Always true. The partial indexes on suffixes serve only statements that contain it: without statistics they would be taken for keys. */
const usesSuffixIndex = `tail >= ''`

/** The result where an activity names an issue of the proposal. An entry of a scope has no such result. */
const NAMES_ISSUE = 4
/** A value of `finds` is this for each proposal before it, and the result. */
const perProposal = 8

/** How the index found a record for a proposal. */
interface Find {
  /** The place of the proposal. */
  nth: number
  /** The greatest one. */
  result: IndexResult
  /** Whether the record names an issue of the proposal. */
  by_issue: boolean
}

/** Reads the column `finds` of a record. */
export function parseFinds(finds: string): Find[] {
  const found: Find[] = []
  for (const text of finds.split(',')) {
    const value = Number(text)
    const nth = Math.floor(value / perProposal)
    const result = value % perProposal
    let find = found.find((one) => one.nth === nth)
    if (!find) {
      find = { nth, result: UNDECIDED, by_issue: false }
      found.push(find)
    }
    if (result === NAMES_ISSUE) find.by_issue = true
    else if (result > find.result) find.result = result as IndexResult
  }
  return found
}

/** `parseFinds` in SQL, as far as statements need it: the values of the column, and of a value the proposal, and whether it is of an issue. */
export const findsSql = {
  values: (finds: string) => `unnest(string_to_array(${finds}, ',')::int[])`,
  nth: (value: string) => `${value} / ${perProposal}`,
  byIssue: (value: string) => `${value} % ${perProposal} = ${NAMES_ISSUE}`,
}

/** A kind of look-up. */
interface Part<Lookup> {
  lookupsOf(lookups: IndexLookups): Iterable<Lookup>
  /** Selects entries, by default those of paths. */
  from?: string
  /** Which entries it reads. `lookup` has the texts. */
  condition: string
  /** Those that are equal for several proposals are read once. */
  texts: Record<string, (lookup: Lookup) => string>
  /** A number of each look-up, which `result` gets as an expression. */
  number?(lookup: Lookup): number
  result(number: string): string | number
  /** Which of the entries it finds. `found` has the columns of the entry, the texts, and the place of the look-up. */
  where?(lookups: readonly Lookup[]): string
}

/**
 * Selects the records that the lookups of some proposals find in the repository `$1`: `id`, and `finds`, which `parseFinds` reads.
 * Each part of the union is an index scan; only a glob that is open at both ends scans all entries. `offset 0` keeps the planner
 * from reordering the joins: it does not know how many lookups there are, and would scan the whole table. Parts without lookups are
 * left out, since planning costs too.
 */
export function selectByIndex(proposals: readonly IndexLookups[], bind: SqlParams, { table, id }: ScopeIndex): string {
  const parts: string[] = []
  const ofPaths = `select ${id}, tail, extent from ${table} where repository_id = $1 and kind = 'path'`
  const add = <Lookup>({ lookupsOf, from = ofPaths, condition, texts, number, result, where }: Part<Lookup>) => {
    const given = proposals.flatMap((lookups, nth) => Array.from(lookupsOf(lookups), (lookup) => ({ nth, lookup })))
    if (given.length === 0) return
    const lookups = given.map(({ lookup }) => lookup)
    const [names, textsOf] = [Object.keys(texts), Object.values(texts)]
    const scans = new Map<string, { texts: string[]; places: number[] }>()
    for (const [index, lookup] of lookups.entries()) {
      const values = textsOf.map((textOf) => textOf(lookup))
      getOrCreate(scans, values.join('\0'), () => ({ texts: values, places: [] })).places.push(index + 1)
    }
    const read = [...scans.values()]
    const columns = [
      ...names.map((_, at) => read.map((scan) => scan.texts[at])),
      read.map(({ places }) => `{${places}}`),
    ]
    // As a sub-select: otherwise PostgreSQL makes a new plan for each number of elements.
    const lists = columns.map((values) => `(select ${bind(values)}::text[])::text[]`)
    // As a text: the client would quote each number.
    const atPlace = (values: number[]) => `(${bind(`{${values}}`)}::int[])[found.place]`
    parts.push(`select found.${id}, ${atPlace(given.map(({ nth }) => perProposal * nth))} + ${result(number ? atPlace(lookups.map(number)) : '')}
      from (
        select found.*, ${names.map((name) => `lookup.${name}, `).join('')}unnest(lookup.places::int[]) as place
          from unnest(${lists}) as lookup(${[...names, 'places']})
            cross join lateral (${from} and ${condition} offset 0) as found) as found
      ${where ? `where ${where(lookups)}` : ''}`)
  }
  add({
    lookupsOf: ({ everything, coverageByKey }) => (everything ? [resultBelowKey(coverageByKey.get('') ?? PART)] : []),
    condition: 'true',
    texts: {},
    number: (result) => result,
    result: (number) => number,
  })
  add({
    lookupsOf: ({ exact, coverageByKey }) =>
      Array.from(exact, ([key, ends]) => ({ key, ends, extent: coverageByKey.get(key) ?? PART })),
    condition: 'key = lookup.key',
    texts: { key: ({ key }) => key },
    number: ({ extent }) => extent,
    result: (extent) => resultAtKeySql(extent, 'found.extent'),
    where(keys) {
      const ends = `${bind(JSON.stringify(keys.map((one) => [...one.ends])))}::jsonb -> found.place - 1`
      // Most entries have one of the suffixes itself, which `?` finds without a sub-select.
      return `found.tail = '' or ${ends} ? found.tail or exists (
        select from jsonb_array_elements_text(${ends}) as ends(suffix) where ${suffixesAgree('ends.suffix')})`
    },
  })
  add({
    lookupsOf: ({ below }) => below,
    condition: 'key > lookup.start and key < lookup.after',
    texts: { start: ({ key }) => key, after: ({ after }) => after, suffix: ({ tail }) => tail },
    number: ({ extent }) => resultBelowKey(extent),
    result: (number) => number,
    where: () => suffixesAgree('found.suffix'),
  })
  add({
    lookupsOf: ({ suffixes }) => suffixes,
    condition: `${usesSuffixIndex} and tail = lookup.suffix`,
    texts: { suffix: (suffix) => suffix },
    result: () => UNDECIDED,
  })
  add({
    lookupsOf: ({ suffixRanges }) => suffixRanges,
    condition: `${usesSuffixIndex} and tail > lookup.suffix and tail < lookup.after`,
    texts: { suffix: ({ suffix }) => suffix, after: ({ after }) => after },
    result: () => UNDECIDED,
  })
  add({
    lookupsOf: ({ areas }) => areas,
    from: `select ${id} from ${table} where repository_id = $1 and kind = 'area'`,
    condition: 'key = lookup.key',
    texts: { key: (area) => area },
    result: () => UNDECIDED,
  })
  add({
    lookupsOf: ({ issues }) => (table === 'scope_keys' ? issues : []),
    from: 'select activity_id from activity_issues where repository_id = $1',
    condition: 'number = lookup.number::int',
    texts: { number: String },
    result: () => NAMES_ISSUE,
  })
  // An empty scope overlaps nothing.
  if (parts.length === 0) return 'select null::text as id, null::text as finds where false'
  return `select id, string_agg(find::text, ',') as finds from (${parts.join(' union all ')}) as entry(id, find) group by id`
}

/**
 * Selects columns of the found records that meet the condition. Each record is read by its primary key: PostgreSQL may think it
 * cheaper to read the whole repository and search the array for each row. The ids are one array, since the estimated cost of an
 * array does not depend on its values: so PostgreSQL keeps one plan for all repositories.
 */
export function rowsOf(table: 'activities' | 'notables', found: string, columns: string, condition: string): string {
  return `select candidate.finds, record.*
    from (select array_agg(id) as ids, array_agg(finds) as finds from (${found}) as found) as lists
      cross join lateral unnest(lists.ids, lists.finds) as candidate(id, finds)
      cross join lateral (
        select ${columns} from ${table} where repository_id = $1 and id = candidate.id and (${condition}) offset 0) as record`
}
