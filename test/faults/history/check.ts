import { type CreateAttempts, type DeliveryAttempts, integrityViolations } from './integrity.ts'
import { type CreateResult, missedOverlaps } from './missed-overlaps.ts'
import { findOrder } from './order.ts'
import type { Snapshot } from './snapshot.ts'
import type { RecordHistory, Step } from './step.ts'

/** All that the clients have recorded at the end of a run. */
export interface History {
  records: RecordHistory[]
  creations: CreateAttempts[]
  deliveries: DeliveryAttempts[]
  creates: CreateResult[]
  /** The ids of records whose retention is over: the tables may have them, or not. */
  gone: string[]
}

/** Checks a history and the tables. Returns a line for each violation. */
export function check(history: History, snapshot: Snapshot): string[] {
  const gone = new Set(history.gone)
  return [
    ...history.records.flatMap(orderViolations),
    ...missedOverlaps(history.creates),
    ...integrityViolations(snapshot, history.creations, history.deliveries, gone),
  ]
}

function orderViolations(record: RecordHistory): string[] {
  const found = findOrder(record)
  if (found.is === 'explained') return []
  const stuck = found.stuck.map(describeStep).join(' | ')
  const verdict = found.gaveUp ? 'the search for an order gave up' : 'no order explains its history'
  return [`${record.id}: ${verdict} (${found.tries} tried); after ${JSON.stringify(found.state)} none of: ${stuck}`]
}

function describeStep({ by, from, until, effect, outcome }: Step): string {
  return `${by} ${from.toFixed(1)}–${until.toFixed(1)} ${JSON.stringify(effect)} → ${JSON.stringify(outcome)}`
}
