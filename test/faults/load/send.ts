import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiRequest, type ApiResponse, call } from '../../support/client.ts'
import type { PrivateRepository } from '../../support/github/start.ts'
import { acknowledge, type Ledger } from './ledger.ts'

export interface Load {
  ledger: Ledger
  repository: PrivateRepository
  /** The addresses of the instances, running or not. */
  urls(): readonly string[]
  /** How long the service keeps ended records, in ms. */
  retentionMs: number
  /** From 0 to 1, without 1. */
  random(): number
  /** Aborted when the clients should stop. */
  signal: AbortSignal
}

/** In ms. Retry-After has whole seconds, which would make the tests too slow. */
const longestWait = 250

export function pickRandom<Value>({ random }: Pick<Load, 'random'>, values: readonly Value[]): Value {
  const value = values[Math.floor(random() * values.length)]
  if (value === undefined) throw new Error('the list is empty')
  return value
}

/**
 * Sends a request once, to a random instance. Returns undefined after a wait if the outcome is unknown: the connection broke,
 * or the response was a 5xx, a 429 because GitHub limits the token, or a 408 because this machine was too slow to send it.
 */
export async function sendOnce(
  load: Load,
  what: string,
  path: string,
  sent: ApiRequest,
): Promise<ApiResponse | undefined> {
  const { ledger } = load
  const answer = await send(pickRandom(load, load.urls()) + path, sent)
  if (answer === undefined || answer.status >= 500 || isForNow(answer)) {
    ledger.attempts.unknown++
    if (answer) recordUnexpected(ledger, what, answer)
    await sleep(answer ? longestWait : longestWait * load.random())
    return undefined
  }
  ledger.attempts[answer.status < 400 ? 'acknowledged' : 'refused']++
  if (answer.status < 400) acknowledge(ledger, what)
  return answer
}

function isForNow({ status }: ApiResponse): boolean {
  return status === 429 || status === 408
}

/** Returns undefined if the connection broke, which is a TypeError of `fetch`. */
async function send(url: string, sent: ApiRequest): Promise<ApiResponse | undefined> {
  try {
    return await call(url, sent)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

function recordUnexpected(ledger: Ledger, what: string, { status, headers, body }: ApiResponse): void {
  if (status === 408) return
  const isPromised = [429, 503].includes(status) && Number(headers.get('retry-after')) > 0
  // A delivery that could not be handled is answered with 500 (docs/rules.md#deliveries).
  if (isPromised || (status === 500 && what === 'deliver')) return
  ledger.violations.push(`${what}: ${status} ${JSON.stringify(body)}`)
}

/** Sends a request until its outcome is known. Undefined if it never is, or if the clients should stop. */
export async function sendUntilKnown(
  load: Load,
  what: string,
  path: string,
  sent: ApiRequest,
): Promise<ApiResponse | undefined> {
  for (let attempts = 0; attempts < 200; attempts++) {
    const answer = await sendOnce(load, what, path, sent)
    if (answer || load.signal.aborted) return answer
  }
  return undefined
}

export function expectStatus(ledger: Ledger, what: string, { status, body }: ApiResponse, expected: number): boolean {
  if (status === expected) return true
  ledger.violations.push(`${what}: ${status} instead of ${expected}: ${JSON.stringify(body)}`)
  return false
}
