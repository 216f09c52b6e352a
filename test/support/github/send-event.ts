import { type GithubData, type Repository, repositoryOf } from './data.ts'
import { installationOf } from './installation-of.ts'
import type { WebhookSender } from './webhook-sender.ts'

/** A repository by its id. */
export interface RepositoryRef {
  id: number | bigint
}

export function findById(data: GithubData, named: RepositoryRef): Repository {
  return repositoryOf(data, Number(named.id))
}

/** Sends an event of a repository; null if it is about an installation. */
export type SendEvent = (repository: Repository | null, event: string, payload: object) => Promise<void>

/** Sends events as GitHub does: where the App is installed and subscribed. Events of installations are always sent. */
export function createEventSender(data: GithubData, hook: WebhookSender): SendEvent {
  return async (repository, event, payload) => {
    if (data.app.hookUrl === null) return
    if (repository !== null && !isSubscribed(data, repository, event)) return
    await hook.deliver(event, payload)
  }
}

function isSubscribed(data: GithubData, repository: Repository, event: string): boolean {
  const installation = installationOf(data, repository)
  return installation !== undefined && installation.suspendedAt === null && data.app.events.includes(event)
}
