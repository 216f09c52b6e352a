import { Webhooks } from '@octokit/webhooks'
import { z } from 'zod'
import type { Database } from '../db/database.ts'
import { AppError, invalidField } from '../errors.ts'
import { type DeliveryOutcome, type EmitEvent, ignoreEvents } from '../lib/events.ts'
import type { Log } from '../lib/log.ts'
import { recordDelivery } from './webhooks/delivery-store.ts'
import { onDelete } from './webhooks/on-delete.ts'
import { onInstallation } from './webhooks/on-installation.ts'
import { onPullRequest } from './webhooks/on-pull-request.ts'
import { onPush } from './webhooks/on-push.ts'
import { onRepository } from './webhooks/on-repository.ts'
import type { Handler, HandlerContext, HandlerResult } from './webhooks/webhook-handler.ts'

/** Which events do something; every other one is acknowledged and left alone. */
const handlers = new Map<string, Handler>([
  ['pull_request', onPullRequest],
  ['delete', onDelete],
  ['push', onPush],
  ['repository', onRepository],
  ['installation', onInstallation],
  ['installation_repositories', onInstallation],
])

/** Whether a delivery of this event, once it is made, is recorded as handled. */
export function isHandled(event: string): boolean {
  return handlers.has(event)
}

/** A delivery as it came in: the raw body, since the signature is over its bytes. */
export interface Delivery {
  guid: string | undefined
  event: string | undefined
  signature: string | undefined
  body: string
}

export type Outcome = 'handled' | 'duplicate' | 'ignored'

export interface WebhookDeps extends Omit<HandlerContext, 'tx' | 'now'> {
  db: Database
  secret: string
  log: Log
  now(): Date
  observe?: EmitEvent
}

/** How long the transaction of one delivery may wait for a connection, and take, in ms. */
const transaction = { maxWait: 4_000, timeout: 9_000 }

/** A delivery that GitHub signed. */
interface Known {
  guid: string
  event: string
  payload: unknown
}

/**
 * Handles GitHub's deliveries: signed ones only, each GUID once (docs/rules.md#deliveries). A delivery and the record
 * of its GUID are one transaction, so a delivery that fails can come again. Throws `validation_failed` for a delivery
 * that is not GitHub's, `invalid_json`, and what the database throws.
 */
export function createWebhooks(deps: WebhookDeps): Receive {
  const webhooks = new Webhooks({ secret: deps.secret })
  return observed(deps.observe ?? ignoreEvents, async ({ guid, event = '', signature, body }) => {
    if (!signature) throw invalidField('X-Hub-Signature-256', 'required', 'the delivery is not signed')
    if (!(await webhooks.verify(body, signature).catch(() => false))) {
      throw invalidField('X-Hub-Signature-256', 'invalid_value', 'the signature does not match')
    }
    if (!guid || guid.length > 200) throw invalidField('X-GitHub-Delivery', 'required', 'the delivery has no GUID')
    const payload = parse(body)
    const say = (outcome: Outcome | 'failed', more: object = {}) =>
      deps.log.info({ guid, event, action: actionOf(payload), outcome, ...more }, 'webhook')
    const handler = handlers.get(event)
    if (!handler) {
      say('ignored')
      return 'ignored'
    }
    try {
      const handled = await handleOnce(deps, { guid, event, payload }, handler)
      const outcome = handled ? 'handled' : 'duplicate'
      say(outcome, forLog(handled))
      handled?.afterwards?.()
      return outcome
    } catch (error) {
      say('failed')
      throw error
    }
  })
}

type Receive = (delivery: Delivery) => Promise<Outcome>

/** An event that does nothing is `other`: its name is whatever somebody wrote, and may not be signed. */
function observed(observe: EmitEvent, receive: Receive): Receive {
  return async (delivery) => {
    const event = delivery.event !== undefined && isHandled(delivery.event) ? delivery.event : 'other'
    const tell = (outcome: DeliveryOutcome) => observe({ kind: 'delivery', event, outcome })
    try {
      const outcome = await receive(delivery)
      tell(outcome)
      return outcome
    } catch (error) {
      tell(error instanceof AppError ? 'refused' : 'failed')
      throw error
    }
  }
}

const Acted = z.object({ action: z.string().max(100) })

function actionOf(payload: unknown): string | undefined {
  return Acted.safeParse(payload).data?.action
}

function forLog({ repositoryId, counts = {} }: Partial<HandlerResult> = {}): object {
  return { ...(repositoryId === undefined ? {} : { repository_id: String(repositoryId) }), ...counts }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (cause) {
    throw new AppError('invalid_json', 'The delivery is not valid JSON.', { cause })
  }
}

async function handleOnce(
  { db, now, ...rest }: WebhookDeps,
  { guid, event, payload }: Known,
  handler: Handler,
): Promise<HandlerResult | undefined> {
  const at = now()
  return db.prisma.$transaction(async (tx) => {
    const isNew = await recordDelivery(tx, { guid, event, now: at })
    return isNew ? handler(payload, { ...rest, tx, now: at }).catch(refuseShape) : undefined
  }, transaction)
}

/** A signed body of another shape than GitHub's: to be told, and not to be tried again. */
function refuseShape(error: unknown): never {
  if (!(error instanceof z.ZodError)) throw error
  const [issue] = error.issues
  throw invalidField(issue?.path.map(String).join('.') || 'body', 'invalid_value', 'is not what GitHub sends')
}
