import { Agent, request } from 'node:http'
import type { Shot } from './measure.ts'

export interface Fired {
  /** 0 if no response came. */
  status: number
  /** When the request got a connection, open or not. */
  ms: number
  retryAfterSeconds: number | undefined
}

/** The number of connections of many agents. */
const crowd = new Agent({ keepAlive: true, maxSockets: Number(process.argv[3] ?? '300') })

/** How long a client waits for a response, in milliseconds. */
const patience = 15_000

export function fire({ method, url, token, body }: Shot, agent = crowd): Promise<Fired> {
  const sent = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${token}`,
    ...(sent === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
  }
  let start = performance.now()
  return new Promise((resolve) => {
    const over = (status: number, retryAfter?: string) => {
      const retryAfterSeconds = retryAfter === undefined ? undefined : Number(retryAfter)
      resolve({ status, ms: performance.now() - start, retryAfterSeconds })
    }
    const asked = request(url, { method, headers, agent, timeout: patience }, (response) => {
      response.on('end', () => over(response.statusCode ?? 0, response.headers['retry-after']))
      response.on('error', () => over(0))
      response.resume()
    })
    asked.on('socket', () => {
      start = performance.now()
    })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => over(0))
    asked.end(sent)
  })
}

/** Sends requests at a fixed rate for a time, whatever the responses are. */
export async function flood(perSecond: number, seconds: number, shot: (n: number) => Shot): Promise<Fired[]> {
  const fired: Promise<Fired>[] = []
  const start = performance.now()
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsed = (performance.now() - start) / 1_000
      while (fired.length < Math.min(elapsed, seconds) * perSecond) fired.push(fire(shot(fired.length)))
      if (elapsed < seconds) return
      clearInterval(timer)
      resolve()
    }, 5)
  })
  return Promise.all(fired)
}

/** Runs clients that each send one request after another. A rejected client waits for its Retry-After. */
export async function crowdOf(clients: number, seconds: number, shot: (n: number) => Shot): Promise<Fired[]> {
  const fired: Fired[] = []
  const end = performance.now() + seconds * 1_000
  let next = 0
  const client = async () => {
    while (performance.now() < end) {
      const answer = await fire(shot(next++))
      fired.push(answer)
      if (answer.status === 503) await new Promise((go) => setTimeout(go, (answer.retryAfterSeconds ?? 1) * 1_000))
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return fired
}

/** Probes the service ten times per second, each time on a new connection, until it is stopped. */
export function probe(url: string): () => Promise<Fired[]> {
  const fired: Promise<Fired>[] = []
  const once = new Agent({ keepAlive: false })
  const timer = setInterval(() => fired.push(fire({ method: 'GET', url, token: '' }, once)), 100)
  return () => {
    clearInterval(timer)
    return Promise.all(fired)
  }
}

/** A percentile of the times, in milliseconds. */
export function percentile(fired: readonly Fired[], part: number): number {
  const sorted = fired.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
