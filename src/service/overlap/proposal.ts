import { invalidField } from '../../core/errors.ts'
import type { Proposal } from '../../core/overlap/decide.ts'
import { areaKey } from '../../core/overlap/work.ts'
import type { OverlapCheck } from '../../core/schemas/overlap.ts'
import type { Context } from '../context.ts'
import type { Activity } from '../db/generated/client.ts'
import { findActivity } from '../records/activities/activities.ts'
import { changesColumns, lacksFiles, storedFiles } from '../records/changes.ts'
import { pullLink } from '../records/pull-links.ts'
import { filesOfWorks } from './candidate-files.ts'
import { findLive, type Reader } from './candidates.ts'
import {
  type Candidate,
  groupedById,
  lacksFilesOfPull,
  partyOf,
  type RecordFacts,
  withCovered,
  workOfCandidate,
} from './facts.ts'

/** What somebody is about to do, or does. */
export interface Proposed {
  proposal: Proposal
  /** The caller's own record; null without one. */
  own: Activity | null
}

/** What a check asks about. With `activity_id` the caller's own record stands in for what is not sent. */
export async function proposalOf(context: Context, reader: Reader, input: OverlapCheck): Promise<Proposed> {
  const { activity_id, scope, tags = [], changes } = input
  const own = activity_id === undefined ? null : await findActivity(context, activity_id)
  if (activity_id !== undefined && !own) throw invalidField('activity_id', 'is no activity of this repository')
  const candidate = await candidateOf(reader, own)
  const { row } = candidate
  const told: RecordFacts = {
    ...row,
    author_login: await context.login(),
    ...(input.branch !== undefined && { branch: input.branch }),
    ...(input.base_branch !== undefined && { base_branch: input.base_branch }),
    ...(scope && { areas: scope.areas ?? [], paths: scope.paths ?? [] }),
    ...(input.issues !== undefined && { issues: input.issues }),
    ...(input.pr_url !== undefined && numberOf(input.pr_url, context)),
    ...(changes && sentChanges(changes, row, context.now())),
  }
  const labels = [...told.areas, ...tags]
  const areas = [...new Map(labels.map((label) => [areaKey(label), label])).values()]
  const sent = changes ? { files: storedFiles(changes), files_total: changes.files_total } : null
  return proposed(context, reader, { row: { ...told, areas }, covered: candidate.covered }, own, sent)
}

/** The work of a record: of a caller's, or of an open pull request. */
export async function proposalOfRecord(
  context: Pick<Context, 'settings'>,
  reader: Reader,
  own: Activity,
): Promise<Proposed> {
  return proposed(context, reader, await candidateOf(reader, own), own, null)
}

async function proposed(
  { settings }: Pick<Context, 'settings'>,
  reader: Reader,
  candidate: Candidate<RecordFacts>,
  own: Activity | null,
  sent: { files: ReturnType<typeof storedFiles>; files_total: number } | null,
): Promise<Proposed> {
  const { row, covered } = candidate
  const ids = [...(row.changes_by === null || sent ? [] : [row.id]), ...(covered ? [covered.id] : [])]
  const { files } = ids.length > 0 ? await filesOfWorks(reader, ids, Number.MAX_SAFE_INTEGER) : { files: [] }
  const byId = groupedById(files)
  if (sent)
    byId.set(
      row.id,
      sent.files.map((file) => ({ ...file, activity_id: row.id })),
    )
  const total = sent ? sent.files_total : (own?.changes_total ?? null)
  const isIncomplete = lacksFiles(total, byId.get(row.id) ?? []) || lacksFilesOfPull(candidate)
  const work = workOfCandidate(candidate, byId, settings.rules)
  return { proposal: { ...partyOf(candidate), isIncomplete, work }, own }
}

const noFacts: RecordFacts = {
  ...{ id: '', source: 'recorded', branch: null, base_branch: null, areas: [], paths: [], issues: [] },
  ...{ pr_number: null, author_login: null, changes_by: null, changes_head: null },
  ...{ commits: [], pull: null, has_pull_head: false },
}

/** The record as it is compared, with the pull request that it covers. */
async function candidateOf(reader: Reader, own: Activity | null): Promise<Candidate<RecordFacts>> {
  if (own === null) return { row: noFacts, covered: null }
  const alone = { row: { ...noFacts, ...own, commits: own.changes_commits }, covered: null }
  if (own.pr_number === null) return alone
  const { rows } = await findLive(reader, { ids: [own.id], commits: null })
  const found = withCovered(rows).find(({ row }) => row.id === own.id)
  return found ? { row: found.row, covered: found.covered } : alone
}

function numberOf(url: string | null, context: Context): { pr_number: number | null } {
  return { pr_number: url === null ? null : pullLink(url, context).pr_number }
}

function sentChanges(changes: NonNullable<OverlapCheck['changes']>, { pull }: RecordFacts, now: Date) {
  const { changes_by, changes_head, changes_commits } = changesColumns(changes, now)
  const commits: string[] = changes_commits
  const has_pull_head = pull !== null && (pull.head_sha === changes_head || commits.includes(pull.head_sha))
  return { changes_by, changes_head, commits, has_pull_head }
}
