import type { EmitterWebhookEvent, EmitterWebhookEventName } from '@octokit/webhooks'
import type { Parts } from '../../context.ts'
import { inTransaction, type Transaction } from '../../db/retry.ts'
import { safely } from '../../log.ts'
import type { GithubPull } from '../pulls/pull-facts.ts'
import type { EventRepository } from './event-repository.ts'

/** What is read of an event of a pull request, whatever its action. */
export interface PullPayload extends EventRepository {
  action: string
  pull_request: GithubPull
}

export interface PushPayload extends EventRepository {
  ref: string
  deleted: boolean
  commits: { added?: string[]; modified?: string[]; removed?: string[] }[]
}

export type PayloadOf<Name extends EmitterWebhookEventName> = EmitterWebhookEvent<Name>['payload']

type Event = { name: string; payload: object }

/** What registers listeners: Probot. */
export interface Listeners {
  on(names: EmitterWebhookEventName | EmitterWebhookEventName[], listener: (event: Event) => Promise<void>): void
}

/**
 * Makes listeners, each of which handles a delivery in one transaction and ends after its commit. It throws without the words of a
 * failure, which may quote the payload: GitHub shows the answer in its list of deliveries.
 */
export function handlingIn({ prisma, log }: Pick<Parts, 'prisma' | 'log'>) {
  return <Payload extends object>(handle: (tx: Transaction, payload: Payload) => Promise<void>) =>
    async ({ name, payload }: Event): Promise<void> => {
      try {
        // It is signed by GitHub, so it has the shape of its event.
        await inTransaction(prisma, (tx) => handle(tx, payload as Payload))
      } catch (error) {
        log.error({ event: name, action: Reflect.get(payload, 'action'), ...safely(error) }, 'a delivery failed')
        throw new Error('the delivery could not be handled')
      }
    }
}
