import { findActivity, idOf, scopeIn } from '../client/find-activity.ts'
import { type Json, record } from '../client/json.ts'
import type { SavedScope, SavedWork } from '../client/work-state-file.ts'
import { basesOf, branchFields, type CommandContext } from '../command-context.ts'
import { checkAs } from './check.ts'
import { changesOf } from './fields.ts'
import { widened } from './scope.ts'

export interface Beginning {
  actor: string
  agent: string | undefined
  /** Of a new activity, where the fields don't say. */
  title: string
  /** As the API names them. */
  fields: Record<string, string | boolean>
  /** What was named: the half that was not stays as it is. What is changed comes besides where no paths were. */
  named: SavedScope | undefined
}

export interface Begun {
  activity: Json
  overlap: Json
  isNew: boolean
  /** What became of the activity that was remembered. */
  ended: string | undefined
  /** What to remember, where this is remembered by now. */
  work(now: SavedWork | undefined): SavedWork
}

/** Takes up the live activity of this branch with a heartbeat, or creates one (docs/rules.md#starting-work). */
export async function beginWork(
  place: CommandContext,
  remembered: SavedWork | undefined,
  beginning: Beginning,
): Promise<Begun> {
  const { api, args, branch, repository } = place
  const { actor, agent, title, named } = beginning
  const bases = await basesOf(place, remembered)
  const { activity: found, ended } = await findActivity(place, remembered, bases.defaultBranch)
  // The base that was chosen for work which has ended goes with it.
  const { base } = ended === undefined ? bases : await basesOf(place, undefined)
  const isRemembered = found !== undefined && idOf(found) === remembered?.id
  const known = isRemembered ? remembered.declared : found ? scopeIn(found) : { areas: [], paths: [] }
  const declared = {
    areas: named?.areas.length ? named.areas : known.areas,
    paths: named?.paths.length ? named.paths : known.paths,
  }
  const isWhole = named !== undefined && named.paths.length > 0 && !args.flag('changed')
  const scope = isWhole ? declared : await widened(place, base, declared)
  const branches = branchFields(branch, base)
  const chosenBase = args.text('base') ?? (ended === undefined ? remembered?.base : undefined)
  const workOf = (activity: Json) => (now: SavedWork | undefined) => ({
    id: idOf(activity),
    repository,
    ...(chosenBase !== undefined && { base: chosenBase }),
    declared: !named && found && now?.id === idOf(found) ? now.declared : declared,
    ...(found ? takenUp(found, now) : begun(remembered, now)),
  })
  if (found) {
    const change = {
      ...changesOf(beginning.fields, found),
      ...(args.text('base') !== undefined && branches),
      scope,
      heartbeat: true,
    }
    const activity = await api.call('PATCH', `/activity/${idOf(found)}`, change)
    const overlap = await checkAs(place, { ...branches, scope }, idOf(found))
    return { activity, overlap, isNew: false, ended, work: workOf(activity) }
  }
  const { status, ...fields } = beginning.fields
  const body = {
    title,
    summary: fields.title ?? title,
    actor,
    ...(agent !== undefined && { agent }),
    ...branches,
    scope,
    ...fields,
  }
  const answer = await api.call('POST', '/activity', body)
  const created = record(answer, 'activity')
  // A new activity is active; another status is a move of its own.
  const moves = status !== undefined && status !== created.status
  const activity = moves ? await api.call('PATCH', `/activity/${idOf(created)}`, { status }) : created
  return { activity, overlap: record(answer, 'overlap'), isNew: true, ended, work: workOf(activity) }
}

type Sessions = Pick<SavedWork, 'sessions' | 'bySession'>

function takenUp(activity: Json, now: SavedWork | undefined): Sessions {
  return { sessions: now?.sessions ?? [], bySession: now?.id === idOf(activity) && now.bySession }
}

/** Sessions that were at work which has ended are not at the new one; those that came meanwhile are. */
function begun(before: SavedWork | undefined, now: SavedWork | undefined): Sessions {
  const sessions = (now?.sessions ?? []).filter((id) => !before?.sessions.includes(id))
  return { sessions, bySession: false }
}
