import type { Probot } from 'probot'
import { z } from 'zod'
import { AppError, invalidField } from '../../core/errors.ts'
import type { Log } from '../lib/log.ts'
import { type DeliveryOutcome, type EmitEvent, ignoreEvents } from '../lib/service-events.ts'
import { headsup, isHandled, isHandledEvent } from './app.ts'
import { createSignatureLog } from './signature-log.ts'
import {
  actionOf,
  createDeliveries,
  type DeliveryDeps,
  logDelivery,
  refuseShape,
  type WebhookEvent,
} from './webhooks/deliver.ts'

/** A delivery as it arrived. The body is raw, since the signature is over its bytes. */
export interface Delivery {
  guid: string | undefined
  event: string | undefined
  signature: string | undefined
  body: string
}

export type WebhookOutcome = 'handled' | 'duplicate' | 'ignored'

export type ReceiveWebhook = (delivery: Delivery) => Promise<WebhookOutcome>

export interface WebhookDeps extends DeliveryDeps {
  /** Holds the webhook secret. */
  probot: Probot
  emit?: EmitEvent
}

/**
 * Loads the App into Probot, and returns the receiver of GitHub's deliveries. It passes signed deliveries of registered
 * events to Probot, and returns when they are handled. Probot's own middleware responds with 202 after 9 s, which would hide
 * a failure from GitHub.
 *
 * Throws `validation_failed` for a delivery that is not GitHub's, `invalid_json`, and what the database throws.
 */
export async function createWebhookReceiver({ probot, emit, ...deps }: WebhookDeps): Promise<ReceiveWebhook> {
  const { deliver, outcomeOf } = createDeliveries(deps)
  await probot.load(headsup(deliver))

  const logMismatch = createSignatureLog(deps.log, deps.now)

  return emitOutcomes(emit ?? ignoreEvents, async ({ guid, event, signature, body }) => {
    await checkSignature(probot, body, signature, logMismatch)
    if (!event) throw invalidField('X-GitHub-Event', 'required', 'the delivery has no event')
    if (!guid || guid.length > 200) throw invalidField('X-GitHub-Delivery', 'required', 'the delivery has no GUID')
    const delivered = { id: guid, name: event, payload: parse(body) }
    if (!isForProbot(delivered)) {
      logDelivery(deps.log, delivered, 'ignored')
      return 'ignored'
    }
    checkForProbot(deps.log, delivered)
    await probot.receive(delivered).catch(throwCause)
    return outcomeOf(delivered.payload) ?? 'ignored'
  })
}

const mismatch = 'the signature does not match'

async function checkSignature(
  probot: Probot,
  body: string,
  signature: string | undefined,
  logMismatch: () => void,
): Promise<void> {
  if (!signature) throw invalidField('X-Hub-Signature-256', 'required', 'the delivery is not signed')
  if (await probot.webhooks.verify(body, signature).catch(() => false)) return
  logMismatch()
  throw invalidField('X-Hub-Signature-256', 'invalid_value', mismatch)
}

type ProbotEvent = Parameters<Probot['receive']>[0]

/** The name of an event is not signed. Only names that the App registers reach Probot. */
function isForProbot(event: WebhookEvent): event is WebhookEvent & ProbotEvent {
  return isHandled(event.name, actionOf(event.payload))
}

/** The fields that Probot reads before it calls a listener. */
const ReadByProbot = z.object({
  action: z.string().nullish(),
  installation: z.object({ id: z.int().positive().nullish() }).nullish(),
})

/** Refuses a payload of another shape than GitHub's, on which Probot would fail. */
function checkForProbot(log: Log, event: WebhookEvent): void {
  try {
    ReadByProbot.parse(event.payload)
  } catch (error) {
    logDelivery(log, event, 'failed')
    refuseShape(error)
  }
}

/** Throws the listener's error. Probot wraps it in an AggregateError, whose `event` holds the payload. */
function throwCause(error: unknown): never {
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error
  if (cause instanceof Error) Reflect.deleteProperty(cause, 'event')
  throw cause
}

/** Emits the outcome of each delivery. An unregistered event is `other`, since its name is not signed. */
function emitOutcomes(emit: EmitEvent, receive: ReceiveWebhook): ReceiveWebhook {
  return async (delivery) => {
    const event = delivery.event !== undefined && isHandledEvent(delivery.event) ? delivery.event : 'other'
    const report = (outcome: DeliveryOutcome) => emit({ kind: 'delivery', event, outcome })
    try {
      const outcome = await receive(delivery)
      report(outcome)
      return outcome
    } catch (error) {
      report(failureOutcome(error))
      throw error
    }
  }
}

function failureOutcome(error: unknown): DeliveryOutcome {
  if (!(error instanceof AppError)) return 'failed'
  return error.details.some(({ message }) => message === mismatch) ? 'bad_signature' : 'refused'
}

function parse(body: string): object {
  let payload: unknown
  try {
    payload = JSON.parse(body)
  } catch (cause) {
    throw new AppError('invalid_json', 'The delivery is not valid JSON.', { cause })
  }
  if (typeof payload === 'object' && payload !== null) return payload
  throw invalidField('body', 'invalid_value', 'is not what GitHub sends')
}
