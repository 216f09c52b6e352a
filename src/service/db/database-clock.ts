import type { Log } from '../lib/log.ts'
import type { Database } from './database.ts'

/** The time of the database, which all instances on it use (docs/rules.md#one-clock). */
export interface DatabaseClock {
  now(): Date
  /** By how much the clock of this machine is ahead of the database's, in ms. 0 if they agree within a second. */
  aheadMs(): number
  stop(): void
}

export interface DatabaseClockOptions {
  log: Log
  /** How often the time is read, in ms. */
  everyMs?: number
  /** The clock of this machine, in ms since 1970. */
  machineNow?: () => number
}

/** Clocks that differ by less are taken to agree, in ms. */
const toleranceMs = 1_000

/** The time of the database, in ms since 1970. */
export async function readDatabaseTime(db: Pick<Database, 'query'>): Promise<number> {
  const { rows } = await db.query<{ ms: number }>('select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms')
  return rows[0]?.ms ?? Number.NaN
}

/** Reads the time of the database, now and every minute. While it can not be read, the last known difference counts. */
export async function startDatabaseClock(
  readTime: () => Promise<number>,
  { log, everyMs = 60_000, machineNow = Date.now }: DatabaseClockOptions,
): Promise<DatabaseClock> {
  /** The most certain reading so far. */
  let known: Reading = agreement

  async function read(): Promise<void> {
    const reading = await readDifference(readTime, machineNow)
    const isDifferent = contradicts(reading, known)
    if (!isDifferent && (known.aheadMs === 0 || reading.uncertainty >= known.uncertainty)) return
    known = contradicts(reading, agreement) ? reading : agreement
    if (!isDifferent) return
    const fields = { ahead_seconds: Math.round(known.aheadMs / 1_000) }
    if (known.aheadMs === 0) log.info(fields, 'the clock of this machine agrees with that of the database again')
    else log.warn(fields, 'the clock of this machine differs from that of the database, whose time is used')
  }

  // An outage has log lines of its own.
  const tryToRead = () => read().catch(() => {})
  await tryToRead()
  const timer = setInterval(tryToRead, everyMs)
  timer.unref()
  return {
    now: () => new Date(machineNow() - known.aheadMs),
    aheadMs: () => known.aheadMs,
    stop: () => clearInterval(timer),
  }
}

interface Reading {
  aheadMs: number
  /** How wrong it may be, in ms. */
  uncertainty: number
}

async function readDifference(readTime: () => Promise<number>, machineNow: () => number): Promise<Reading> {
  const sentAt = machineNow()
  const databaseTime = await readTime()
  const answeredAt = machineNow()
  // The database read its clock at some time in between.
  const aheadMs = Math.round((sentAt + answeredAt) / 2 - databaseTime)
  return { aheadMs, uncertainty: Math.abs(answeredAt - sentAt) / 2 }
}

const agreement: Reading = { aheadMs: 0, uncertainty: 0 }

function contradicts(one: Reading, other: Reading): boolean {
  return Math.abs(one.aheadMs - other.aheadMs) > toleranceMs + one.uncertainty + other.uncertainty
}
