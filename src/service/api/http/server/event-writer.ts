import type { Response } from 'express'
import type { EventText } from '../../../live/event-batch.ts'
import type { SlowReaders } from './slow-readers.ts'

export interface EventWriter {
  /** Sends the text after those before it. Closes the connection of a client that has too much unread. */
  send(text: EventText): void
  /** Sends nothing until `resume`. */
  pause(): void
  resume(): void
  /** Ends the stream with this text, without what was not sent yet. */
  end(text: Buffer): void
  /** To call when the connection is closed. */
  stop(): void
}

interface EventWriterOptions {
  slowReaders: SlowReaders
  /** How long a client may read nothing of its first text, in ms. */
  firstReadMs: number
}

/** How much a client may have unread before the next text, in bytes, besides snapshots and the text that it is being sent. */
const mostUnread = 256 * 1024
/** How much is given to the connection at a time, in bytes. */
const pieceBytes = 64 * 1024

/** What is left to send of a text. */
interface Queued {
  text: EventText
  /** The part that is next, and how many of its bytes are sent. */
  part: number
  sent: number
}

/**
 * Writes events to one client, a piece after the client has taken the one before. So what is unread waits here, where it is
 * counted and can be replaced.
 */
export function createEventWriter(response: Response, { slowReaders, firstReadMs }: EventWriterOptions): EventWriter {
  const queue: Queued[] = []
  let [isWriting, isPaused, isStopped] = [false, false, false]
  let firstRead: NodeJS.Timeout | undefined = setTimeout(close, firstReadMs).unref()

  /** Whether a piece of this text was given to the connection, and whether all of it was. */
  const hasBegun = ({ part, sent }: Queued) => part > 0 || sent > 0
  const isGiven = ({ text, part }: Queued) => part === text.parts.length

  /** Events of one poll may be more than a client takes until the next: while it takes them, they do not count. */
  function unreadEvents(): number {
    const waiting = queue.filter((one) => !one.text.isSnapshot && !hasBegun(one))
    return waiting.reduce((sum, { text }) => sum + bytesOf(text), 0)
  }

  function take(queued: Queued): void {
    queue.splice(queue.indexOf(queued), 1)
    for (const part of queued.text.parts) slowReaders.release(response, part)
  }

  function writeNext(): void {
    const [first] = queue
    const part = first?.text.parts[first.part]
    if (!first || part === undefined || isWriting || isPaused || isStopped) return
    const piece = part.subarray(first.sent, first.sent + pieceBytes)
    first.sent += piece.length
    if (first.sent >= part.length) Object.assign(first, { part: first.part + 1, sent: 0 })
    isWriting = true
    response.write(piece, () => {
      isWriting = false
      if (isStopped) return
      firstRead?.refresh()
      slowReaders.noteRead(response)
      if (isGiven(first)) {
        take(first)
        clearTimeout(firstRead)
        firstRead = undefined
      }
      writeNext()
    })
  }

  function close(): void {
    stop()
    response.req.socket.destroy()
  }

  function stop(): void {
    isStopped = true
    clearTimeout(firstRead)
    queue.length = 0
    slowReaders.forget(response)
  }

  return {
    send(text) {
      if (isStopped) return
      if (text.isSnapshot) for (const old of queue.filter((one) => !hasBegun(one))) take(old)
      else if (unreadEvents() > mostUnread) return close()
      queue.push({ text, part: 0, sent: 0 })
      for (const part of text.parts) slowReaders.hold(response, part)
      writeNext()
    },
    pause() {
      isPaused = true
    },
    resume() {
      isPaused = false
      writeNext()
    },
    end(text) {
      const [first] = queue
      // The client would read the text as the rest of an event that was sent only in part.
      if (first && hasBegun(first) && !isGiven(first)) return close()
      stop()
      response.end(text)
    },
    stop,
  }
}

function bytesOf({ parts }: EventText): number {
  return parts.reduce((sum, { length }) => sum + length, 0)
}
