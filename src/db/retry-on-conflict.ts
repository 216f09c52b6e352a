import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { PrismaClient } from './generated/client.ts'
import { driverError } from './unavailable.ts'
import { isCallback } from './wrap-queries.ts'

const tries = 3
/** Between two of them, in milliseconds: time for those who now may get on to do so, and not the same for two who met. */
const pause = { least: 25, more: 50 }

type Method = (...given: unknown[]) => unknown

/**
 * Runs what PostgreSQL has ended so that others get on, as in a deadlock, up to three times: it was rolled back entirely,
 * so nothing is done twice. Then it throws an error that says so. A statement of the pool is a transaction of its own;
 * of Prisma's transactions those that are a function, which must touch nothing but the database.
 */
export function retryOnConflict(pool: pg.Pool, prisma: PrismaClient): void {
  replace(pool, 'query', (given) => !isCallback(given.at(-1)))
  replace(prisma, '$transaction', (given) => isCallback(given[0]))
}

function replace(owner: object, name: string, isRepeatable: (given: unknown[]) => boolean): void {
  const method: Method = Reflect.get(owner, name)
  const replacement: Method = (...given) => {
    const run = () => Reflect.apply(method, owner, given)
    return isRepeatable(given) ? untilDone(run) : run()
  }
  Object.assign(owner, { [name]: replacement })
}

async function untilDone(run: () => unknown): Promise<unknown> {
  for (let left = tries - 1; ; left--) {
    try {
      return await run()
    } catch (error) {
      if (!isEnded(error)) throw error
      if (left === 0) throw new Error(`ended ${tries} times so that others get on`, { cause: error })
    }
    await sleep(pause.least + Math.random() * pause.more)
  }
}

/** By `pg`, and by Prisma for what it asked itself and for SQL that it was given. */
function isEnded(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code: unknown = Reflect.get(error, 'code')
  return code === '40P01' || code === '40001' || isConflict(error)
}

function isConflict(error: Error): boolean {
  const said = driverError(error) ?? error
  return (
    said instanceof Error &&
    said.cause instanceof Object &&
    Reflect.get(said.cause, 'kind') === 'TransactionWriteConflict'
  )
}
