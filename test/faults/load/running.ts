import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { PrivateRepository } from '../../support/github/start.ts'
import { check, type History } from '../history/check.ts'
import { keeperOf, type Run } from '../history/keep.ts'
import type { Snapshot } from '../history/snapshot.ts'
import type { RecordHistory } from '../history/step.ts'
import type { Load } from './ask.ts'
import { readAll, runClients } from './clients.ts'
import { newLedger } from './ledger.ts'

/** Clients at work in one repository. */
export interface Running {
  load: Load
  /** Resolves when so many more attempts were acknowledged. Rejects where the clients break down. */
  acknowledged(more: number): Promise<void>
  /** Lets the clients finish, and reads every record once more. */
  finish(): Promise<void>
  /** What is wrong, a line each. */
  faults(kept: Snapshot): string[]
}

export interface LoadOptions {
  repository: PrivateRepository
  urls(): readonly string[]
  random(): number
  clients: number
  /** How long each client rests after a turn, in milliseconds; absent, not at all. */
  paceMs?: number
}

/** The history of a test that fails is kept in a file. */
export function startLoad({ clients, paceMs = 0, ...where }: LoadOptions): Running {
  const ending = new AbortController()
  const load: Load = { ...where, ledger: newLedger(), signal: ending.signal }
  const { ledger } = load
  let broken: unknown
  const over = runClients(load, { count: clients, paceMs }).catch((error: unknown) => {
    broken = error
    ending.abort()
  })
  onTestFinished(() => ending.abort())
  let known: Omit<Run, 'history'> = {}
  const keep = keeperOf(load.repository.name, () => ({ ...known, history: sealed(ledger.history) }))
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
    faults(kept) {
      // Before anything is looked at: a search takes its time, and may be cut short.
      known = { kept }
      keep()
      const faults = [...ledger.faults, ...check(sealed(ledger.history), kept)]
      known = { kept, faults }
      keep()
      return faults
    },
  }
}

/** With each create's record it is known by now when somebody first tried to end it. */
function sealed(history: History): History {
  const records = new Map(history.records.map((record) => [record.id, record]))
  const sights = history.sights.map((sight) => ({ ...sight, endedFrom: endedFrom(records.get(sight.id)) }))
  return { ...history, sights }
}

function endedFrom(record: RecordHistory | undefined): number {
  const ending = ['archive', 'lose-branch', 'merge']
  const ends = record?.steps.filter(({ effect }) => ending.includes(effect.does) || 'status' in effect) ?? []
  return Math.min(...ends.map(({ from }) => from))
}
