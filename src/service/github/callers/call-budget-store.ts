import { LRUCache } from 'lru-cache'
import type { Account } from '../../../core/schemas/account.ts'
import type { Database } from '../../db/database.ts'
import { isWithin } from '../../lib/clock.ts'

/** How many calls readings may make for one account in an hour, which begins with the first call. */
const callsPerHour = 100
const hourMs = 3_600_000

export interface CallBudget {
  /**
   * Counts a call of a reading. False if none is left in the hour. All instances share the count of an account. Where the
   * account is not known, the calls of the token count, in memory: nothing that is derived from a token is stored.
   */
  takeCall(account: Account | null, tokenKey: string): Promise<boolean>
}

export function createCallBudget({ db, tokens, now }: { db: Database; tokens: number; now(): Date }): CallBudget {
  const hours = new LRUCache<string, { since: number; calls: number }>({ max: tokens })

  function takeCallOfToken(tokenKey: string): boolean {
    const at = now().getTime()
    const hour = hours.get(tokenKey)
    const current = hour && isWithin(hour.since, hourMs, at) ? hour : { since: at, calls: 0 }
    if (current.calls >= callsPerHour) return false
    hours.set(tokenKey, { ...current, calls: current.calls + 1 })
    return true
  }

  async function takeCallOfAccount(account_id: bigint, at: Date): Promise<boolean> {
    const { callBudget } = db.prisma
    const began_at = { gt: new Date(at.getTime() - hourMs), lte: at }
    const where = { account_id, began_at, calls: { lt: callsPerHour } }
    const takeOne = () => callBudget.updateMany({ where, data: { calls: { increment: 1 } } })
    if ((await takeOne()).count === 1) return true
    await callBudget.deleteMany({ where: { account_id, NOT: { began_at } } })
    const begun = await callBudget.createMany({ data: [{ account_id, calls: 1, began_at: at }], skipDuplicates: true })
    return begun.count === 1 || (await takeOne()).count === 1
  }

  return {
    async takeCall(account, tokenKey) {
      return account ? await takeCallOfAccount(account.id, now()) : takeCallOfToken(tokenKey)
    },
  }
}

/** Deletes the counts of hours that are over. */
export async function forgetCalls({ prisma }: Database, now: Date): Promise<void> {
  await prisma.callBudget.deleteMany({ where: { began_at: { lte: new Date(now.getTime() - hourMs) } } })
}
