import { randomUUID } from 'node:crypto'
import { isLiveStatus } from '../../core/enums.ts'
import { repositoryKey } from '../../core/names.ts'
import type { Activity } from '../../core/schemas/activity.ts'
import type { ActivityChange, NewActivity, Recorded } from '../api.ts'
import type { Context } from '../context.ts'
import type { State, UnansweredCreate } from '../state.ts'
import { Failure, ServiceAway, undefinedIf } from '../terminal.ts'

/** The record that this work tree keeps for its branch. */
export interface Kept {
  id: string
  /** The branch of the work tree, where the record was made for another one and follows it. */
  moveTo?: string
}

/**
 * The record that this work tree made for the branch, without asking the service whether it still lives. Where the branch has none,
 * the last one follows: its branch is gone or renamed, was the default one, or has no commits of its own.
 */
export async function findKept(context: Context): Promise<Kept | undefined> {
  const { state, repository, branch, tree } = context
  const key = repositoryKey(repository.owner, repository.name)
  const records = state.read().records.filter((record) => record.repository === key)
  const own = records.findLast((record) => record.branch === branch)
  if (own) return { id: own.id }
  const last = records.at(-1)
  if (!last || !tree || branch === null || branch !== tree.branch) return undefined
  return last.branch === null || (await hasNoOwnCommits(context, last.branch))
    ? { id: last.id, moveTo: branch }
    : undefined
}

/** Whether no work stays behind on a branch. The default one, and one that is gone, have none of its own. */
async function hasNoOwnCommits({ tree, repositoryFacts, base }: Context, branch: string): Promise<boolean> {
  if (tree === undefined || branch === (await repositoryFacts()).defaultBranch) return tree !== undefined
  const ref = `refs/heads/${branch}`
  const { code } = await tree.git(['rev-parse', '--quiet', '--verify', `${ref}^{commit}`])
  if (code !== 0) return true
  const others = (await base()).ref ?? '--remotes'
  const { stdout } = await tree.git(['rev-list', '--max-count=1', ref, '--not', others])
  return stdout.trim() === ''
}

/** Remembers the record of this branch, as the last one. */
export function keepId({ state, repository, branch }: Context, id: string): void {
  const of = repositoryKey(repository.owner, repository.name)
  const isOld = (record: { repository: string; branch: string | null; id: string }) =>
    record.id === id || (record.repository === of && record.branch === branch)
  state.update((all) => ({
    ...all,
    records: [...all.records.filter((record) => !isOld(record)), { repository: of, branch, id }].slice(-mostKept),
  }))
}

const mostKept = 100
/** A create without an answer is sent again within an hour. */
const resendMs = 3_600_000

export function forgetId({ state }: Context, id: string): void {
  state.update((all) => ({ ...all, records: all.records.filter((record) => record.id !== id) }))
}

/** Sends a change to the kept record; where there is none, or it has ended, makes a new one. Either way it is the kept one now. */
export async function record(
  context: Context,
  change: ActivityChange,
  create: () => Promise<NewActivity>,
): Promise<Recorded & { isNew: boolean }> {
  const { state, repository, branch, terminal } = context
  const { unanswered } = state.read()
  const of = repositoryKey(repository.owner, repository.name)
  // Later it would tell of work that is over.
  if (unanswered?.repository === of && terminal.now() - unanswered.at < resendMs) await send(context, unanswered)
  const kept = await findKept(context)
  const updated = kept && (await update(context, kept, change))
  if (updated && isLiveStatus(updated.activity.status)) {
    keepId(context, updated.activity.id)
    return { ...updated, isNew: false }
  }
  const body = { ...(await create()), ...(updated && lastingFields(updated.activity)) }
  return {
    ...(await send(context, { repository: of, branch, key: randomUUID(), at: terminal.now(), body })),
    isNew: true,
  }
}

/** What people said of work goes on with it where its record has only expired. What ended in another way is other work. */
function lastingFields(ended: Activity): Partial<NewActivity> {
  if (ended.archived_reason !== 'expired') return {}
  const { title, summary, risk, blocking, base_branch, scope, issues } = ended
  return { title, summary, risk, blocking, scope, issues, ...(base_branch !== null && { base_branch }) }
}

/** Creates a record. Until an answer comes it is kept what was sent, so that the next call makes no second one. */
async function send(context: Context, create: UnansweredCreate): Promise<Recorded> {
  const keep = (unanswered: State['unanswered']) => context.state.update((all) => ({ ...all, unanswered }))
  keep(create)
  try {
    const recorded = await context.api.create(create.body, create.key)
    keep(null)
    keepId({ ...context, branch: create.branch }, recorded.activity.id)
    return recorded
  } catch (error) {
    if (!(error instanceof ServiceAway)) keep(null)
    throw error
  }
}

const isGone = ({ code }: Failure) => code === 'not_found'

/** Undefined where the record was purged. It may have ended: then it follows to no other branch. */
async function update({ api }: Context, { id, moveTo }: Kept, change: ActivityChange): Promise<Recorded | undefined> {
  if (moveTo === undefined) return undefinedIf(isGone, api.update(id, change))
  const before = await undefinedIf(isGone, api.activity(id))
  if (!before || !isLiveStatus(before.status)) return undefined
  return api.update(id, { ...titleOn(moveTo, before), ...change, branch: moveTo })
}

/** The title of a record where nobody gave one. */
export function automaticTitle(branch: string | null): string {
  return (branch === null ? 'Work without a branch' : `Work on ${branch}`).slice(0, 200)
}

/** The title of a record that follows to a branch, where it is the automatic one, and the summary that repeats it. */
export function titleOn(branch: string | null, before: Activity): Pick<ActivityChange, 'title' | 'summary'> {
  if (before.title !== automaticTitle(before.branch)) return {}
  const title = automaticTitle(branch)
  return { title, ...(before.summary === before.title && { summary: title }) }
}

/** The live record of this branch: the kept one, else the newest one of the caller's account. Fails where that is not known. */
export async function findOwn(context: Context): Promise<Activity | undefined> {
  const { api, branch } = context
  const kept = await findKept(context)
  const found = kept && (await undefinedIf(isGone, api.activity(kept.id)))
  if (found && isLiveStatus(found.status)) return found
  if (branch === null) return undefined
  const { items } = await api.activities({ branch, mine: true, source: 'recorded', limit: 1 })
  return items[0]
}

/** As `findOwn`. Throws a `Failure` where there is none. */
export async function requireOwn(context: Context): Promise<Activity> {
  const found = await findOwn(context)
  if (found) return found
  const where = context.branch === null ? 'here' : `on ${context.branch}`
  const other = context.branch === null ? ' Work on a branch is found by --branch.' : ''
  throw new Failure(`No live work of yours is recorded ${where}: \`headsup start\` records it.${other}`)
}
