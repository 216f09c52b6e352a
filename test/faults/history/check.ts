import { explain } from './order.ts'
import { blindPairs, type Sight } from './sight.ts'
import type { Snapshot } from './snapshot.ts'
import type { RecordHistory, Step } from './step.ts'
import { type Creation, type Delivered, faultsOf } from './wholeness.ts'

/** All that the clients know when a run is over. */
export interface History {
  records: RecordHistory[]
  creations: Creation[]
  deliveries: Delivered[]
  sights: Sight[]
}

/** What a history and the tables say against the service: a line for each fault, none where all is as promised. */
export function check(history: History, kept: Snapshot): string[] {
  return [
    ...history.records.flatMap(disorder),
    ...blindPairs(history.sights),
    ...faultsOf(kept, history.creations, history.deliveries),
  ]
}

function disorder(record: RecordHistory): string[] {
  const found = explain(record)
  if (found.is === 'explained') return []
  const stuck = found.stuck.map(inWords).join(' | ')
  const verdict = found.gaveUp ? 'the search for an order gave up' : 'no order explains its history'
  return [`${record.id}: ${verdict} (${found.tries} tried); after ${JSON.stringify(found.state)} none of: ${stuck}`]
}

function inWords({ by, from, until, effect, outcome }: Step): string {
  return `${by} ${from.toFixed(1)}–${until.toFixed(1)} ${JSON.stringify(effect)} → ${JSON.stringify(outcome)}`
}
