import type { CommandContext } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { readRepositoryName } from '../../git/remote-url.ts'
import { plain } from '../../output/plain-text.ts'
import { type Json, numberList, record, textField } from '../json.ts'
import { idOf } from './find-activity.ts'
import { type IssueFields, issuesForParent } from './issues.ts'
import { listRecords } from './list-records.ts'
import type { SavedWork } from './work-state-file.ts'

/** What a check finds in the repository that this one is a fork of. */
export interface ParentOverlap {
  /** `owner/name` */
  repository: string
  overlap: Json
}

/** The repository that this one is a fork of, as the response of a check names it. */
export function parentOf(overlap: Json) {
  return readRepositoryName(textField(record(overlap, 'observed'), 'parent') ?? '')
}

/**
 * Checks the same proposal in the parent that the response of a check names: in a fork without pull requests they are all
 * there. Undefined where there is no parent, or the token may not see it.
 */
export async function checkParent(
  context: Pick<CommandContext, 'apiOf' | 'terminal' | 'args' | 'branch'>,
  overlap: Json,
  body: object,
  work: SavedWork | undefined,
): Promise<ParentOverlap | undefined> {
  const { apiOf, terminal } = context
  const parent = parentOf(overlap)
  if (!parent) return undefined
  const repository = `${parent.owner}/${parent.name}`
  try {
    const proposal = { ...body, ...issuesForParent(context, work) }
    return { repository, overlap: await apiOf(parent).call('POST', '/activity/check', proposal) }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const isInvisible = error.status === 403 || error.status === 404
    if (!isInvisible) terminal.err(`Note: ${repository} could not be checked: ${plain(error.message)}`)
    return undefined
  }
}

/**
 * The issues to record: none in a fork without pull requests, since the numbers are those of the parent. `state` is that of the
 * pull requests, where it is known already.
 */
export async function issuesToRecord(
  { api }: Pick<CommandContext, 'api'>,
  issues: IssueFields | undefined,
  state?: Json,
): Promise<IssueFields | undefined> {
  if (!issues || issues.issues.length === 0) return issues
  const observed = state ?? (await listRecords(api, '/activity', {}, 1)).state
  return parentOf({ observed }) ? undefined : issues
}

/** The record of the work, without issues where it is known only after the record was made that this is such a fork. */
export async function withoutParentsIssues(
  { api }: Pick<CommandContext, 'api'>,
  activity: Json,
  overlap: Json,
): Promise<Json> {
  if (!parentOf(overlap) || numberList(activity, 'issues').length === 0) return activity
  return api.call('PATCH', `/activity/${idOf(activity)}`, { issues: [] })
}

/** The heading of what was found there. */
export function parentHeading({ repository }: ParentOverlap): string {
  return `In ${repository}, which this repository is a fork of:`
}

/** The answer of the check, and that of the parent. */
export function answersOf(overlap: Json, parent: ParentOverlap | undefined): Json[] {
  return parent ? [overlap, parent.overlap] : [overlap]
}

/** Whether one of the two has an overlap. */
export function isOverlap(overlap: Json, parent: ParentOverlap | undefined): boolean {
  return overlap.overlap_detected === true || parent?.overlap.overlap_detected === true
}
