import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import type { RedeliveryRequests } from '../recovery/redelivery-rules.ts'

const name = 'deliveries_seen_until'

/** Up to when the App has processed its failed deliveries. Null before the first time. */
export async function readListedUntil({ prisma }: Database): Promise<Date | null> {
  const fact = await prisma.serviceFact.findUnique({ where: { name } })
  const until = z.iso.datetime().safeParse(fact?.value)
  return until.success ? new Date(until.data) : null
}

export async function saveListedUntil({ prisma }: Database, until: Date, now: Date): Promise<void> {
  const fact = { value: until.toISOString(), updated_at: now }
  await prisma.serviceFact.upsert({ where: { name }, create: { name, ...fact }, update: fact })
}

/** Returns those of the GUIDs whose delivery was handled. */
export async function findHandledGuids({ prisma }: Database, guids: string[]): Promise<Set<string>> {
  const found = await prisma.webhookDelivery.findMany({ where: { guid: { in: guids } }, select: { guid: true } })
  return new Set(found.map(({ guid }) => guid))
}

/** When the service handled a delivery last; null without one in the last days. */
export async function findLastDelivery({ prisma }: Database): Promise<Date | null> {
  const last = await prisma.webhookDelivery.findFirst({
    orderBy: { handled_at: 'desc' },
    select: { handled_at: true },
  })
  return last?.handled_at ?? null
}

/** Returns how often GitHub was asked to redeliver each of the GUIDs. */
export async function findRedeliveryRequests(
  { prisma }: Database,
  guids: string[],
): Promise<Map<string, RedeliveryRequests>> {
  const found = await prisma.redelivery.findMany({ where: { guid: { in: guids } } })
  return new Map(found.map(({ guid, attempts, requested_at }) => [guid, { attempts, requestedAt: requested_at }]))
}

/** Records a request to redeliver. It is recorded before it is sent, so that a crash leads to fewer requests, not to more. */
export async function recordRedeliveryRequest({ prisma }: Database, guid: string, now: Date): Promise<void> {
  await prisma.redelivery.upsert({
    where: { guid },
    create: { guid, attempts: 1, requested_at: now },
    update: { attempts: { increment: 1 }, requested_at: now },
  })
}

/** Restores what was recorded before a request that GitHub did not accept. */
export async function undoRedeliveryRequest(
  { prisma }: Database,
  guid: string,
  before: RedeliveryRequests | undefined,
): Promise<void> {
  if (before === undefined) {
    await prisma.redelivery.deleteMany({ where: { guid } })
    return
  }
  const { attempts, requestedAt } = before
  await prisma.redelivery.updateMany({ where: { guid }, data: { attempts, requested_at: requestedAt } })
}
