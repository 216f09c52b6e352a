/**
 * A history is what clients asked and what they were told, with times. Nothing in it comes from the service's inside, so
 * what the checks find here is what a caller would have found.
 */

/** What of a record can be told apart. `expires_at` stands beside: it only ever moves out. */
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

/** What was asked for, of a record that is there. */
export type Effect =
  | { does: 'read' }
  | { does: 'patch'; status?: string; set: View }
  | { does: 'beat' }
  | { does: 'archive' }
  /** By a delivery, of live work alone. */
  | { does: 'lose-branch' }
  | { does: 'merge' }
  | { does: 'push' }
  /** Of a notable, by one that supersedes it. */
  | { does: 'supersede' }

export type Outcome =
  /** It was done, and this was shown of it. */
  | { is: 'ok'; seen: View }
  /** The move was illegal; nothing was done. */
  | { is: 'illegal' }
  /** Nobody knows: the connection broke, or the answer was a 503. It may yet be done, at any time from `from` on. */
  | { is: 'unknown' }

/** One attempt, from when it was sent until its answer was there, in milliseconds of the clients' one clock. */
export interface Step {
  by: string
  from: number
  until: number
  effect: Effect
  outcome: Outcome
}

/** An acknowledged record: as its create showed it, and all that was tried on it since. */
export interface RecordHistory {
  id: string
  kind: 'activity' | 'notable'
  start: View
  steps: Step[]
}
