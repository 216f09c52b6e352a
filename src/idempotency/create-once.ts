import { createHash } from 'node:crypto'
import type { Context } from '../context.ts'
import type { Prisma } from '../db/generated/client.ts'
import { AppError } from '../errors.ts'
import type { Scope } from '../scope/schema.ts'
import { claimKey, findClaim, freeKey, keepAnswer } from './store.ts'

interface Input {
  scope?: Scope | undefined
}

/** How one kind of record is made, and answered for. */
export interface Creation<Row, Answer> {
  /** The validated input: what "another body" is decided by. */
  input: Input
  /** Makes the row, before anything is written; may ask GitHub. */
  prepare(): Promise<Row & { id: string }>
  insert(tx: Prisma.TransactionClient, row: Row): Promise<void>
  /** The stored row of an earlier try; undefined where it is purged. */
  find(id: string): Promise<Row | undefined>
  /** The body of the 201; begun after the insert committed. */
  answer(row: Row): Promise<Answer>
}

export interface Created<Answer> {
  answer: Answer
  /** Whether an earlier request with this key made it. */
  replayed: boolean
}

/**
 * Creates a record, at most once for an `Idempotency-Key` (docs/rules.md#idempotency-keys). The insert claims the key
 * in its transaction; the answer is stored after it. A retry that finds a claim without an answer computes the answer
 * again for the existing record. Throws `idempotency_key_reused`.
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
  const claimed = await prisma.$transaction(async (tx) => {
    const mine = await claimKey(tx, key, { bodyHash, recordId: row.id, now: context.now })
    if (mine) await creation.insert(tx, row)
    return mine
  })
  if (!claimed) return createOnce(context, keyHash, creation)
  return { answer: await answerAndKeep(context, key, row, creation), replayed: false }
}

/**
 * Hashes a body. `null` and an absent field are the same, and so are an empty scope and none
 * (docs/rules.md#null-values).
 */
function hashOf({ scope = { areas: [], paths: [] }, ...others }: Input): string {
  const text = JSON.stringify({ scope, ...others }, (_, value: unknown) => value ?? undefined)
  return createHash('sha256').update(text).digest('hex')
}

type Key = { repositoryId: bigint; keyHash: string }

async function replay<Row extends { id: string }, Answer>(
  context: Context,
  key: Key,
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
  if (row) return { answer: await answerAndKeep(context, key, row, creation), replayed: true }
  await freeKey(prisma, key)
  return undefined
}

async function answerAndKeep<Row extends { id: string }, Answer>(
  context: Context,
  key: Key,
  row: Row,
  creation: Creation<Row, Answer>,
): Promise<Answer> {
  const answer = await creation.answer(row)
  return JSON.parse(await keepAnswer(context.db.prisma, key, JSON.stringify(answer)))
}
