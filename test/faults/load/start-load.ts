import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { PrivateRepository } from '../../support/github/start.ts'
import { check, type History } from '../history/check.ts'
import { createRunWriter, type Run } from '../history/run-file.ts'
import type { Snapshot } from '../history/snapshot.ts'
import { endedFrom } from '../history/step.ts'
import { readAll, runClients } from './clients.ts'
import { newLedger } from './ledger.ts'
import { mayBeGone } from './records.ts'
import type { Load } from './send.ts'

/** Running clients in one repository. */
export interface RunningLoad {
  load: Load
  /** Resolves after `more` further acknowledged attempts. Rejects if a client fails. */
  acknowledged(more: number): Promise<void>
  /** Waits for the clients, and reads every record once more. */
  finish(): Promise<void>
  /** Returns a line for each violation. */
  violations(snapshot: Snapshot): string[]
}

export interface LoadOptions {
  repository: PrivateRepository
  urls(): readonly string[]
  random(): number
  clients: number
  /** The pause of a client between two actions, in ms; none by default. */
  paceMs?: number
  /** How long the service keeps ended records, if that is shorter than the run, in ms. */
  retentionMs?: number
  /** Whether the load makes up deliveries of GitHub, by default true. */
  deliveries?: boolean
}

/** Starts clients. If the test fails, the history stays in a file. */
export function startLoad({
  clients,
  paceMs = 0,
  deliveries = true,
  retentionMs = Infinity,
  ...where
}: LoadOptions): RunningLoad {
  const ending = new AbortController()
  const load: Load = { ...where, retentionMs, ledger: newLedger(), signal: ending.signal }
  const { ledger } = load
  let broken: unknown
  const over = runClients(load, { count: clients, paceMs, deliveries }).catch((error: unknown) => {
    broken = error
    ending.abort()
  })
  onTestFinished(() => ending.abort())
  let known: Omit<Run, 'history'> = {}
  const writeRun = createRunWriter(load.repository.name, () => ({ ...known, history: withEndTimes(ledger.history) }))
  return {
    load,
    async acknowledged(more) {
      const goal = ledger.attempts.acknowledged + more
      while (ledger.attempts.acknowledged < goal && !ending.signal.aborted) await sleep(10)
      if (broken) throw broken
    },
    async finish() {
      ending.abort()
      await over
      if (broken) throw broken
      await readAll({ ...load, signal: new AbortController().signal })
    },
    violations(snapshot) {
      const { records, gone } = ledger.history
      gone.push(...records.filter((record) => mayBeGone(load, record)).map(({ id }) => id))
      // Before the check, which is slow and may be interrupted.
      known = { snapshot }
      writeRun()
      const violations = [...ledger.violations, ...check(withEndTimes(ledger.history), snapshot)]
      known = { snapshot, violations }
      writeRun()
      return violations
    },
  }
}

/** Adds to each create the first attempt to end its record. */
function withEndTimes(history: History): History {
  const records = new Map(history.records.map((record) => [record.id, record]))
  const creates = history.creates.map((create) => ({
    ...create,
    endedFrom: endedFrom(records.get(create.id) ?? { steps: [] }),
  }))
  return { ...history, creates }
}
