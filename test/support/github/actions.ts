import { createBranchActions } from './branch-actions.ts'
import { createCheckActions } from './check-actions.ts'
import { createInstallationActions } from './installation-actions.ts'
import type { EventContext } from './payloads.ts'
import { createPullActions } from './pull-actions.ts'
import { createRepositoryActions } from './repository-actions.ts'
import { createEventSender } from './send-event.ts'
import type { WebhookSender } from './webhook-sender.ts'

export type Actions = ReturnType<typeof createActions>

/** Everything that people do on GitHub here. Each action changes the data and sends the events. */
export function createActions(scene: EventContext, hook: WebhookSender) {
  const sendEvent = createEventSender(scene.data, hook)
  const { changePull, ...pulls } = createPullActions(scene, sendEvent)
  return {
    ...pulls,
    ...createBranchActions(scene, sendEvent, { changePull, ...pulls }),
    ...createRepositoryActions(scene, sendEvent),
    ...createInstallationActions(scene, sendEvent),
    ...createCheckActions(scene, sendEvent),
  }
}
