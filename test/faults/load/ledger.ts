import type { History } from '../history/check.ts'
import type { CreateAttempts, DeliveryAttempts } from '../history/integrity.ts'
import type { Effect, Outcome, RecordHistory } from '../history/step.ts'

/** The outcome of an attempt. */
export type End = 'acknowledged' | 'refused' | 'unknown'

/** What the clients record: the history, and responses that are wrong in any order of events. */
export interface Ledger {
  history: History
  /** A 500, a 503 without Retry-After, an unexpected status. */
  violations: string[]
  /** Attempts by outcome. Repeated requests with one key count separately. */
  attempts: Record<End, number>
  /** By kind of request. */
  acknowledged: Map<string, number>
}

export function newLedger(): Ledger {
  return {
    history: { records: [], creations: [], deliveries: [], creates: [], gone: [] },
    violations: [],
    attempts: { acknowledged: 0, refused: 0, unknown: 0 },
    acknowledged: new Map(),
  }
}

export function acknowledge({ acknowledged }: Ledger, what: string): void {
  acknowledged.set(what, (acknowledged.get(what) ?? 0) + 1)
}

/** The clients' clock, in ms. */
export function now(): number {
  return performance.now()
}

/** Records a step before it is sent, so that none is lost. Returns a function that records its outcome. */
export function beginStep(record: RecordHistory, by: string, effect: Effect): (outcome: Outcome) => void {
  const step = { by, from: now(), until: Infinity, effect, outcome: { is: 'unknown' } as Outcome }
  record.steps.push(step)
  return (outcome) => {
    step.outcome = outcome
    if (outcome.is !== 'unknown') step.until = now()
  }
}

export function beginCreation({ history }: Ledger, title: string): CreateAttempts {
  const creation: CreateAttempts = { title, ids: [] }
  history.creations.push(creation)
  return creation
}

export function beginDelivery({ history }: Ledger, guid: string): DeliveryAttempts {
  const delivered: DeliveryAttempts = { guid, outcomes: [] }
  history.deliveries.push(delivered)
  return delivered
}
