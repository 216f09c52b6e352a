import { type Request, type Response, Router } from 'express'
import { AppError } from '../../../../core/errors.ts'
import type { Delivery, WebhookOutcome } from '../../../github/receive-webhook.ts'
import { clientSignal } from '../limits/api-slots.ts'
import type { RequestSlots } from '../limits/request-slots.ts'
import { methodNotAllowed } from '../middleware/method-not-allowed.ts'
import { rawReader } from '../middleware/read-body.ts'
import { sendJson } from '../middleware/send-json.ts'

type Receive = (delivery: Delivery) => Promise<WebhookOutcome>

const path = '/api/github/webhooks'
/**
 * GitHub caps its payloads at 25 MB. A larger body is refused before its signature is checked
 * (docs/rules.md#signatures).
 */
const readRaw = rawReader(25 * 1024 * 1024)

/** Reads and handles each delivery in a slot, and responds 200 with its outcome. Errors go to the error handler. */
export function webhookRouter(receive: Receive, slots: RequestSlots): Router {
  const router = Router({ caseSensitive: true })
  const route = router.route(path)
  route.post(async (request: Request, response: Response) => {
    const release = await slots.acquire('deliveries', request, { signal: clientSignal(response) })
    try {
      await receiveDelivery(receive, request, response)
    } finally {
      release()
    }
  })
  route.all(methodNotAllowed('POST'))
  return router
}

async function receiveDelivery(receive: Receive, request: Request, response: Response): Promise<void> {
  const bytes = await readRaw(request, response)
  const type = request.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    throw new AppError('unsupported_media_type', 'Choose application/json as the content type of the webhook.')
  }
  const delivery = {
    guid: request.get('x-github-delivery'),
    event: request.get('x-github-event'),
    signature: request.get('x-hub-signature-256'),
    body: bytes.toString('utf8'),
  }
  sendJson(response, { outcome: await receive(delivery).catch(fail) })
}

/** Answers 500 for any delivery whose handling failed, so that it can be redelivered (docs/rules.md#deliveries). */
function fail(error: unknown): never {
  if (error instanceof AppError) throw error
  throw new AppError('internal_error', 'The delivery could not be handled. Deliver it again.', { cause: error })
}
