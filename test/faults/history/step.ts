/**
 * A history has the requests of the clients and the responses, with times. It contains nothing internal of the service, so
 * a caller could find the same violations.
 */

/** The compared fields of a record. `expires_at` only ever becomes later. */
export type View = Partial<Record<Field, string | null>>

export type Field = (typeof fields)[number]

export const fields = [
  'status',
  'risk',
  'summary',
  'pr_url',
  'archived_at',
  'archived_reason',
  'heartbeat_at',
  'expires_at',
] as const

/** What a request does to a record. */
export type Effect =
  | { does: 'read' }
  | { does: 'patch'; status?: string; set: View }
  | { does: 'beat' }
  | { does: 'archive' }
  /** The next three are deliveries, which change live work only. */
  | { does: 'lose-branch' }
  | { does: 'merge' }
  | { does: 'push' }
  /** A new notable supersedes this one. */
  | { does: 'supersede' }

export type Outcome =
  /** It was done, and the response showed this. */
  | { is: 'ok'; seen: View }
  /** The transition is not allowed; nothing was done. */
  | { is: 'illegal' }
  /** The connection broke, or the response was a 5xx. It may take effect at any time from `from` on, or never. */
  | { is: 'unknown' }

/** One attempt. `from` is its request and `until` its response, in ms of the clients' clock. */
export interface Step {
  by: string
  from: number
  until: number
  effect: Effect
  outcome: Outcome
}

/** An acknowledged record: the response of its create, and all later attempts. */
export interface RecordHistory {
  id: string
  kind: 'activity' | 'notable'
  start: View
  steps: Step[]
  /** Whether the service answered that it does not exist any more, after its retention. */
  isGone?: boolean
}

const ends = new Set<Effect['does']>(['archive', 'lose-branch', 'merge', 'supersede'])

/** When the first attempt began that may have ended the record; `Infinity` without one. */
export function endedFrom({ steps }: Pick<RecordHistory, 'steps'>): number {
  const ending = steps.filter(({ effect }) => ends.has(effect.does) || 'status' in effect)
  return Math.min(...ending.map(({ from }) => from))
}
