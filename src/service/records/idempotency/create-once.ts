import { createHash } from 'node:crypto'
import { AppError } from '../../../core/errors.ts'
import type { Scope } from '../../../core/scope/schema.ts'
import type { Context } from '../../context.ts'
import type { Prisma } from '../../db/generated/client.ts'
import { type ClaimKey, claimKey, findClaim, freeKey, saveAnswer } from './claims.sql.ts'

interface Input {
  scope?: Scope | undefined
}

/** How to create one kind of record and its answer. */
export interface Creation<Row, Answer> {
  /** The validated body. A retry must send an equal one. */
  input: Input
  /** Makes the row before anything is written. It may ask GitHub. */
  prepare(): Promise<Row & { id: string }>
  insert(tx: Prisma.TransactionClient, row: Row): Promise<void>
  /** The row that an earlier request stored; undefined if it was deleted. */
  find(id: string): Promise<Row | undefined>
  /** The body of the 201. Called after the insert has committed. */
  answer(row: Row): Promise<Answer>
}

export interface Created<Answer> {
  answer: Answer
  /** Whether an earlier request with this key created the record. */
  replayed: boolean
}

/**
 * Creates a record, at most once for an `Idempotency-Key` (docs/rules.md#idempotency-keys). One transaction inserts the
 * record and claims the key. The answer is saved afterwards. A retry that finds a claim without an answer computes the
 * answer again for the existing record. Throws `idempotency_key_reused`.
 */
export async function createOnce<Row extends { id: string }, Answer>(
  context: Context,
  keyHash: string | undefined,
  creation: Creation<Row, Answer>,
): Promise<Created<Answer>> {
  const { prisma } = context.db
  if (keyHash === undefined) {
    const row = await creation.prepare()
    await creation.insert(prisma, row)
    return { answer: await creation.answer(row), replayed: false }
  }
  const key = { repositoryId: context.repository.id, keyHash }
  const bodyHash = hashOf(creation.input)
  const earlier = await replay(context, key, bodyHash, creation)
  if (earlier) return earlier
  const row = await creation.prepare()
  const claimed = await context.db.transaction(async (tx) => {
    const isClaimed = await claimKey(tx, key, { bodyHash, recordId: row.id, now: context.now })
    if (isClaimed) await creation.insert(tx, row)
    return isClaimed
  })
  if (!claimed) return createOnce(context, keyHash, creation)
  return { answer: await answerAndSave(context, key, row, creation), replayed: false }
}

/**
 * Hashes a body. `null` counts as an absent field, and an absent scope as an empty one (docs/rules.md#null-values).
 */
function hashOf({ scope = { areas: [], paths: [] }, ...others }: Input): string {
  const text = JSON.stringify({ scope, ...others }, (_, value: unknown) => value ?? undefined)
  return createHash('sha256').update(text).digest('hex')
}

async function replay<Row extends { id: string }, Answer>(
  context: Context,
  key: ClaimKey,
  bodyHash: string,
  creation: Creation<Row, Answer>,
): Promise<Created<Answer> | undefined> {
  const { prisma } = context.db
  const claim = await findClaim(prisma, key, context.now)
  if (!claim) return undefined
  if (claim.body_hash !== bodyHash) {
    throw new AppError('idempotency_key_reused', 'This Idempotency-Key was used with another body.')
  }
  if (claim.answer !== null) return { answer: JSON.parse(claim.answer), replayed: true }
  const row = await creation.find(claim.record_id)
  if (row) return { answer: await answerAndSave(context, key, row, creation), replayed: true }
  await freeKey(prisma, key)
  return undefined
}

async function answerAndSave<Row extends { id: string }, Answer>(
  context: Context,
  key: ClaimKey,
  row: Row,
  creation: Creation<Row, Answer>,
): Promise<Answer> {
  const answer = await creation.answer(row)
  return JSON.parse(await saveAnswer(context.db.prisma, key, JSON.stringify(answer)))
}
