import { type Effect, type Field, fields, type Step, type View } from './step.ts'

/** The state of a record. A value that was set but not yet shown is `unknownValue`. */
export type State = Readonly<Partial<Record<Field, string | null>>>

const unknownValue = '?'
const live = ['planned', 'active', 'paused', 'blocked', 'draft-pr-open', 'ready-for-review']
const endStatuses = ['merged', 'abandoned', 'archived']

/** The transitions of docs/rules.md#status-transitions, repeated because the table of the service is under test. */
export function isLegal(from: string, to: string): boolean {
  if (from === to) return true
  if (live.includes(from)) return live.includes(to) || endStatuses.includes(to)
  return from !== 'archived' && to === 'archived'
}

/** Returns the state after the step, or undefined if the step could not have had this outcome. */
export function applyStep(state: State, { effect, outcome }: Step): State | undefined {
  const status = state.status ?? unknownValue
  const illegal = effect.does === 'patch' && effect.status !== undefined && !isLegal(status, effect.status)
  if (outcome.is === 'illegal') return illegal ? state : undefined
  if (illegal) return outcome.is === 'unknown' ? state : undefined
  const after = apply(state, effect)
  return outcome.is === 'ok' ? bind(after, outcome.seen) : after
}

function apply(state: State, effect: Effect): State {
  const isLive = live.includes(state.status ?? unknownValue)
  switch (effect.does) {
    case 'read':
      return state
    case 'patch':
      return { ...moved(state, effect.status), ...effect.set }
    case 'beat':
      return withHeartbeat(state)
    case 'push':
      return isLive ? withHeartbeat(state) : state
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

/** `archived_at` is set once. Merged work keeps the reason `merged`. */
function archived(state: State, reason: string | null): State {
  if (state.status === 'archived') return state
  const archived_reason = state.status === 'merged' ? 'merged' : reason
  return { ...state, status: 'archived', archived_at: unknownValue, archived_reason }
}

/** Only the response shows the new `expires_at`. It is never earlier than before. */
function withHeartbeat(state: State): State {
  return { ...state, heartbeat_at: unknownValue }
}

/** Adds the shown values to the state. Returns undefined if they contradict it. */
function bind(state: State, seen: View): State | undefined {
  const bound: State = { ...state, ...seen }
  for (const field of fields) {
    const [known, shown] = [state[field], seen[field]]
    if (known === undefined || shown === undefined || known === shown || known === unknownValue) continue
    if (field !== 'expires_at') return undefined
    // Timestamps of one format compare as text.
    if (known !== null && shown !== null && shown < known) return undefined
  }
  return bound
}
