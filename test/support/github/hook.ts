import { createHmac, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { nextId } from './ids.ts'
import type { Delivery, World } from './world.ts'

/** GitHub hangs up after so long. */
const timeLimitMs = 10_000

export interface Hook {
  /** Sends an event to the App's hook, signed, and records how it went; what is not given is the App's, the GUID new. */
  deliver(event: string, payload: object, options?: Addressing & { guid?: string }): Promise<Delivery>
  /** The same bytes under the same GUID once more. */
  redeliver(delivery: Delivery): Promise<Delivery>
  /** So many deliveries do not arrive; unless `recorded` is false the App can find them among its failed ones. */
  loseNext(count?: number, options?: { recorded?: boolean }): void
  /** When no redelivery that was asked for is under way. */
  settled(): Promise<void>
}

/** Where an event goes, and what it is signed with. */
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

export function createHook(world: World): Hook {
  const lost: { recorded: boolean }[] = []
  const underWay = new Set<Promise<unknown>>()

  async function send(
    event: string,
    text: string,
    { guid, redelivery, to, secret }: Addressing & { guid: string; redelivery: boolean },
  ): Promise<Delivery> {
    const { action, installation, repository } = Addressed.parse(JSON.parse(text))
    const headers = headersOf(world, event, guid, text, secret)
    const loss = lost.shift()
    const delivery: Delivery = {
      // Larger than 32 bits, as GitHub's are.
      id: 12_000_000_000 + nextId(),
      guid,
      event,
      action: action ?? null,
      deliveredAt: new Date(world.now()),
      redelivery,
      installationId: installation?.id ?? null,
      repositoryId: repository?.id ?? null,
      request: { headers, text },
      ...(loss === undefined
        ? await post(to ?? world.app.hookUrl, headers, text)
        : failed('failed to connect to host', 502)),
    }
    if (loss?.recorded !== false) world.deliveries.push(delivery)
    return delivery
  }

  return {
    deliver: (event, payload, { guid = randomUUID(), ...addressing } = {}) =>
      send(event, JSON.stringify(payload), { guid, redelivery: false, ...addressing }),
    redeliver({ event, guid, request }) {
      const sending = send(event, request.text, { guid, redelivery: true }).finally(() => underWay.delete(sending))
      underWay.add(sending)
      return sending
    },
    loseNext: (count = 1, { recorded = true } = {}) =>
      void lost.push(...Array.from({ length: count }, () => ({ recorded }))),
    async settled() {
      await Promise.all(underWay)
    },
  }
}

function headersOf(
  { app }: World,
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
  if (hookUrl === null) throw new Error('the stand-in was told no URL of a hook')
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
