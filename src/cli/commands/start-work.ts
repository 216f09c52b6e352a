import { type Json, record } from '../client/json.ts'
import { checkParent, issuesToRecord, type ParentOverlap, withoutParentsIssues } from '../client/work/check-parent.ts'
import { findOwnActivity, findSeenWork, idOf, scopeOfActivity } from '../client/work/find-activity.ts'
import { type IssueFields, issuesOfFlags, issuesOfProposal } from '../client/work/issues.ts'
import type { SavedScope, SavedWork } from '../client/work/work-state-file.ts'
import { basesOf, branchFields, type CommandContext } from '../command-context.ts'
import type { Bases } from '../git/base-branch.ts'
import { type WorkFields, workFields } from './changes.ts'
import { requestCheck } from './check.ts'
import { changesOf } from './fields.ts'

export interface WorkRequest {
  actor: string
  agent: string | undefined
  /** The title of a new activity, unless `fields` has one. */
  title: string
  /** Other fields, by their names in the API. */
  fields: Record<string, string | boolean>
  /** The named scope. Areas or paths that are not named stay as they are. */
  namedScope: SavedScope | undefined
}

export interface StartedWork {
  activity: Json
  overlap: Json
  /** Of the work that is recorded now. */
  bases: Bases
  /** Set in a fork without pull requests. */
  parent: ParentOverlap | undefined
  isNew: boolean
  /** What the service saw on the branch before the work was recorded (`findSeenWork`), such as `#12`. */
  seenAs: string | undefined
  /** How the saved activity ended, as a sentence. */
  ended: string | undefined
  /** The work to save, from the work that is saved now. */
  toSavedWork(now: SavedWork | undefined): SavedWork
}

/** Resumes the live activity of this branch with a heartbeat, or creates one (docs/rules.md#starting-work). */
export async function startWork(
  context: CommandContext,
  saved: SavedWork | undefined,
  request: WorkRequest,
): Promise<StartedWork> {
  const { args, branch, repository } = context
  const { namedScope } = request
  const ofSaved = await basesOf(context, saved)
  const { activity: found, ended } = await findOwnActivity(context, saved, ofSaved.defaultBranch)
  // The base of work that has ended does not apply to new work.
  const bases = ended === undefined ? ofSaved : await basesOf(context, undefined)
  const { base } = bases
  const isSaved = found !== undefined && idOf(found) === saved?.id
  const known = isSaved ? saved.declared : found ? scopeOfActivity(found) : { areas: [], paths: [] }
  const declared = {
    areas: namedScope?.areas.length ? namedScope.areas : known.areas,
    paths: namedScope?.paths.length ? namedScope.paths : known.paths,
  }
  const named = issuesOfFlags(args)
  const [changes, seen] = await Promise.all([context.readChanges(base), found ? undefined : findSeenWork(context)])
  const issues = await issuesToRecord(context, found ? named : issuesOfProposal(context), seen?.state)
  const fields = workFields(changes, declared)
  const described = { branches: branchFields(branch, base), fields, issues }
  const result = found
    ? await resumeActivity(context, found, request, described)
    : await createActivity(context, request, described)
  const { overlap } = result
  const activity = await withoutParentsIssues(context, result.activity, overlap)
  const parent = await checkParent(context, overlap, { ...described.branches, ...fields }, isSaved ? saved : undefined)
  const chosenBase = args.text('base') ?? (ended === undefined ? saved?.base : undefined)
  const toSavedWork = (now: SavedWork | undefined) => ({
    id: idOf(activity),
    repository,
    ...(chosenBase !== undefined && { base: chosenBase }),
    ...savedIssues(named, found && now?.id === idOf(found) ? now : undefined),
    declared: !namedScope && found && now?.id === idOf(found) ? now.declared : declared,
    ...(found ? sessionsWhenResumed(found, now) : sessionsWhenCreated(saved, now)),
  })
  return { activity, overlap, bases, parent, isNew: !found, seenAs: seen?.seenAs, ended, toSavedWork }
}

interface Described {
  branches: ReturnType<typeof branchFields>
  fields: WorkFields
  issues: IssueFields | undefined
}

async function resumeActivity(
  context: CommandContext,
  found: Json,
  { fields }: WorkRequest,
  { branches, fields: work, issues }: Described,
): Promise<Pick<StartedWork, 'activity' | 'overlap'>> {
  const change = {
    ...changesOf(fields, found),
    ...(context.args.text('base') !== undefined && branches),
    ...work,
    ...issues,
    heartbeat: true,
  }
  const activity = await context.api.call('PATCH', `/activity/${idOf(found)}`, change)
  // Without a scope the whole record is compared.
  const overlap = await requestCheck(context, { ...branches, changes: work.changes }, idOf(found))
  return { activity, overlap }
}

async function createActivity(
  { api }: CommandContext,
  { title, actor, agent, fields: { status, ...fields } }: WorkRequest,
  { branches, fields: work, issues }: Described,
): Promise<Pick<StartedWork, 'activity' | 'overlap'>> {
  const body = {
    title,
    summary: fields.title ?? title,
    actor,
    ...(agent !== undefined && { agent }),
    ...branches,
    ...work,
    ...issues,
    ...fields,
  }
  const response = await api.call('POST', '/activity', body)
  const created = record(response, 'activity')
  // A new activity is active. Another status needs a second request.
  const changesStatus = status !== undefined && status !== created.status
  const activity = changesStatus ? await api.call('PATCH', `/activity/${idOf(created)}`, { status }) : created
  return { activity, overlap: record(response, 'overlap') }
}

/** Named issues replace those that were named before. */
function savedIssues(named: IssueFields | undefined, now: SavedWork | undefined): Pick<SavedWork, 'issues'> {
  const issues = named?.issues ?? now?.issues
  return issues ? { issues } : {}
}

type Sessions = Pick<SavedWork, 'sessions' | 'bySession'>

function sessionsWhenResumed(activity: Json, now: SavedWork | undefined): Sessions {
  return { sessions: now?.sessions ?? [], bySession: now?.id === idOf(activity) && now.bySession }
}

/** Sessions of the ended work do not take part in the new one. Sessions that joined meanwhile do. */
function sessionsWhenCreated(before: SavedWork | undefined, now: SavedWork | undefined): Sessions {
  const sessions = (now?.sessions ?? []).filter((id) => !before?.sessions.includes(id))
  return { sessions, bySession: false }
}
