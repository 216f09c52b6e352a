import type { Prisma } from '../../db/generated/client.ts'
import { findRepository, findRepositoryId } from '../../records/repository/repository-store.ts'
import type { KnownSettings } from '../../records/settings/settings-store.ts'
import type { GithubAccess } from '../access/access.ts'
import { type Names, namesOf, type RepositoryPayload } from './webhook-payloads.ts'

export interface HandlerContext {
  /** Also holds the record of the delivery. */
  tx: Prisma.TransactionClient
  now: Date
  /** GitHub's web address, without a final slash. */
  serverUrl: string
  access: Pick<GithubAccess, 'forgetOwner' | 'forgetRepository'>
  settingsIn(tx: Prisma.TransactionClient, repositoryId: bigint): Promise<KnownSettings>
  /** Clears the settings that are cached in memory. */
  forgetSettings(): void
  /** Wakes the jobs that read pull requests. Absent without the App. */
  observer?: PullRequestObserver | undefined
}

export interface PullRequestObserver {
  /** There are files to be read. */
  readFiles(): void
  /** There are repositories whose pull requests are to be listed. `discover`: also ones that are not known yet. */
  listRepositories(options: { discover: boolean }): void
  /** There are reports to be looked at, or repositories where they begin. */
  writeReports(): void
}

export interface HandlerResult {
  /** How many records changed, by what happened to them. The log has these counts. */
  counts: Record<string, number>
  repositoryId?: bigint | undefined
  /** Clears caches. Runs once the transaction is committed. */
  afterwards?: () => void
}

/** Handles one kind of event. Throws a `ZodError` for a payload that GitHub does not send. */
export type Handler = (payload: unknown, context: HandlerContext) => Promise<HandlerResult>

export const nothingChanged: HandlerResult = { counts: {} }

/** The repository of an event, by the payload and by what the service has saved. */
export interface EventRepository {
  id: bigint
  names: Names | undefined
  defaultBranch: string | null
  /** Whether everybody can see it; undefined if the payload does not say. */
  isPublic: boolean | undefined
}

/**
 * Resolves the repository by GitHub's id in the payload, or, without an id, by the name that the service knows.
 * Completes the rest from what the service has saved for that id (docs/rules.md#payload-identity).
 */
export async function resolveRepository(
  payload: RepositoryPayload,
  tx: Prisma.TransactionClient,
): Promise<EventRepository | undefined> {
  const names = namesOf(payload)
  const id = payload.id ?? (names && (await findRepositoryId(tx, names)))
  if (id === undefined) return undefined
  const isPublic = payload.private === undefined ? undefined : !payload.private
  if (names && payload.default_branch !== undefined)
    return { id, names, defaultBranch: payload.default_branch, isPublic }
  const known = await findRepository(tx, id)
  return { id, names: names ?? known, defaultBranch: payload.default_branch ?? known?.defaultBranch ?? null, isPublic }
}
