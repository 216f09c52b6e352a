import type { Prisma } from '../db/generated/client.ts'

/** How long the answer of a key is remembered: 24 hours (docs/rules.md#idempotency-keys). */
export const rememberedForMs = 86_400_000

export interface Claim {
  body_hash: string
  record_id: string
  /** The JSON text of the first answer; null until it is known. */
  answer: string | null
}

export interface KeyOf {
  repositoryId: bigint
  keyHash: string
}

export async function findClaim(
  db: Prisma.TransactionClient,
  { repositoryId, keyHash }: KeyOf,
  now: Date,
): Promise<Claim | undefined> {
  const [claim] = await db.$queryRaw<Claim[]>`
    select body_hash, record_id, answer::text as answer from idempotency_keys
     where repository_id = ${repositoryId} and key_hash = ${keyHash}
       and created_at > ${new Date(now.getTime() - rememberedForMs)}`
  return claim
}

/**
 * Claims the key for the record, or says false where another request has it. Waits for a claim under way: the unique
 * key lets the second insert go on only when the first's transaction has ended.
 */
export async function claimKey(
  tx: Prisma.TransactionClient,
  { repositoryId, keyHash }: KeyOf,
  claim: { bodyHash: string; recordId: string; now: Date },
): Promise<boolean> {
  const forgottenBefore = new Date(claim.now.getTime() - rememberedForMs)
  const claimed = await tx.$executeRaw`
    insert into idempotency_keys (repository_id, key_hash, body_hash, record_id, created_at)
    values (${repositoryId}, ${keyHash}, ${claim.bodyHash}, ${claim.recordId}, ${claim.now})
    on conflict (repository_id, key_hash) do update
       set body_hash = excluded.body_hash, record_id = excluded.record_id, created_at = excluded.created_at, answer = null
     where idempotency_keys.created_at <= ${forgottenBefore}`
  return claimed === 1
}

/** Keeps the first answer, and returns it as it was kept: of two that finish at once, both answer the same. */
export async function keepAnswer(
  db: Prisma.TransactionClient,
  { repositoryId, keyHash }: KeyOf,
  answer: string,
): Promise<string> {
  const [kept] = await db.$queryRaw<{ answer: string }[]>`
    update idempotency_keys set answer = coalesce(answer, ${answer}::json)
     where repository_id = ${repositoryId} and key_hash = ${keyHash}
     returning answer::text as answer`
  return kept?.answer ?? answer
}

/** Frees a key whose record is gone. */
export async function freeKey(db: Prisma.TransactionClient, { repositoryId, keyHash }: KeyOf): Promise<void> {
  await db.idempotencyKey.deleteMany({ where: { repository_id: repositoryId, key_hash: keyHash } })
}
