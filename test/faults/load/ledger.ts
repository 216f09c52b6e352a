import type { History } from '../history/check.ts'
import type { Effect, Outcome, RecordHistory } from '../history/step.ts'
import type { Creation, Delivered } from '../history/wholeness.ts'

/** What one operation of a client came to. */
export type End = 'acknowledged' | 'refused' | 'unknown'

/** What the clients write down: the history, and what no order of events makes right. */
export interface Ledger {
  history: History
  /** A 500, a 503 without Retry-After, a status that nobody expects. */
  faults: string[]
  /** Attempts and their ends; of an operation with a key all attempts count. */
  attempts: Record<End, number>
  /** By what was asked. */
  acknowledged: Map<string, number>
}

export function newLedger(): Ledger {
  return {
    history: { records: [], creations: [], deliveries: [], sights: [] },
    faults: [],
    attempts: { acknowledged: 0, refused: 0, unknown: 0 },
    acknowledged: new Map(),
  }
}

export function acknowledge({ acknowledged }: Ledger, what: string): void {
  acknowledged.set(what, (acknowledged.get(what) ?? 0) + 1)
}

/** Of the clients' one clock, in milliseconds. */
export function now(): number {
  return performance.now()
}

/** Enters a step before it is sent, so that what ends the client loses none; gives how to enter its end. */
export function enter(record: RecordHistory, by: string, effect: Effect): (outcome: Outcome) => void {
  const step = { by, from: now(), until: Infinity, effect, outcome: { is: 'unknown' } as Outcome }
  record.steps.push(step)
  return (outcome) => {
    step.outcome = outcome
    if (outcome.is !== 'unknown') step.until = now()
  }
}

export function beginCreation({ history }: Ledger, title: string): Creation {
  const creation: Creation = { title, ids: [] }
  history.creations.push(creation)
  return creation
}

export function beginDelivery({ history }: Ledger, guid: string): Delivered {
  const delivered: Delivered = { guid, outcomes: [] }
  history.deliveries.push(delivered)
  return delivered
}
