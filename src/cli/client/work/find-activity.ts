import { liveStatuses } from '../../../core/enums.ts'
import type { CommandContext } from '../../command-context.ts'
import { exitCodes, Failure, usageError } from '../../failure.ts'
import { usualDefaults } from '../../git/base-branch.ts'
import { plain } from '../../output/plain-text.ts'
import { type Json, numberField, record, textField, textList } from '../json.ts'
import { observedSources } from './list-by-source.ts'
import { listRecords } from './list-records.ts'
import type { SavedScope, SavedWork } from './work-state-file.ts'

/** The human behind the work: `--actor`, git's `user.name`, or the account name of the environment. Throws without any. */
export function requireActor(context: CommandContext): string {
  const actor = findActor(context)
  if (actor) return actor
  throw usageError('--actor is needed: git has no user.name, and the environment has no USER.')
}

function findActor(context: CommandContext): string | undefined {
  const { USER, LOGNAME, USERNAME } = context.terminal.env
  return givenActor(context) ?? firstName([USER, LOGNAME, USERNAME])
}

/** The human that `--actor` or git names; undefined where only the account of the environment is known. */
export function givenActor({ args, config }: CommandContext): string | undefined {
  return firstName([args.text('actor'), config.get('user.name')])
}

function firstName(names: readonly (string | undefined)[]): string | undefined {
  return names.map((name) => name && plain(name)).find((name) => name)
}

/** Whether the activity is the given actor's. True without `--actor`. */
function matchesActor({ args }: Pick<CommandContext, 'args'>, activity: Json): boolean {
  const actor = args.text('actor')
  return actor === undefined || plain(actor) === textField(activity, 'actor')
}

export function isLiveRecord(activity: Json): boolean {
  return liveStatuses.some((status) => status === activity.status)
}

export interface FoundWork {
  /** Set where it is live. */
  activity?: Json
  /** How it ended, as a sentence. */
  ended?: string
  /** Whether the record does not exist. */
  isGone?: boolean
}

/**
 * The live recorded activity of this work tree and branch: the saved one, else a live one of the branch
 * (docs/rules.md#starting-work). On the default branch and without a branch it must be the actor's; a saved one is,
 * unless `--actor` names somebody else.
 */
export async function findOwnActivity(
  context: CommandContext,
  work: SavedWork | undefined,
  defaultBranch: string | null,
): Promise<FoundWork> {
  const { branch } = context
  const isShared = branch === null || branch === defaultBranch || usualDefaults.includes(branch)
  const saved = work?.id === undefined ? {} : await fetchActivity(context, work.id)
  const isOthers = isShared && saved.activity && !matchesActor(context, saved.activity)
  const own = isOthers ? {} : saved
  if (own.activity || branch === null) return own
  const { items } = await listRecords(context.api, '/activity', { branch, source: 'recorded' }, 100)
  if (items.length === 0) return own
  const actor = findActor(context)
  // Only `beat`, `update` and `done` get here without an actor: `start` requires one before.
  if (isShared && !actor)
    throw usageError('--id is needed: git has no user.name, so it is not known which work on this branch is yours.')
  const activity = items.find((item) => textField(item, 'actor') === actor) ?? (isShared ? undefined : items[0])
  return { ...own, ...(activity && { activity }) }
}

/** What the service observes on the branch. */
export interface SeenWork {
  /** The number of its open pull request, such as `#12`, else `pushed branch`; absent if there is nothing. */
  seenAs?: string
  /** How far the open pull requests are read; absent without a branch. */
  state?: Json
}

export async function findSeenWork({ api, branch }: CommandContext): Promise<SeenWork> {
  if (branch === null) return {}
  const { items, state } = await listRecords(api, '/activity', { branch, source: observedSources }, 10)
  const numbers = items.flatMap((item) => /\/pull\/(\d+)$/.exec(textField(item, 'pr_url') ?? '')?.[1] ?? [])
  const [number] = numbers
  const seenAs = number !== undefined ? `#${number}` : items.length > 0 ? seenBranch : undefined
  return { ...(seenAs !== undefined && { seenAs }), ...(state && { state }) }
}

export const seenBranch = 'pushed branch'

/** The activity of `--id`. Throws where the record does not exist. */
export async function fetchGivenActivity(context: Pick<CommandContext, 'api'>, id: string): Promise<FoundWork> {
  const found = await fetchActivity(context, id)
  if (found.isGone) throw new Failure(exitCodes.refused, `There is no activity ${plain(id)} in this repository.`)
  return found
}

/** An activity by its id: live, ended or missing. Throws where the token can't see the repository. */
export async function fetchActivity({ api }: Pick<CommandContext, 'api'>, id: string): Promise<FoundWork> {
  try {
    const activity = await api.call('GET', `/activity/${encodeURIComponent(id)}`)
    if (isLiveRecord(activity)) return { activity }
    const why = textField(activity, 'archived_reason')
    const status = plain(textField(activity, 'status') ?? 'ended')
    return {
      ended: `${id} is ${status}${why === undefined || why === 'caller' ? '' : ` (${plain(why.replaceAll('_', ' '))})`}.`,
    }
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 404) throw error
    // A repository that the token can't see is 404 here too.
    await api.call('GET', '/activity?limit=1')
    return { ended: `${id} does not exist any more.`, isGone: true }
  }
}

/** The id of a record, which every record has. */
export function idOf(activity: Json): string {
  return textField(activity, 'id') ?? ''
}

export function scopeOfActivity(activity: Json): SavedScope {
  const scope = record(activity, 'scope')
  return { areas: textList(scope, 'areas'), paths: textList(scope, 'paths') }
}

/** Whether the record has paths, areas or changed files. */
export function namesPlaces(activity: Json): boolean {
  const { paths, areas } = scopeOfActivity(activity)
  return paths.length + areas.length + (numberField(record(activity, 'changes'), 'files_total') ?? 0) > 0
}

/** The activity of `--id`, else the live one of this work tree and branch. Throws without one. */
export async function requireOwnActivity(
  context: CommandContext,
  work: SavedWork | undefined,
  defaultBranch: string | null,
): Promise<Json> {
  const given = context.args.text('id')
  const found =
    given === undefined ? await findOwnActivity(context, work, defaultBranch) : await fetchGivenActivity(context, given)
  if (found.activity) return found.activity
  const { branch } = context
  const none =
    given === undefined && !found.ended ? `No live work is known ${branch === null ? 'here' : `on ${branch}`}.` : ''
  throw new Failure(
    exitCodes.refused,
    [found.ended, none, 'Start work with `headsup start`.'].filter(Boolean).join(' '),
  )
}
