import type { RunningLoad } from './start-load.ts'

/** The numbers of a run, to be printed. */
export interface Figures {
  attempts: number
  acknowledged: number
  refused: number
  unknown: number
  records: number
  deliveries: number
  /** Attempts on records. */
  steps: number
  byVerb: Record<string, number>
}

export function figuresOf(loads: readonly RunningLoad[]): Figures {
  const ledgers = loads.map(({ load }) => load.ledger)
  const sum = (of: (ledger: (typeof ledgers)[number]) => number) => ledgers.reduce((all, ledger) => all + of(ledger), 0)
  const byVerb: Record<string, number> = {}
  for (const { acknowledged } of ledgers)
    for (const [verb, times] of acknowledged) byVerb[verb] = (byVerb[verb] ?? 0) + times
  const acknowledged = sum(({ attempts }) => attempts.acknowledged)
  const refused = sum(({ attempts }) => attempts.refused)
  const unknown = sum(({ attempts }) => attempts.unknown)
  return {
    attempts: acknowledged + refused + unknown,
    acknowledged,
    refused,
    unknown,
    records: sum(({ history }) => history.records.length),
    deliveries: sum(({ history }) => history.deliveries.length),
    steps: sum(({ history }) => history.records.reduce((all, { steps }) => all + steps.length, 0)),
    byVerb,
  }
}
