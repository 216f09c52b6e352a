import { Agent, request } from 'node:http'
import type { Shot } from './measure.ts'

export interface Fired {
  /** 0 where no answer came. */
  status: number
  /** From when there was a connection to ask on, be it one still to be opened. */
  ms: number
  retryAfterSeconds: number | undefined
}

/** As many connections as a crowd of agents has. */
const crowd = new Agent({ keepAlive: true, maxSockets: Number(process.argv[3] ?? '300') })

/** How long a client waits for an answer, in milliseconds. */
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

/** So many requests a second for so long, whatever becomes of them. */
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

/** So many clients, each with one request after another; who is refused stays away for as long as it is told. */
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

/** What a probe meets that opens a connection of its own, ten times a second, until it is told to stop. */
export function probe(url: string): () => Promise<Fired[]> {
  const fired: Promise<Fired>[] = []
  const once = new Agent({ keepAlive: false })
  const timer = setInterval(() => fired.push(fire({ method: 'GET', url, token: '' }, once)), 100)
  return () => {
    clearInterval(timer)
    return Promise.all(fired)
  }
}

/** At this part of the sorted times, in milliseconds. */
export function percentile(fired: readonly Fired[], part: number): number {
  const sorted = fired.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
