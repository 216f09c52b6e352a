import { setTimeout as sleep } from 'node:timers/promises'
import type { Parts } from './context.ts'
import type { Prisma } from './db/generated/client.ts'
import { safely } from './log.ts'
import { jobRuns } from './metrics.ts'

export interface Job {
  name: string
  everyMs: number
  /** Gets what was saved last, in this run or one before. */
  run(state: unknown, save: (state: Prisma.InputJsonObject) => Promise<void>): Promise<unknown>
}

const lookMs = 1_000
/** A job whose instance died is done again after this. One that lives says so three times as often. */
const leaseMs = 60_000
/** A job that still runs then is done again elsewhere. */
const stopMs = 5_000

/** Starts jobs that one instance does at a time, however long it takes. Returns what stops them. */
export async function startJobs({ prisma, now, log }: Parts, jobs: readonly Job[]): Promise<() => Promise<void>> {
  const running = new Map<string, Promise<void>>()
  let isStopped = false
  const after = (ms: number) => new Date(now().getTime() + ms)

  /** Due, and done by no instance that lives. */
  const isFree = () => ({ next_at: { lte: now() }, OR: [{ taken_until: null }, { taken_until: { lte: now() } }] })

  async function takeDue(): Promise<void> {
    const due = await prisma.job.findMany({ where: isFree(), select: { name: true } })
    for (const job of jobs) {
      if (isStopped || running.has(job.name) || !due.some(({ name }) => name === job.name)) continue
      const run = takeOne(job)
        .catch((error: unknown) => log.warn({ job: job.name, ...safely(error) }, 'a job could not be taken'))
        .finally(() => running.delete(job.name))
      running.set(job.name, run)
    }
  }

  async function takeOne({ name, everyMs, run }: Job): Promise<void> {
    const data = { taken_until: after(leaseMs) }
    const [row] = await prisma.job.updateManyAndReturn({ where: { name, ...isFree() }, data })
    if (!row) return
    const save = async (state: Prisma.InputJsonObject) =>
      void (await prisma.job.update({ where: { name }, data: { state } }))
    const hold = setInterval(() => {
      prisma.job.update({ where: { name }, data: { taken_until: after(leaseMs) } }).catch(() => {})
    }, leaseMs / 3)
    try {
      await run(row.state, save)
      jobRuns.inc({ job: name, outcome: 'done' })
    } catch (error) {
      jobRuns.inc({ job: name, outcome: 'failed' })
      log.warn({ job: name, ...safely(error) }, 'job failed')
    } finally {
      clearInterval(hold)
    }
    // Who wanted it meanwhile has moved its time: then it is done once more.
    await prisma.$executeRaw`
      update jobs set taken_until = null,
             next_at = case when next_at = ${row.next_at} then ${after(everyMs)} else next_at end
       where name = ${name}`
  }

  await prisma.job.createMany({ data: jobs.map(({ name }) => ({ name, next_at: now() })), skipDuplicates: true })
  const timer = setInterval(() => {
    takeDue().catch((error: unknown) => log.warn(safely(error), 'jobs could not be read'))
  }, lookMs)

  return async () => {
    isStopped = true
    clearInterval(timer)
    await Promise.race([Promise.all(running.values()), sleep(stopMs, undefined, { ref: false })])
  }
}
