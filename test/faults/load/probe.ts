import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { type ApiResponse, call } from '../../support/client.ts'
import type { PrivateRepository } from '../../support/github/start.ts'
import { now } from './ledger.ts'
import { CreateResponse } from './records.ts'

/** A request to one instance, and its response. */
export interface ProbeResult {
  what: string
  status: number
  /** Undefined without the header. */
  retryAfter: number | undefined
  /** How long it took. */
  ms: number
  /** Whether the response came before the signal. */
  isBefore: boolean
}

/** Sends requests of each kind to one instance, over and over. */
export interface Probe {
  /** Sends until the signal, and waits for the last responses. */
  probeUntil(signal: AbortSignal): Promise<ProbeResult[]>
  /** Resolves when the instance is ready, and serves a read and a heartbeat. */
  untilServed(): Promise<void>
}

const pauseMs = 200
/** Requests without a transaction: a transaction would commit what others left open. */
const single = ['readiness', 'read', 'beat']

/** Creates a probe with its own repository, so that it does not change the history of the load. */
export async function createProbe(instance: string, { owner, name, writer }: PrivateRepository): Promise<Probe> {
  const api = `${instance}/api/v1/repos/${owner}/${name}`
  const work = { title: 'T', summary: 'S', actor: 'A' }
  const notable = { title: 'T', summary: 'S', importance: 'low', category: 'process' }
  const ask = (method: string, path: string, body?: object) => call(path, { method, token: writer, body })
  const { id } = CreateResponse.parse((await ask('POST', `${api}/activity`, work)).body).activity
  const kinds = new Map<string, () => Promise<ApiResponse>>([
    ['health', () => ask('GET', `${instance}/healthz`)],
    ['readiness', () => ask('GET', `${instance}/readyz`)],
    ['list', () => ask('GET', `${api}/activity`)],
    ['create', () => ask('POST', `${api}/activity`, work)],
    ['check', () => ask('POST', `${api}/activity/check`, { scope: { paths: ['a'] } })],
    ['read', () => ask('GET', `${api}/activity/${id}`)],
    ['patch', () => ask('PATCH', `${api}/activity/${id}`, { risk: 'high' })],
    ['beat', () => ask('POST', `${api}/activity/${id}/heartbeat`)],
    ['raise', () => ask('POST', `${api}/notables`, notable)],
  ])
  return {
    async probeUntil(signal) {
      const of = async ([what, once]: [string, () => Promise<ApiResponse>]) => {
        const results: ProbeResult[] = []
        while (!signal.aborted) {
          const from = now()
          const { status, headers } = await once()
          const retryAfter = z.coerce
            .number()
            .optional()
            .parse(headers.get('retry-after') ?? undefined)
          results.push({ what, status, retryAfter, ms: now() - from, isBefore: !signal.aborted })
          await sleep(pauseMs)
        }
        return results
      }
      return (await Promise.all([...kinds].map(of))).flat()
    },
    async untilServed() {
      const served = async (once: () => Promise<ApiResponse>) => {
        while ((await once()).status >= 300) await sleep(pauseMs / 4)
      }
      await Promise.all([...kinds].map(([what, once]) => (single.includes(what) ? served(once) : undefined)))
    },
  }
}
