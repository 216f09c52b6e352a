import { setTimeout as sleep } from 'node:timers/promises'
import { isConflict } from './database-errors.ts'

const maxTries = 3
/** The delay before a retry, in milliseconds. It is random, so that two transactions that collided do not collide again. */
const delay = { min: 25, spread: 50 }

/**
 * Retries work that failed with a deadlock or a serialization failure, up to three times in all. PostgreSQL has rolled such
 * work back, so nothing is done twice. The work must change nothing but the database.
 */
export async function retryOnConflict<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!isConflict(error)) throw error
      if (tries === maxTries) throw new Error(`conflicted with other transactions ${maxTries} times`, { cause: error })
    }
    await sleep(delay.min + Math.random() * delay.spread)
  }
}
