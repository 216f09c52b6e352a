import type { IndexLookups } from '../../../core/rules/candidates/index-lookups.ts'
import { resultAtKeySql, resultBelowKey, UNDECIDED } from '../../../core/rules/candidates/index-result.ts'
import { PART } from '../../../core/scope/index/index-keys.ts'
import type { SqlParams } from '../../db/sql/sql-params.ts'

/** A table that holds the index of scopes of one kind of record, and its column with the record's id. */
interface ScopeIndex {
  table: 'scope_keys' | 'notable_scope_keys'
  id: 'activity_id' | 'notable_id'
}
export const activityIndex: ScopeIndex = { table: 'scope_keys', id: 'activity_id' }
export const notableIndex: ScopeIndex = { table: 'notable_scope_keys', id: 'notable_id' }

const suffixesAgree = (lookup: string) =>
  `(${lookup}.suffix = '' or found.tail = '' or starts_with(found.tail, ${lookup}.suffix) or starts_with(${lookup}.suffix, found.tail))`

/** Always true. The partial indexes on suffixes serve only statements that contain it: without statistics they would be taken for keys. */
const usesSuffixIndex = `tail >= ''`

/** The index of the issues of activities. */
const fromIssues = 'select activity_id from activity_issues where repository_id = $1'

/** The values of lookups as columns: for each of its columns the type and the values. */
type Columns = Record<string, [type: 'int' | 'smallint' | 'text', values: unknown[]]>

/**
 * Selects the records that the lookups of some proposals find in the repository `$1`. Columns: `nth`, the place of the proposal;
 * `id`; `result`; and `by_issue`, whether an activity names one of the proposal's issues. Each part of the union is an index scan;
 * only a glob that is open at both ends scans all entries. `offset 0` keeps the planner from reordering the joins: it does not know
 * how many lookups there are, and would scan the whole table. Parts without lookups are left out, since planning costs too.
 */
export function selectByIndex(proposals: readonly IndexLookups[], bind: SqlParams, { table, id }: ScopeIndex): string {
  const parts: string[] = []
  /** Adds a part: the entries that meet the condition for one of these lookups. `condition` and `result` are SQL over `lookup` and `found`. */
  const add = <Lookup>(
    lookupsOf: (lookups: IndexLookups) => Iterable<Lookup>,
    columnsOf: (lookups: readonly Lookup[]) => Columns,
    part: {
      from?: string
      condition: string
      result: string | number
      where?(lookups: readonly Lookup[]): string
    },
  ) => {
    const given = proposals.flatMap((lookups, nth) => Array.from(lookupsOf(lookups), (lookup) => ({ nth, lookup })))
    if (given.length === 0) return
    const lookups = given.map(({ lookup }) => lookup)
    const columns = Object.entries({ nth: ['int', given.map(({ nth }) => nth)], ...columnsOf(lookups) } as Columns)
    // As a sub-select: otherwise PostgreSQL makes a new plan for each number of elements.
    const lists = columns.map(([, [type, values]]) => `(select ${bind(values)}::${type}[])::${type}[]`)
    const names = columns.map(([name]) => name)
    const from = part.from ?? `select ${id}, tail, extent from ${table} where repository_id = $1 and kind = 'path'`
    parts.push(`select lookup.nth, found.${id}, ${part.result}, ${part.from === fromIssues}
      from unnest(${lists}) with ordinality as lookup(${names}, place)
        cross join lateral (${from} and ${part.condition} offset 0) as found
      ${part.where?.(lookups) ?? ''}`)
  }
  add(
    ({ everything, coverageByKey }) => (everything ? [resultBelowKey(coverageByKey.get('') ?? PART)] : []),
    (results) => ({ result: ['smallint', [...results]] }),
    { condition: 'true', result: 'lookup.result' },
  )
  add(
    ({ exact, coverageByKey }) =>
      Array.from(exact, ([key, ends]) => ({ key, ends, extent: coverageByKey.get(key) ?? PART })),
    (keys) => ({ key: ['text', keys.map(({ key }) => key)], extent: ['smallint', keys.map(({ extent }) => extent)] }),
    {
      condition: 'key = lookup.key',
      result: resultAtKeySql('lookup.extent', 'found.extent'),
      where(keys) {
        const ends = `${bind(JSON.stringify(keys.map((one) => [...one.ends])))}::jsonb -> lookup.place::int - 1`
        // Most entries have one of the suffixes itself, which `?` finds without a sub-select.
        return `where found.tail = '' or ${ends} ? found.tail or exists (
          select from jsonb_array_elements_text(${ends}) as ends(suffix) where ${suffixesAgree('ends')})`
      },
    },
  )
  add(
    ({ below }) => below,
    (keys) => ({
      start: ['text', keys.map(({ key }) => key)],
      after: ['text', keys.map(({ after }) => after)],
      suffix: ['text', keys.map(({ tail }) => tail)],
      result: ['smallint', keys.map(({ extent }) => resultBelowKey(extent))],
    }),
    {
      condition: 'key > lookup.start and key < lookup.after',
      result: 'lookup.result',
      where: () => `where ${suffixesAgree('lookup')}`,
    },
  )
  add(
    ({ suffixes }) => suffixes,
    (suffixes) => ({ suffix: ['text', [...suffixes]] }),
    { condition: `${usesSuffixIndex} and tail = lookup.suffix`, result: UNDECIDED },
  )
  add(
    ({ suffixRanges }) => suffixRanges,
    (ranges) => ({
      suffix: ['text', ranges.map(({ suffix }) => suffix)],
      after: ['text', ranges.map(({ after }) => after)],
    }),
    { condition: `${usesSuffixIndex} and tail > lookup.suffix and tail < lookup.after`, result: UNDECIDED },
  )
  add(
    ({ areas }) => areas,
    (areas) => ({ key: ['text', [...areas]] }),
    {
      from: `select ${id} from ${table} where repository_id = $1 and kind = 'area'`,
      condition: 'key = lookup.key',
      result: UNDECIDED,
    },
  )
  add(
    ({ issues }) => (table === 'scope_keys' ? issues : []),
    (numbers) => ({ number: ['int', [...numbers]] }),
    { from: fromIssues, condition: 'number = lookup.number', result: UNDECIDED },
  )
  // An empty scope overlaps nothing.
  if (parts.length === 0)
    return `select null::int as nth, null::text as id, ${UNDECIDED} as result, false as by_issue where false`
  return `select nth, id, max(result) as result, bool_or(by_issue) as by_issue
    from (${parts.join(' union all ')}) as entry(nth, id, result, by_issue) group by nth, id`
}

/**
 * Selects columns of the found records that meet the condition. Each record is read by its primary key: PostgreSQL may think it
 * cheaper to read the whole repository and search the array for each row. The ids are one array, since the estimated cost of an
 * array does not depend on its values: so PostgreSQL keeps one plan for all repositories.
 */
export function rowsOf(table: 'activities' | 'notables', found: string, columns: string, condition: string): string {
  return `select candidate.nth, candidate.result, candidate.by_issue, record.*
    from (select array_agg(nth) as nths, array_agg(id) as ids, array_agg(result) as results, array_agg(by_issue) as by_issues
            from (${found}) as found) as lists
      cross join lateral unnest(lists.nths, lists.ids, lists.results, lists.by_issues) as candidate(nth, id, result, by_issue)
      cross join lateral (
        select ${columns} from ${table} where repository_id = $1 and id = candidate.id and (${condition}) offset 0) as record`
}
