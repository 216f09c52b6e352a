import type { Probot } from 'probot'
import { deliverFromEnvironment } from './standalone.ts'
import type { Deliver } from './webhooks/deliver.ts'
import { onDelete } from './webhooks/on-delete.ts'
import { onInstallation } from './webhooks/on-installation.ts'
import { onPullRequestClosed } from './webhooks/on-pull-request-closed.ts'
import { onPullRequestOpen } from './webhooks/on-pull-request-open.ts'
import { onPullRequestSynchronize } from './webhooks/on-pull-request-synchronize.ts'
import { onPush } from './webhooks/on-push.ts'
import { onRepository } from './webhooks/on-repository.ts'
import { onRerequested } from './webhooks/on-rerequested.ts'

/** The part of Probot that registers listeners. */
type ListenerRegistry = Pick<Probot, 'on'>

/**
 * The GitHub App as a Probot application function: the one place that registers its events.
 *
 * Each event and action has exactly one listener. Two would run side by side, in two transactions.
 */
export function headsup(deliver: Deliver) {
  return (app: ListenerRegistry): void => {
    app.on('pull_request.closed', deliver(onPullRequestClosed))
    app.on('pull_request.synchronize', deliver(onPullRequestSynchronize))
    app.on('delete', deliver(onDelete))
    app.on(
      [
        'pull_request.opened',
        'pull_request.reopened',
        'pull_request.ready_for_review',
        'pull_request.converted_to_draft',
        'pull_request.edited',
      ],
      deliver(onPullRequestOpen),
    )
    app.on(['check_run.rerequested', 'check_suite.rerequested'], deliver(onRerequested))
    app.on('push', deliver(onPush))
    app.on(
      [
        'repository.created',
        'repository.renamed',
        'repository.transferred',
        'repository.privatized',
        'repository.publicized',
        'repository.edited',
        'repository.deleted',
      ],
      deliver(onRepository),
    )
    app.on(['installation', 'installation_repositories'], deliver(onInstallation))
  }
}

/** The names that `headsup` registers: an event, or an event and its action, such as `pull_request.closed`. */
const registeredNames: ReadonlySet<string> = readRegisteredNames()

function readRegisteredNames(): Set<string> {
  const names: string[] = []
  const on = (name: string | string[]) => void names.push(...[name].flat())
  headsup(() => async () => {})({ on })
  return new Set(names)
}

const eventNames = new Set([...registeredNames].map((name) => name.split('.', 1).join()))

/** Whether the App handles this event, at least for some of its actions. */
export function isHandledEvent(event: string): boolean {
  return eventNames.has(event)
}

/** Whether the App handles this event and action. */
export function isHandled(event: string, action: string | null | undefined): boolean {
  return isHandledEvent(event) && (registeredNames.has(event) || registeredNames.has(`${event}.${action}`))
}

/**
 * The App alone, configured by the environment, for Probot's commands: `probot run` and `probot receive`. Needs
 * `DATABASE_URL`.
 */
export default function app(probot: Probot): void {
  headsup(deliverFromEnvironment(process.env, probot.log))(probot)
}
