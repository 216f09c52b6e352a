import type { Response } from 'express'

/** What a client has not read yet. */
interface Reader {
  /** When it last read something, in milliseconds. */
  since: number
  texts: Text[]
}

/** A text is in memory once, however many clients have not read it. A response stands for its own bytes. */
type Text = Buffer | Response

export interface SlowReaders {
  /** Counts a complete response until its client has read it. */
  watch(response: Response): void
  /** Counts a text of a stream until `release` or `forget`. */
  hold(response: Response, text: Buffer): void
  release(response: Response, text: Buffer): void
  /** Notes that the client of a stream has read something. */
  noteRead(response: Response): void
  /** Forgets all that the client of this stream has not read. */
  forget(response: Response): void
  /** The bytes that all clients together have not read. A text that several have unread counts once. */
  unreadBytes(): number
}

export interface SlowReaderLimits {
  /** Of all clients together. */
  bytes: number
  /** How long a client may take in any case, in milliseconds. */
  patienceMs: number
  /** In milliseconds. */
  now(): number
}

const defaultLimits = { bytes: 64 * 1024 * 1024, patienceMs: 1_000, now: () => performance.now() }

/**
 * Bounds the memory of what clients read slowly: beyond `bytes`, the connections of those that have read nothing for longest
 * are closed.
 */
export function trackSlowReaders(given: Partial<SlowReaderLimits> = {}): SlowReaders {
  const options = { ...defaultLimits, ...given }
  /** Those that have read nothing for longest come first. */
  const readers = new Map<Response, Reader>()
  const readersOf = new Map<Text, number>()
  let total = 0

  function add(response: Response, text: Text, bytes: number): void {
    const reader = readers.get(response) ?? { since: options.now(), texts: [] }
    readers.set(response, reader)
    reader.texts.push(text)
    const count = readersOf.get(text) ?? 0
    readersOf.set(text, count + 1)
    if (count === 0) total += bytes
    makeRoom()
  }

  function drop(text: Text, bytes: number): void {
    const count = readersOf.get(text) ?? 0
    if (count > 1) {
      readersOf.set(text, count - 1)
    } else if (readersOf.delete(text)) total -= bytes
  }

  function forget(response: Response): void {
    for (const text of readers.get(response)?.texts ?? []) drop(text, bytesOf(text))
    readers.delete(response)
  }

  function makeRoom(): void {
    const cutoff = options.now() - options.patienceMs
    for (const [response, { since }] of readers) {
      if (total <= options.bytes || since > cutoff) return
      forget(response)
      response.req.socket.destroy()
    }
  }

  /** The bytes of a response change while it is read. */
  const responseBytes = new WeakMap<Response, number>()
  const bytesOf = (text: Text) => (Buffer.isBuffer(text) ? text.length : (responseBytes.get(text) ?? 0))

  return {
    watch(response) {
      if (response.closed || response.writableLength === 0) return
      responseBytes.set(response, response.writableLength)
      response.once('close', () => forget(response))
      add(response, response, response.writableLength)
    },
    hold(response, text) {
      if (!response.req.socket.destroyed) add(response, text, text.length)
    },
    release(response, text) {
      const reader = readers.get(response)
      const at = reader?.texts.indexOf(text) ?? -1
      if (!reader || at === -1) return
      reader.texts.splice(at, 1)
      drop(text, text.length)
      if (reader.texts.length === 0) readers.delete(response)
    },
    noteRead(response) {
      const reader = readers.get(response)
      if (!reader) return
      readers.delete(response)
      readers.set(response, { ...reader, since: options.now() })
    },
    forget,
    unreadBytes: () => total,
  }
}
