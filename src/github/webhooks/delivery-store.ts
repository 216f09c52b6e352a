import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import type { Prisma } from '../../db/generated/client.ts'
import type { RedeliveryRequests } from '../recovery/redelivery-rules.ts'

/** How long a statement of a delivery may take, in ms, and wait for a lock: GitHub waits 10 s for the answer. */
const statementTimeout = '5000'

/**
 * Records that the delivery is handled, in the transaction that handles it; false where it was handled before. Of two
 * that come at once the second waits here until the first is done or undone. From here on the database ends a statement
 * that is stuck, since nobody else can: Prisma's own time limit waits until it is done.
 */
export async function recordDelivery(
  tx: Prisma.TransactionClient,
  { guid, event, now }: { guid: string; event: string; now: Date },
): Promise<boolean> {
  await tx.$executeRaw`select set_config('statement_timeout', ${statementTimeout}, true)`
  const recorded = await tx.$executeRaw`
    insert into webhook_deliveries (guid, event, handled_at) values (${guid}, ${event}, ${now})
    on conflict (guid) do nothing`
  return recorded === 1
}

const seenFact = 'deliveries_seen_until'

/** Up to when the App has gone through its failed deliveries; null at first. */
export async function readListedUntil({ pool }: Database): Promise<Date | null> {
  const { rows } = await pool.query(`select value from service_facts where name = $1`, [seenFact])
  const parsed = z.object({ value: z.iso.datetime() }).safeParse(rows[0])
  return parsed.success ? new Date(parsed.data.value) : null
}

export async function saveListedUntil({ pool }: Database, until: Date, now: Date): Promise<void> {
  await pool.query(
    `insert into service_facts (name, value, updated_at) values ($1, to_jsonb($2::text), $3)
     on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at`,
    [seenFact, until.toISOString(), now],
  )
}

/** Which of these GUIDs were handled. */
export async function findHandledGuids({ pool }: Database, guids: string[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ guid: string }>(`select guid from webhook_deliveries where guid = any($1)`, [
    guids,
  ])
  return new Set(rows.map(({ guid }) => guid))
}

/** How often GitHub was asked to deliver these again. */
export async function findRedeliveryRequests(
  { pool }: Database,
  guids: string[],
): Promise<Map<string, RedeliveryRequests>> {
  const { rows } = await pool.query<{ guid: string; attempts: number; requested_at: Date }>(
    `select guid, attempts, requested_at from redeliveries where guid = any($1)`,
    [guids],
  )
  return new Map(rows.map(({ guid, attempts, requested_at }) => [guid, { attempts, requestedAt: requested_at }]))
}

/** Writes that GitHub is asked: before it is, so that a crash asks too seldom and not too often. */
export async function recordRedeliveryRequest({ pool }: Database, guid: string, now: Date): Promise<void> {
  await pool.query(
    `insert into redeliveries (guid, attempts, requested_at) values ($1, 1, $2)
     on conflict (guid) do update set attempts = redeliveries.attempts + 1, requested_at = excluded.requested_at`,
    [guid, now],
  )
}

/** GitHub did not take the wish: it counts as not uttered. */
export async function undoRedeliveryRequest(
  { pool }: Database,
  guid: string,
  before: RedeliveryRequests | undefined,
): Promise<void> {
  await (before === undefined
    ? pool.query(`delete from redeliveries where guid = $1`, [guid])
    : pool.query(`update redeliveries set attempts = $2, requested_at = $3 where guid = $1`, [
        guid,
        before.attempts,
        before.requestedAt,
      ]))
}
