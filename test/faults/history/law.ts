import { type Effect, type Field, fields, type Step, type View } from './step.ts'

/** What a record may be: a value that was set but not yet shown is `unseen`. */
export type State = Readonly<Partial<Record<Field, string | null>>>

const unseen = '?'
const live = ['planned', 'active', 'paused', 'blocked', 'draft-pr-open', 'ready-for-review']
const ends = ['merged', 'abandoned', 'archived']

/** The moves of docs/rules.md#status-transitions, repeated on purpose: the service's own table is under test. */
export function isLegal(from: string, to: string): boolean {
  if (from === to) return true
  if (live.includes(from)) return live.includes(to) || ends.includes(to)
  return from !== 'archived' && to === 'archived'
}

/** What the record is after the step, or undefined where the step can not have gone as it did. */
export function follow(state: State, { effect, outcome }: Step): State | undefined {
  const status = state.status ?? unseen
  const illegal = effect.does === 'patch' && effect.status !== undefined && !isLegal(status, effect.status)
  if (outcome.is === 'illegal') return illegal ? state : undefined
  if (illegal) return outcome.is === 'unknown' ? state : undefined
  const after = apply(state, effect)
  return outcome.is === 'ok' ? bind(after, outcome.seen) : after
}

function apply(state: State, effect: Effect): State {
  const isLive = live.includes(state.status ?? unseen)
  switch (effect.does) {
    case 'read':
      return state
    case 'patch':
      return { ...moved(state, effect.status), ...effect.set }
    case 'beat':
      return beaten(state)
    case 'push':
      return isLive ? beaten(state) : state
    case 'archive':
      return archived(state, 'caller')
    case 'lose-branch':
      return isLive ? archived(state, 'branch_deleted') : state
    case 'merge':
      if (isLive) return archived(state, 'merged')
      return state.archived_reason === 'branch_deleted' ? { ...state, archived_reason: 'merged' } : state
    case 'supersede':
      return archived(state, null)
  }
}

function moved(state: State, to: string | undefined): State {
  if (to === undefined || to === state.status) return state
  return to === 'archived' ? archived(state, 'caller') : { ...state, status: to }
}

/** `archived_at` is set once; work that was merged stays so for whoever asks why. */
function archived(state: State, reason: string | null): State {
  if (state.status === 'archived') return state
  const archived_reason = state.status === 'merged' ? 'merged' : reason
  return { ...state, status: 'archived', archived_at: unseen, archived_reason }
}

/** The new `expires_at` is known by the answer alone; it is never nearer than the one that was shown before. */
function beaten(state: State): State {
  return { ...state, heartbeat_at: unseen }
}

/** The state with what was shown of it, or undefined where that contradicts it. */
function bind(state: State, seen: View): State | undefined {
  const bound: State = { ...state, ...seen }
  for (const field of fields) {
    const [known, shown] = [state[field], seen[field]]
    if (known === undefined || shown === undefined || known === shown || known === unseen) continue
    if (field !== 'expires_at') return undefined
    // Of two texts of one form the later time is the greater one.
    if (known !== null && shown !== null && shown < known) return undefined
  }
  return bound
}
