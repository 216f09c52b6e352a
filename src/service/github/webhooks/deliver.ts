import { z } from 'zod'
import { invalidField } from '../../../core/errors.ts'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../lib/log.ts'
import { recordDelivery } from './record-delivery.sql.ts'
import type { Handler, HandlerContext, HandlerResult } from './webhook-handler.ts'

/** An event as Probot passes it to its listeners. */
export interface WebhookEvent {
  /** The GUID of the delivery. */
  id: string
  name: string
  payload: object
}

/** Turns a handler into a listener of Probot. */
export type Deliver = (handler: Handler) => (event: WebhookEvent) => Promise<void>

export interface DeliveryDeps extends Omit<HandlerContext, 'tx' | 'now'> {
  db: Database
  log: Log
  now(): Date
}

export interface Deliveries {
  deliver: Deliver
  /** The outcome of the delivery with this payload; undefined if it was not handled. */
  outcomeOf(payload: object): 'handled' | 'duplicate' | undefined
}

/** How long the transaction of a delivery may wait for a connection, and take, in ms. */
const transaction = { maxWait: 4_000, timeout: 9_000 }

/**
 * Handles each delivery once (docs/rules.md#deliveries). The changes of a delivery and the record of its GUID are one
 * transaction, so a failed delivery can be made again. Throws `validation_failed` for a payload of another shape than
 * GitHub's, and what the database throws.
 */
export function createDeliveries(deps: DeliveryDeps): Deliveries {
  const outcomes = new WeakMap<object, 'handled' | 'duplicate'>()

  async function handle(handler: Handler, event: WebhookEvent) {
    const result = await handleOnce(deps, handler, event)
    const outcome = result ? 'handled' : 'duplicate'
    outcomes.set(event.payload, outcome)
    logDelivery(deps.log, event, outcome, result)
    result?.afterwards?.()
  }

  return {
    deliver: (handler) => (event) =>
      handle(handler, event).catch((error: unknown) => {
        logDelivery(deps.log, event, 'failed')
        throw withoutEvent(error)
      }),
    outcomeOf: (payload) => outcomes.get(payload),
  }
}

/** Returns undefined for a delivery that was handled before. */
function handleOnce(
  { db, now, ...rest }: DeliveryDeps,
  handler: Handler,
  { id: guid, name: event, payload }: WebhookEvent,
): Promise<HandlerResult | undefined> {
  const at = now()
  return db.transaction(async (tx) => {
    const isNew = await recordDelivery(tx, { guid, event, now: at })
    return isNew ? handler(payload, { ...rest, tx, now: at }).catch(refuseShape) : undefined
  }, transaction)
}

/** A signed payload of another shape than GitHub's. The answer says so, and the delivery is not made again. */
export function refuseShape(error: unknown): never {
  if (!(error instanceof z.ZodError)) throw error
  const [issue] = error.issues
  throw invalidField(issue?.path.map(String).join('.') || 'body', 'invalid_value', 'is not what GitHub sends')
}

/**
 * Probot sets `event`, which holds the payload, on each error of a listener, and logs the error. Here the property is made
 * not enumerable, so that no log prints it.
 */
export function withoutEvent(error: unknown): unknown {
  const hidden = { enumerable: false, writable: true, configurable: true }
  if (error instanceof Error) Object.defineProperty(error, 'event', hidden)
  return error
}

const Acted = z.object({ action: z.string().max(100) })

/** The action of an event, such as `closed`; undefined for an event without one. */
export function actionOf(payload: unknown): string | undefined {
  return Acted.safeParse(payload).data?.action
}

/** Writes one line for a delivery. It holds nothing of the payload but the action and the id of the repository. */
export function logDelivery(
  log: Log,
  { id: guid, name: event, payload }: WebhookEvent,
  outcome: 'handled' | 'duplicate' | 'ignored' | 'failed',
  { repositoryId, counts = {} }: Partial<HandlerResult> = {},
): void {
  const repository = repositoryId === undefined ? {} : { repository_id: String(repositoryId) }
  log.info({ guid, event, action: actionOf(payload), outcome, ...repository, ...counts }, 'webhook')
}
