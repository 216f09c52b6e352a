import type { Pool } from 'pg'
import { type Log, safely } from '../log.ts'

const readEveryMs = 60_000

/** The clock of the database, which all instances share: read now and every minute, and told without asking in between. */
export async function startClock(pool: Pool, log: Log) {
  let offsetMs = 0

  async function read(): Promise<void> {
    const begun = Date.now()
    const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now')
    // The middle of the question is the best guess of when it was answered.
    if (rows[0]) offsetMs = rows[0].now.getTime() - (begun + Date.now()) / 2
  }

  await read()
  const timer = setInterval(() => {
    read().catch((error: unknown) => log.warn(safely(error), 'the clock of the database could not be read'))
  }, readEveryMs)
  return {
    now: () => new Date(Date.now() + offsetMs),
    stop: () => clearInterval(timer),
  }
}
