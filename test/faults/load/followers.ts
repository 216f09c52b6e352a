import { setTimeout as sleep } from 'node:timers/promises'
import { createEventParser } from '../../../src/core/lib/parse-events.ts'
import { createStreamView, type StreamView } from '../history/stream-view.ts'
import { now } from './ledger.ts'

/** A client that follows the events of a repository, and comes back with the last id whenever its stream ends. */
export interface Follower {
  name: string
  view: StreamView
  counts: { connections: number; resumed: number; snapshots: number; events: number; refused: number }
  /** Unexpected responses and ends. */
  violations: string[]
  /** When its current connection had sent what it begins with; `Infinity` while there is none. */
  followsSince(): number
  /** When the last event other than `bye` came. */
  lastEventAt(): number
  /** Breaks the connection. */
  cut(): void
}

export interface FollowOptions {
  name: string
  /** Used in turn. */
  urls: readonly string[]
  path: string
  headers: Record<string, string>
  signal: AbortSignal
  /** Whether this client may lose its access. */
  mayLoseAccess?: boolean
}

/** A pause instead of the longer one that the service requests. */
const pauseMs = 300

export function startFollower({ name, urls, path, headers, signal, mayLoseAccess = false }: FollowOptions): Follower {
  const view = createStreamView()
  const counts = { connections: 0, resumed: 0, snapshots: 0, events: 0, refused: 0 }
  const violations: string[] = []
  const expected = new Set([408, 429, 503, ...(mayLoseAccess ? [404] : [])])
  let lastId: string | undefined
  let since = Infinity
  let lastAt = 0
  let connection = new AbortController()

  async function connect(url: string): Promise<void> {
    const resumed: Record<string, string> = lastId === undefined ? {} : { 'last-event-id': lastId }
    const response = await fetch(url + path, { headers: { ...headers, ...resumed }, signal: connection.signal })
    if (response.status !== 200 || !response.body) {
      counts.refused++
      const text = await response.text()
      if (!expected.has(response.status)) violations.push(`${name}: ${response.status} ${text}`)
      return
    }
    counts.connections++
    if (lastId !== undefined) counts.resumed++
    view.reconnect()
    const parser = createEventParser()
    const decoder = new TextDecoder()
    for await (const piece of response.body) {
      for (const event of parser.parse(decoder.decode(piece, { stream: true }))) {
        if (event.event === 'bye') noteEnd(event.data)
        else lastAt = now()
        counts.events++
        if (event.event === 'snapshot') counts.snapshots++
        lastId = event.id ?? lastId
        view.apply(event)
        if (since === Infinity && view.hasBegun()) since = now()
      }
    }
  }

  function noteEnd(data: string): void {
    const { code } = JSON.parse(data) as { code: string }
    if (code === 'unavailable' || code === 'draining' || mayLoseAccess) return
    violations.push(`${name}: the stream ended with ${code}`)
  }

  /** A broken connection is a TypeError of `fetch`, or our own abort. Anything else is an event that can not be read. */
  function noteFailure(error: unknown): void {
    if (error instanceof TypeError || connection.signal.aborted) return
    violations.push(`${name}: ${String(error)}`)
  }

  async function follow(): Promise<void> {
    for (let turn = 0; !signal.aborted; turn++) {
      connection = new AbortController()
      await connect(urls[turn % urls.length] ?? '').catch(noteFailure)
      since = Infinity
      if (!signal.aborted) await sleep(pauseMs)
    }
  }

  signal.addEventListener('abort', () => connection.abort())
  void follow()
  return {
    name,
    view,
    counts,
    violations,
    followsSince: () => since,
    lastEventAt: () => lastAt,
    cut: () => connection.abort(),
  }
}
