import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiRequest, type ApiResponse, call } from '../../support/client.ts'
import type { PrivateRepository } from '../../support/github/start.ts'
import { acknowledge, type Ledger } from './ledger.ts'

export interface Load {
  ledger: Ledger
  repository: PrivateRepository
  /** Where the instances are, whether or not they are up. */
  urls(): readonly string[]
  /** From 0 to 1, without 1. */
  random(): number
  /** Aborted when the clients are to end. */
  signal: AbortSignal
}

/** Retry-After is in whole seconds; a test that waits them all out tests little else. In milliseconds. */
const longestWait = 250

export function pick<Value>({ random }: Pick<Load, 'random'>, values: readonly Value[]): Value {
  const value = values[Math.floor(random() * values.length)]
  if (value === undefined) throw new Error('there is nothing to pick from')
  return value
}

/**
 * One attempt, at any of the instances. Undefined where nobody knows whether it was done: the connection broke, or the
 * answer was a 5xx; then it has waited before it returns, as a client does.
 */
export async function attempt(
  load: Load,
  what: string,
  path: string,
  sent: ApiRequest,
): Promise<ApiResponse | undefined> {
  const { ledger } = load
  const answer = await send(pick(load, load.urls()) + path, sent)
  if (answer === undefined || answer.status >= 500) {
    ledger.attempts.unknown++
    if (answer) note(ledger, what, answer)
    await sleep(answer ? longestWait : longestWait * load.random())
    return undefined
  }
  ledger.attempts[answer.status < 400 ? 'acknowledged' : 'refused']++
  if (answer.status < 400) acknowledge(ledger, what)
  return answer
}

/** `fetch` says with a TypeError that the connection broke; everything else is ours to look into. */
async function send(url: string, sent: ApiRequest): Promise<ApiResponse | undefined> {
  try {
    return await call(url, sent)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

function note(ledger: Ledger, what: string, { status, headers, body }: ApiResponse): void {
  const isPromised = status === 503 && Number(headers.get('retry-after')) > 0
  // A delivery that could not be handled is answered with 500 (docs/rules.md#deliveries).
  if (isPromised || (status === 500 && what === 'deliver')) return
  ledger.faults.push(`${what}: ${status} ${JSON.stringify(body)}`)
}

/** Attempts until the answer is known. Undefined where it never was, or where the clients are to end. */
export async function insist(
  load: Load,
  what: string,
  path: string,
  sent: ApiRequest,
): Promise<ApiResponse | undefined> {
  for (let attempts = 0; attempts < 200; attempts++) {
    const answer = await attempt(load, what, path, sent)
    if (answer || load.signal.aborted) return answer
  }
  return undefined
}

export function expectStatus(ledger: Ledger, what: string, { status, body }: ApiResponse, expected: number): boolean {
  if (status === expected) return true
  ledger.faults.push(`${what}: ${status} where ${expected} was due: ${JSON.stringify(body)}`)
  return false
}
