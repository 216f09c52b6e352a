import type { Prisma } from '../db/generated/client.ts'
import { findRepositoryId } from '../repository/store.ts'
import type { Settings } from '../settings/schema.ts'
import type { GithubAccess } from './access.ts'
import { namesOf, type RepositoryFacts } from './webhook-facts.ts'

/** What a handler works with: the transaction that also holds the record of the delivery, and what is cached. */
export interface Handling {
  tx: Prisma.TransactionClient
  now: Date
  /** GitHub's web address, without a final slash. */
  serverUrl: string
  access: GithubAccess
  settingsIn(tx: Prisma.TransactionClient, repositoryId: bigint): Promise<Settings>
  /** Settings kept in memory are not to be believed any more. */
  forgetSettings(): void
}

export interface Handled {
  /** How many records changed, by what happened to them: for the log. */
  counts: Record<string, number>
  repositoryId?: bigint | undefined
  /** What to forget in memory, once the transaction is committed. */
  afterwards?: () => void
}

export type Handler = (payload: unknown, handling: Handling) => Promise<Handled>

export const nothing: Handled = { counts: {} }

/** GitHub's id out of the payload, or, where it has none, of the repository that the service knows by that name. */
export async function repositoryIdOf(
  facts: RepositoryFacts,
  tx: Prisma.TransactionClient,
): Promise<bigint | undefined> {
  if (facts.id !== undefined) return facts.id
  const names = namesOf(facts)
  return names && findRepositoryId(tx, names)
}
