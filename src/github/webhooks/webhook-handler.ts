import type { Prisma } from '../../db/generated/client.ts'
import { findRepositoryId } from '../../repository/find-by-name.sql.ts'
import { findRepository } from '../../repository/store.ts'
import type { Settings } from '../../settings/schema.ts'
import type { GithubAccess } from '../access/access.ts'
import { type Names, namesOf, type RepositoryPayload } from './webhook-payloads.ts'

/** What a handler works with: the transaction that also holds the record of the delivery, and what is cached. */
export interface HandlerContext {
  tx: Prisma.TransactionClient
  now: Date
  /** GitHub's web address, without a final slash. */
  serverUrl: string
  access: GithubAccess
  settingsIn(tx: Prisma.TransactionClient, repositoryId: bigint): Promise<Settings>
  /** Settings kept in memory are not to be believed any more. */
  forgetSettings(): void
}

export interface HandlerResult {
  /** How many records changed, by what happened to them: for the log. */
  counts: Record<string, number>
  repositoryId?: bigint | undefined
  /** What to forget in memory, once the transaction is committed. */
  afterwards?: () => void
}

export type Handler = (payload: unknown, handling: HandlerContext) => Promise<HandlerResult>

export const nothingChanged: HandlerResult = { counts: {} }

/** Whom an event is about, as far as the payload or the service knows. */
export interface EventRepository {
  id: bigint
  names: Names | undefined
  defaultBranch: string | null
}

/**
 * Resolves the repository by GitHub's id in the payload, or, without an id, by the name that the service knows. Takes
 * what else is missing from what the service knows of that id (docs/rules.md#payload-identity).
 */
export async function resolveRepository(
  facts: RepositoryPayload,
  tx: Prisma.TransactionClient,
): Promise<EventRepository | undefined> {
  const names = namesOf(facts)
  const id = facts.id ?? (names && (await findRepositoryId(tx, names)))
  if (id === undefined) return undefined
  if (names && facts.default_branch !== undefined) return { id, names, defaultBranch: facts.default_branch }
  const known = await findRepository(tx, id)
  return { id, names: names ?? known, defaultBranch: facts.default_branch ?? known?.defaultBranch ?? null }
}
