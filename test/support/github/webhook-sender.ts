import { createHmac, randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Delivery, GithubData } from './data.ts'
import { nextId } from './ids.ts'

/** How long GitHub waits for a response. */
const timeLimitMs = 10_000

export interface WebhookSender {
  /** Sends a signed event and records the delivery. Uses the App's URL and secret, and a new GUID, unless given. */
  deliver(event: string, payload: object, options?: Addressing & { guid?: string }): Promise<Delivery>
  /** Sends the same bytes with the same GUID again. */
  redeliver(delivery: Delivery): Promise<Delivery>
  /** Loses the next deliveries. Unless `recorded` is false, the App can list them as failed. */
  loseNext(count?: number, options?: { recorded?: boolean }): void
  /** Resolves when all requested redeliveries are done. */
  settled(): Promise<void>
}

/** The address and the secret of an event. */
interface Addressing {
  to?: string
  secret?: string
}

const Addressed = z.object({
  action: z.string().optional(),
  installation: z.object({ id: z.number() }).optional(),
  repository: z.object({ id: z.number() }).optional(),
})

type Outcome = Pick<Delivery, 'status' | 'statusCode' | 'response' | 'duration'>

export function createWebhookSender(data: GithubData): WebhookSender {
  const lost: { recorded: boolean }[] = []
  const pending = new Set<Promise<unknown>>()

  async function send(
    event: string,
    text: string,
    { guid, redelivery, to, secret }: Addressing & { guid: string; redelivery: boolean },
  ): Promise<Delivery> {
    const { action, installation, repository } = Addressed.parse(JSON.parse(text))
    const headers = headersOf(data, event, guid, text, secret)
    const loss = lost.shift()
    const delivery: Delivery = {
      // Larger than 32 bits, as on GitHub.
      id: 12_000_000_000 + nextId(),
      guid,
      event,
      action: action ?? null,
      deliveredAt: new Date(data.now()),
      redelivery,
      installationId: installation?.id ?? null,
      repositoryId: repository?.id ?? null,
      request: { headers, text },
      ...(loss === undefined
        ? await post(to ?? data.app.hookUrl, headers, text)
        : failed('failed to connect to host', 502)),
    }
    if (loss?.recorded !== false) data.deliveries.push(delivery)
    return delivery
  }

  return {
    deliver: (event, payload, { guid = randomUUID(), ...addressing } = {}) =>
      send(event, JSON.stringify(payload), { guid, redelivery: false, ...addressing }),
    redeliver({ event, guid, request }) {
      const sending = send(event, request.text, { guid, redelivery: true }).finally(() => pending.delete(sending))
      pending.add(sending)
      return sending
    },
    loseNext: (count = 1, { recorded = true } = {}) =>
      void lost.push(...Array.from({ length: count }, () => ({ recorded }))),
    async settled() {
      await Promise.all(pending)
    },
  }
}

function headersOf(
  { app }: GithubData,
  event: string,
  guid: string,
  text: string,
  secret = app.webhookSecret,
): Record<string, string> {
  const signed = (algorithm: string) => createHmac(algorithm, secret).update(text).digest('hex')
  return {
    accept: '*/*',
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/044aadd',
    'x-github-delivery': guid,
    'x-github-event': event,
    'x-github-hook-id': String(app.id),
    'x-github-hook-installation-target-id': String(app.id),
    'x-github-hook-installation-target-type': 'integration',
    'x-hub-signature': `sha1=${signed('sha1')}`,
    'x-hub-signature-256': `sha256=${signed('sha256')}`,
  }
}

async function post(hookUrl: string | null, headers: Record<string, string>, body: string): Promise<Outcome> {
  if (hookUrl === null) throw new Error('the stand-in has no webhook URL')
  const signal = AbortSignal.timeout(timeLimitMs)
  const began = performance.now()
  try {
    const response = await fetch(hookUrl, { method: 'POST', headers, body, signal, redirect: 'manual' })
    return {
      status: response.ok ? 'OK' : `Invalid HTTP Response: ${response.status}`,
      statusCode: response.status,
      duration: Math.round((performance.now() - began) / 10) / 100,
      response: { headers: Object.fromEntries(response.headers), text: await response.text() },
    }
  } catch {
    return signal.aborted ? failed('timed out', 504) : failed('failed to connect to host', 502)
  }
}

function failed(status: string, statusCode: number): Outcome {
  return { status, statusCode, duration: 0, response: { headers: {}, text: '' } }
}
