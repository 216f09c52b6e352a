import { liveStatuses } from '../../enums.ts'
import type { CommandContext } from '../command-context.ts'
import { exitCodes, Failure, usageFault } from '../failure.ts'
import { usualDefaults } from '../git/base-branch.ts'
import { plain } from '../plain-text.ts'
import { type Json, record, textField, textList } from './json.ts'
import { listRecords } from './pages.ts'
import type { SavedScope, SavedWork } from './work-state-file.ts'

/** The human behind the work: `--actor`, git's `user.name`, or the name of the account as the environment has it. */
export function actorOf(place: CommandContext): string {
  const actor = knownActor(place)
  if (actor) return actor
  throw usageFault('--actor is needed: git has no user.name here, and the environment no USER.')
}

function knownActor({ args, config, terminal: { env } }: CommandContext): string | undefined {
  const names = [args.text('actor'), config.get('user.name'), env.USER, env.LOGNAME, env.USERNAME]
  return names.map((name) => name && plain(name)).find((name) => name)
}

/** Whether `--actor` says who is behind this work, or nobody. */
function isOfGivenActor({ args }: Pick<CommandContext, 'args'>, activity: Json): boolean {
  const actor = args.text('actor')
  return actor === undefined || plain(actor) === textField(activity, 'actor')
}

export function isLiveRecord(activity: Json): boolean {
  return liveStatuses.some((status) => status === activity.status)
}

export interface FoundActivity {
  /** Live, and this caller's. */
  activity?: Json
  /** What became of the one that was remembered, in words. */
  ended?: string
  /** Whether there is no such record. */
  isGone?: boolean
}

/**
 * The live activity of this work tree and branch: the one that is remembered, else one of the branch that lives already
 * (docs/rules.md#starting-work). On the default branch and without a branch it has to be the actor's. What is remembered is,
 * unless `--actor` says otherwise.
 */
export async function findActivity(
  place: CommandContext,
  work: SavedWork | undefined,
  defaultBranch: string | null,
): Promise<FoundActivity> {
  const { branch } = place
  const isShared = branch === null || branch === defaultBranch || usualDefaults.includes(branch)
  const recalled = work?.id === undefined ? {} : await recall(place, work.id)
  const isOthers = isShared && recalled.activity && !isOfGivenActor(place, recalled.activity)
  const remembered = isOthers ? {} : recalled
  if (remembered.activity || branch === null) return remembered
  const { items } = await listRecords(place.api, '/activity', { branch }, 100)
  if (items.length === 0) return remembered
  const actor = knownActor(place)
  // `start`, which takes an actor, has asked for one by now.
  if (isShared && !actor)
    throw usageFault('--id is needed: git has no user.name here, so whose work is yours is not known.')
  const activity = items.find((item) => textField(item, 'actor') === actor) ?? (isShared ? undefined : items[0])
  return { ...remembered, ...(activity && { activity }) }
}

/** An activity by its id, which a person gave: fails where there is none. */
export async function recallGiven(place: Pick<CommandContext, 'api'>, id: string): Promise<FoundActivity> {
  const found = await recall(place, id)
  if (found.isGone) throw new Failure(exitCodes.refused, `There is no activity ${plain(id)} in this repository.`)
  return found
}

/** An activity by its id: live, ended or gone. A repository that can't be seen answers the list alike, and that one fails. */
export async function recall({ api }: Pick<CommandContext, 'api'>, id: string): Promise<FoundActivity> {
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
    await api.call('GET', '/activity?limit=1')
    return { ended: `${id} is not there any more.`, isGone: true }
  }
}

/** The id of a record of an answer, which has one. */
export function idOf(activity: Json): string {
  return textField(activity, 'id') ?? ''
}

export function scopeIn(activity: Json): SavedScope {
  const scope = record(activity, 'scope')
  return { areas: textList(scope, 'areas'), paths: textList(scope, 'paths') }
}

/** The activity that `beat`, `update` and `done` are about: `--id`, else the caller's own; fails kindly without one. */
export async function neededWork(
  place: CommandContext,
  work: SavedWork | undefined,
  defaultBranch: string | null,
): Promise<Json> {
  const given = place.args.text('id')
  const found = given === undefined ? await findActivity(place, work, defaultBranch) : await recallGiven(place, given)
  if (found.activity) return found.activity
  const { branch } = place
  const none =
    given === undefined && !found.ended ? `No live work is known ${branch === null ? 'here' : `on ${branch}`}.` : ''
  throw new Failure(exitCodes.refused, [found.ended, none, '`headsup start` begins some.'].filter(Boolean).join(' '))
}
