import type { Database } from '../../db/database.ts'
import { listFor } from '../../lib/maps.ts'
import type { BranchInfo } from '../relationship/relationship.ts'
import { activityIndex, selectByIndex } from './find-by-index.sql.ts'
import { type Found, type FoundRow, findActivitiesSql, toFound } from './find-candidates.sql.ts'
import type { IndexLookups } from './index-lookups.ts'
import type { LiveFilter } from './rows.ts'

/** A stored activity that is compared with others. */
export interface FindingActivity extends BranchInfo {
  self: string
  lookups: IndexLookups
}

/** The values of one activity, as a row of a statement about several. */
interface ProposalRow {
  /** The columns and their types. */
  columns: string
  text: string
  values: Record<string, unknown>
}

/**
 * What `findCandidates` finds for each of several stored activities, by their ids. Without merged work. One statement for all
 * that look up the same kinds of keys.
 */
export async function findForMany(
  db: Pick<Database, 'query'>,
  { repositoryId, now, seesObserved }: Omit<LiveFilter, 'self'>,
  activities: readonly FindingActivity[],
): Promise<Map<string, Found>> {
  const rowsByStatement = new Map<string, ProposalRow['values'][]>()
  for (const { columns, text, values } of activities.map(toProposalRow)) {
    // Not `jsonb_to_recordset`: PostgreSQL expects a hundred rows of it.
    const statement = `select proposal.self, found.*
      from unnest($4::jsonb[]) as given(proposal) cross join lateral jsonb_to_record(given.proposal) as proposal(${columns})
        cross join lateral (${text}) as found`
    listFor(rowsByStatement, statement).push(values)
  }
  const rowsOf = new Map<string, FoundRow[]>()
  for (const [statement, proposals] of rowsByStatement) {
    const values = [repositoryId, now, seesObserved, proposals.map((proposal) => JSON.stringify(proposal))]
    const { rows } = await db.query<FoundRow & { self: string }>(statement, values)
    for (const row of rows) listFor(rowsOf, row.self).push(row)
  }
  return new Map(activities.map(({ self }) => [self, toFound(rowsOf.get(self) ?? [])]))
}

function toProposalRow({ self, branch, base_branch, lookups }: FindingActivity): ProposalRow {
  const columns: string[] = []
  const values: ProposalRow['values'] = {}
  const column = (value: unknown, type: string) => {
    const name = `value${columns.length}`
    columns.push(`${name} ${type}`)
    values[name] = value
    return `proposal.${name}`
  }
  const text = findActivitiesSql({
    now: '$2',
    seesObserved: '$3',
    branch: column(branch, 'text'),
    base: column(base_branch, 'text'),
    byIndex: selectByIndex(
      lookups,
      { list: (list, type) => column(list, `${type}[]`), json: (value) => column(value, 'jsonb') },
      activityIndex,
    ),
    self: 'proposal.self',
    endedAfter: '$2',
    count: '0',
  })
  return { columns: ['self text', ...columns].join(', '), text, values: { self, ...values } }
}
