import { setTimeout as sleep } from 'node:timers/promises'
import type { Prisma, PrismaClient } from './db/generated/client.ts'
import { type Log, safely } from './log.ts'
import { jobRuns } from './metrics.ts'

export interface Job {
  name: string
  everyMs: number
  /** Gets the object that its last run returned, if one did. */
  run(state: unknown): Promise<unknown>
}

const lookMs = 1_000
/** A job whose instance died is done again after this. */
const longestMs = 600_000
/** A job that still runs then is done again elsewhere. */
const stopMs = 5_000

/** Starts jobs that one instance does at a time: whoever moves the next time of a job does it. Returns what stops them. */
export async function startJobs(
  { prisma, now, log }: { prisma: PrismaClient; now(): Date; log: Log },
  jobs: readonly Job[],
): Promise<() => Promise<void>> {
  const running = new Map<string, Promise<void>>()
  let isStopped = false
  const after = (ms: number) => new Date(now().getTime() + ms)

  async function takeDue(): Promise<void> {
    const at = now()
    const due = await prisma.job.findMany({ where: { next_at: { lte: at } }, select: { name: true } })
    for (const job of jobs) {
      if (isStopped || running.has(job.name) || !due.some(({ name }) => name === job.name)) continue
      const run = takeOne(job).finally(() => running.delete(job.name))
      running.set(job.name, run)
    }
  }

  async function takeOne({ name, everyMs, run }: Job): Promise<void> {
    try {
      const where = { name, next_at: { lte: now() } }
      const taken = await prisma.job.updateManyAndReturn({ where, data: { next_at: after(longestMs) } })
      const [row] = taken
      if (!row) return
      const state = await run(row.state)
      jobRuns.inc({ job: name, outcome: 'done' })
      await prisma.job.update({
        where: { name },
        data: { next_at: after(everyMs), ...(state instanceof Object && { state: state as Prisma.InputJsonObject }) },
      })
    } catch (error) {
      jobRuns.inc({ job: name, outcome: 'failed' })
      log.warn({ job: name, ...safely(error) }, 'job failed')
      await prisma.job.updateMany({ where: { name }, data: { next_at: after(everyMs) } }).catch(() => {})
    }
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
