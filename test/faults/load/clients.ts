import { setTimeout as sleep } from 'node:timers/promises'
import { endedFrom } from '../history/step.ts'
import { archive, changeStatus, changeSummary, createActivity, createNotable, heartbeat, read } from './actions.ts'
import { deliver } from './deliver.ts'
import { hasEnoughSteps, mayBeGone, pathOf, type Subject, viewOf } from './records.ts'
import { type Load, pickRandom, sendUntilKnown } from './send.ts'

/** The number of records of a kind in use. It is small, so that many clients use each. */
const poolSize = 24

type Action = (load: Load, by: string, subject: Subject) => Promise<void>

/** The actions on activities and notables, with their weights. */
const activityActions: [number, Action][] = [
  [40, heartbeat],
  [20, changeSummary],
  [12, read],
  [10, changeStatus],
  [6, archive],
]
const deliveredActions: [number, Action][] = [
  [4, (load, by, subject) => deliver(load, by, subject, 'lose-branch')],
  [4, (load, by, subject) => deliver(load, by, subject, 'push')],
  [4, (load, by, subject) => deliver(load, by, subject, 'merge')],
]
const notableActions: [number, Action][] = [
  [40, changeSummary],
  [40, read],
  [20, archive],
]

/** Runs clients until the signal. All clients share all records. */
export async function runClients(load: Load, { count, paceMs, deliveries }: ClientOptions): Promise<void> {
  const pools: Pools = {
    activities: [],
    notables: [],
    actions: [...activityActions, ...(deliveries ? deliveredActions : [])],
  }
  const work = async (_: unknown, at: number) => {
    for (let turn = 0; !load.signal.aborted; turn++) {
      await takeTurn(load, pools, { by: `client-${at}`, turn })
      if (paceMs > 0) await sleep(paceMs)
    }
  }
  await Promise.all(Array.from({ length: count }, work))
}

interface ClientOptions {
  count: number
  paceMs: number
  /** Whether they make up deliveries of GitHub. */
  deliveries: boolean
}

interface Pools {
  activities: Subject[]
  notables: Subject[]
  /** On activities. */
  actions: readonly [number, Action][]
}

async function takeTurn(load: Load, pools: Pools, { by, turn }: { by: string; turn: number }): Promise<void> {
  const title = `${load.repository.name}-${by}-${turn}`
  const isActivity = load.random() < 0.85
  const pool = isActivity ? pools.activities : pools.notables
  if (pool.length < poolSize && load.random() < 0.5) {
    const made = isActivity
      ? await createActivity(load, title)
      : await createNotable(load, title, randomReplaced(load, pools.notables))
    if (made) pool.push(made)
    return
  }
  if (pool.length === 0) return
  const subject = pickRandom(load, pool)
  if (hasEnoughSteps(subject)) return retire(load, by, pool, subject)
  await randomAction(load, isActivity ? pools.actions : notableActions)(load, by, subject)
}

function randomAction(load: Load, actions: readonly [number, Action][]): Action {
  return pickRandom(
    load,
    actions.flatMap(([weight, action]) => Array.from({ length: weight }, () => action)),
  )
}

function randomReplaced(load: Load, pool: readonly Subject[]): Subject[] {
  const live = pool.filter(({ record }) => endedFrom(record) === Infinity)
  return live.length === 0 || load.random() < 0.5 ? [] : [pickRandom(load, live)]
}

/** Removes a record from the pool and archives it, so that only some dozens are live. */
async function retire(load: Load, by: string, pool: Subject[], subject: Subject): Promise<void> {
  const at = pool.indexOf(subject)
  if (at < 0) return
  pool.splice(at, 1)
  await archive(load, by, subject)
}

/** Reads every record at the end. Each read is a step like any other. */
export async function readAll(load: Load): Promise<void> {
  for (const record of load.ledger.history.records) {
    const { id, kind, steps } = record
    const from = performance.now()
    const path = pathOf(load, `/${kind === 'activity' ? 'activity' : 'notables'}/${id}`)
    const answer = await sendUntilKnown(load, 'read at the end', path, { token: load.repository.writer })
    if (answer?.status === 404 && mayBeGone(load, record)) {
      record.isGone = true
      continue
    }
    if (answer?.status !== 200) {
      load.ledger.violations.push(`${id}: ${answer?.status ?? 'no answer'} at the end`)
      continue
    }
    const outcome = { is: 'ok', seen: viewOf(answer.body) } as const
    steps.push({ by: 'the last reader', from, until: performance.now(), effect: { does: 'read' }, outcome })
  }
}
