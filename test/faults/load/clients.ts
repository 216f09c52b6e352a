import { setTimeout as sleep } from 'node:timers/promises'
import { insist, type Load, pick } from './ask.ts'
import { deliver } from './deliver.ts'
import { isSpent, pathOf, type Subject, viewOf } from './records.ts'
import { archive, beat, create, move, raise, read, rewrite } from './work.ts'

/** How many records of a kind are worked on at a time, so that many hands are on each. */
const poolSize = 24

type Verb = (load: Load, by: string, subject: Subject) => Promise<void>

/** How often, of a hundred, which thing is done to an activity, and to a notable. */
const toActivities: [number, Verb][] = [
  [40, beat],
  [20, rewrite],
  [12, read],
  [10, move],
  [6, archive],
  [4, (load, by, subject) => deliver(load, by, subject, 'lose-branch')],
  [4, (load, by, subject) => deliver(load, by, subject, 'push')],
  [4, (load, by, subject) => deliver(load, by, subject, 'merge')],
]
const toNotables: [number, Verb][] = [
  [40, rewrite],
  [40, read],
  [20, archive],
]

/** Works until its signal says to end: on its own records and on those of all others. */
export async function runClients(load: Load, { count, paceMs }: { count: number; paceMs: number }): Promise<void> {
  const pools: Pools = { activities: [], notables: [] }
  const work = async (_: unknown, at: number) => {
    for (let turn = 0; !load.signal.aborted; turn++) {
      await takeTurn(load, pools, { by: `client-${at}`, turn })
      if (paceMs > 0) await sleep(paceMs)
    }
  }
  await Promise.all(Array.from({ length: count }, work))
}

interface Pools {
  activities: Subject[]
  notables: Subject[]
}

async function takeTurn(load: Load, pools: Pools, { by, turn }: { by: string; turn: number }): Promise<void> {
  const title = `${load.repository.name}-${by}-${turn}`
  const isActivity = load.random() < 0.85
  const pool = isActivity ? pools.activities : pools.notables
  if (pool.length < poolSize && load.random() < 0.5) {
    const made = isActivity ? await create(load, title) : await raise(load, title, replacedOf(load, pools.notables))
    if (made) pool.push(made)
    return
  }
  if (pool.length === 0) return
  const subject = pick(load, pool)
  if (isSpent(subject)) return retire(load, by, pool, subject)
  await verbOf(load, isActivity ? toActivities : toNotables)(load, by, subject)
}

function verbOf(load: Load, verbs: readonly [number, Verb][]): Verb {
  return pick(
    load,
    verbs.flatMap(([weight, verb]) => Array.from({ length: weight }, () => verb)),
  )
}

function replacedOf(load: Load, pool: readonly Subject[]): Subject[] {
  return pool.length === 0 || load.random() < 0.5 ? [] : [pick(load, pool)]
}

/** Whoever takes it out of the pool ends it, so that no more than some dozens are ever live. */
async function retire(load: Load, by: string, pool: Subject[], subject: Subject): Promise<void> {
  const at = pool.indexOf(subject)
  if (at < 0) return
  pool.splice(at, 1)
  await archive(load, by, subject)
}

/** Reads every record once more, when all is over: each read is a step like any other. */
export async function readAll(load: Load): Promise<void> {
  for (const { id, kind, steps } of load.ledger.history.records) {
    const from = performance.now()
    const path = pathOf(load, `/${kind === 'activity' ? 'activity' : 'notables'}/${id}`)
    const answer = await insist(load, 'read at the end', path, { token: load.repository.writer })
    if (answer?.status !== 200) {
      load.ledger.faults.push(`${id}: ${answer?.status ?? 'no answer'} when all is over`)
      continue
    }
    const outcome = { is: 'ok', seen: viewOf(answer.body) } as const
    steps.push({ by: 'the last reader', from, until: performance.now(), effect: { does: 'read' }, outcome })
  }
}
