import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { type ApiResponse, call } from '../../support/client.ts'
import type { PrivateRepository } from '../../support/github/start.ts'
import { now } from './ledger.ts'
import { Made } from './records.ts'

/** What was asked of one instance, and how it was answered. */
export interface Asked {
  what: string
  status: number
  /** Undefined where the answer does not say. */
  retryAfter: number | undefined
  /** How long it took. */
  ms: number
  /** Whether the answer was there before the signal. */
  isBefore: boolean
}

/** Somebody who asks one instance for one thing of each kind, over and over. */
export interface Probe {
  /** Until the signal, and until the last answer is there. */
  askUntil(signal: AbortSignal): Promise<Asked[]>
  /** Resolves when the instance says that it is ready, and serves a read and a heartbeat. */
  untilServed(): Promise<void>
}

const restMs = 200
/** No transactions: they would commit what others left open. */
const single = ['readiness', 'read', 'beat']

/** In a repository of its own: what it does is nothing to the history of the load. */
export async function probeOf(instance: string, { owner, name, writer }: PrivateRepository): Promise<Probe> {
  const api = `${instance}/api/v1/repos/${owner}/${name}`
  const work = { title: 'T', summary: 'S', actor: 'A' }
  const notable = { title: 'T', summary: 'S', importance: 'low', category: 'process' }
  const ask = (method: string, path: string, body?: object) => call(path, { method, token: writer, body })
  const { id } = Made.parse((await ask('POST', `${api}/activity`, work)).body).activity
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
    async askUntil(signal) {
      const of = async ([what, once]: [string, () => Promise<ApiResponse>]) => {
        const asked: Asked[] = []
        while (!signal.aborted) {
          const from = now()
          const { status, headers } = await once()
          const retryAfter = z.coerce
            .number()
            .optional()
            .parse(headers.get('retry-after') ?? undefined)
          asked.push({ what, status, retryAfter, ms: now() - from, isBefore: !signal.aborted })
          await sleep(restMs)
        }
        return asked
      }
      return (await Promise.all([...kinds].map(of))).flat()
    },
    async untilServed() {
      const served = async (once: () => Promise<ApiResponse>) => {
        while ((await once()).status >= 300) await sleep(restMs / 4)
      }
      await Promise.all([...kinds].map(([what, once]) => (single.includes(what) ? served(once) : undefined)))
    },
  }
}
