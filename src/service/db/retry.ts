import { setTimeout as sleep } from 'node:timers/promises'
import { isConflict } from './errors.ts'
import type { Prisma, PrismaClient } from './generated/client.ts'

export type Transaction = Prisma.TransactionClient

const mostTries = 3

/**
 * Runs a transaction, and again where it fails by a deadlock or a serialization failure: PostgreSQL has undone all of it. `work` must
 * change nothing but the database.
 */
export async function inTransaction<Result>(
  prisma: PrismaClient,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return retried(() => prisma.$transaction(work))
}

/** The same for a batch of statements, or a single one. */
export async function retried<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!isConflict(error) || tries === mostTries) throw error
    }
    // At random, so that two that collided do not collide again.
    await sleep(25 + Math.random() * 50)
  }
}
