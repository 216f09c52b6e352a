import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Pinger } from '../../../src/db/pinger.ts'
import { type WatchedConnection, watchForSilence } from '../../../src/db/silence.ts'

let stop = () => {}
beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  stop()
  vi.useRealTimers()
})

/** A connection whose statement is pending since it was opened. */
const pending = (): WatchedConnection => ({
  connectedAt: performance.now(),
  pendingSince: performance.now(),
  answeredAt: Number.NEGATIVE_INFINITY,
})

/** Watches connections, with pings that the server does not answer within 2 s. */
function watch(connections: WatchedConnection[]) {
  let sentAt = Number.NEGATIVE_INFINITY
  let noAnswer = (_sentAt: number) => {}
  let pending: Promise<void> | undefined
  const sent = vi.fn(async () => {
    sentAt = performance.now()
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    pending = undefined
    noAnswer(sentAt)
  })
  const onSilent = vi.fn()
  const pinger: Pick<Pinger, 'ping' | 'sentAt' | 'onNoAnswer'> = {
    ping() {
      pending ??= sent()
      return pending
    },
    sentAt: () => sentAt,
    onNoAnswer(listener) {
      noAnswer = listener
    },
  }
  stop = watchForSilence({ connections: () => connections, pinger, onSilent })
  return { sent, onSilent, pinger }
}

it('a slow statement and a ping without an answer: all connections that were open then are dead', async () => {
  const connections = [pending(), { ...pending(), pendingSince: undefined }]
  const { onSilent } = watch(connections)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(onSilent.mock.calls).toEqual([[connections]])
})

it('an answer on a connection that was open already shows that the server works', async () => {
  const answering = pending()
  const { onSilent, sent } = watch([pending(), answering])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(sent).toHaveBeenCalled()
  answering.answeredAt = performance.now()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(onSilent).not.toHaveBeenCalled()
})

it('an answer on a connection that was made later shows nothing: the address may lead to another server', async () => {
  const old = pending()
  const connections = [old]
  const { onSilent } = watch(connections)
  await vi.advanceTimersByTimeAsync(2_000)
  connections.push({ ...pending(), answeredAt: performance.now() })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(onSilent.mock.calls).toEqual([[[old]]])
})

it('a ping without an answer that readiness sent counts too', async () => {
  const idle = { ...pending(), pendingSince: undefined }
  const { onSilent, pinger } = watch([idle])
  void pinger.ping()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(onSilent.mock.calls).toEqual([[[idle]]])
})

it('without a slow statement the server is pinged every 15 s, and not at all without a connection', async () => {
  const idle = { ...pending(), pendingSince: undefined }
  const { sent } = watch([idle])
  await vi.advanceTimersByTimeAsync(32_000)
  expect(sent).toHaveBeenCalledTimes(3)
  stop()
  expect(watch([]).sent).not.toHaveBeenCalled()
})
