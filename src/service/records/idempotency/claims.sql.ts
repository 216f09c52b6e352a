import type { Prisma } from '../../db/generated/client.ts'

/** How long a key is remembered, in ms: 24 hours (docs/rules.md#idempotency-keys). */
export const keyLifetimeMs = 86_400_000

export interface Claim {
  body_hash: string
  record_id: string
  /** The JSON text of the first answer; null until it is saved. */
  answer: string | null
}

export interface ClaimKey {
  repositoryId: bigint
  keyHash: string
}

export async function findClaim(
  db: Prisma.TransactionClient,
  { repositoryId, keyHash }: ClaimKey,
  now: Date,
): Promise<Claim | undefined> {
  const [claim] = await db.$queryRaw<Claim[]>`
    select body_hash, record_id, answer::text as answer from idempotency_keys
     where repository_id = ${repositoryId} and key_hash = ${keyHash}
       and created_at > ${new Date(now.getTime() - keyLifetimeMs)}`
  return claim
}

/**
 * Claims the key for the record; false if another request has claimed it. Waits while another transaction inserts the
 * same key.
 */
export async function claimKey(
  tx: Prisma.TransactionClient,
  { repositoryId, keyHash }: ClaimKey,
  claim: { bodyHash: string; recordId: string; now: Date },
): Promise<boolean> {
  const expiredUntil = new Date(claim.now.getTime() - keyLifetimeMs)
  const claimed = await tx.$executeRaw`
    insert into idempotency_keys (repository_id, key_hash, body_hash, record_id, created_at)
    values (${repositoryId}, ${keyHash}, ${claim.bodyHash}, ${claim.recordId}, ${claim.now})
    on conflict (repository_id, key_hash) do update
       set body_hash = excluded.body_hash, record_id = excluded.record_id, created_at = excluded.created_at, answer = null
     where idempotency_keys.created_at <= ${expiredUntil}`
  return claimed === 1
}

/** Saves the answer if there is none yet, and returns the saved one. Two concurrent requests get the same answer. */
export async function saveAnswer(
  db: Prisma.TransactionClient,
  { repositoryId, keyHash }: ClaimKey,
  answer: string,
): Promise<string> {
  const [saved] = await db.$queryRaw<{ answer: string }[]>`
    update idempotency_keys set answer = coalesce(answer, ${answer}::json)
     where repository_id = ${repositoryId} and key_hash = ${keyHash}
     returning answer::text as answer`
  return saved?.answer ?? answer
}

/** Frees a key whose record was deleted. */
export async function freeKey(db: Prisma.TransactionClient, { repositoryId, keyHash }: ClaimKey): Promise<void> {
  await db.idempotencyKey.deleteMany({ where: { repository_id: repositoryId, key_hash: keyHash } })
}
