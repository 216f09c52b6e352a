import { EventEmitter } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import type { Request, Response } from 'express'
import { afterEach, expect, it, vi } from 'vitest'
import { AppError } from '../../../../src/core/errors.ts'
import { createApiSlots, type RequestBounds, requestBounds } from '../../../../src/service/api/http/limits/api-slots.ts'
import { silentLog } from '../../../support/log.ts'

afterEach(() => void vi.useRealTimers())

/** Turns of requests that need no connection. */
function slotsOf(bounds: Partial<RequestBounds>) {
  const slotOf = createApiSlots({ ...requestBounds, ...bounds }, { log: silentLog, now: () => 0 })
  return (token: string, body?: Buffer) => {
    const response = Object.assign(new EventEmitter(), { closed: false, writableFinished: false })
    const slot = slotOf({ body } as unknown as Request, response as unknown as Response, token)
    return { ...slot, leave: () => response.emit('close') }
  }
}

const code = (error: unknown) => (error instanceof AppError ? error.code : String(error))

/** Work that takes until it is ended. */
function work() {
  let end = () => {}
  const done = new Promise<void>((resolve) => {
    end = resolve
  })
  const begin = vi.fn(() => done)
  return { begin, end }
}

it('a request that waits for GitHub gives its slot back, and takes one again afterwards', async () => {
  const slot = slotsOf({ atOnce: 1 })
  const [github, other] = [work(), work()]
  const { run, waitForGithub } = slot('a')
  const after = vi.fn()
  const first = run(1n, async () => {
    await waitForGithub(github.begin)
    after()
  })
  await setImmediate()
  const second = slot('b').run(2n, other.begin)
  await setImmediate()
  expect(other.begin).toHaveBeenCalled()
  github.end()
  await setImmediate()
  expect(after).not.toHaveBeenCalled()
  other.end()
  await Promise.all([first, second])
  expect(after).toHaveBeenCalled()
})

it('a request that has waited for GitHub waits longer for a slot', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const slot = slotsOf({ atOnce: 1 })
  const occupant = work()
  const occupied = slot('a').run(1n, occupant.begin)
  const [waited, cached] = [slot('b'), slot('c')]
  await waited.waitForGithub(async () => {})
  const served = vi.fn(async () => {})
  const patient = waited.run(1n, served)
  const refused = cached.run(1n, served).catch(code)
  await setImmediate()
  vi.advanceTimersByTime(500)
  expect(await refused).toBe('unavailable')
  vi.advanceTimersByTime(4_499)
  occupant.end()
  await Promise.all([occupied, patient])
  expect(served).toHaveBeenCalledOnce()
})

it('a slot is given back once, also if GitHub fails meanwhile', async () => {
  const slot = slotsOf({ atOnce: 1, waiting: 0 })
  const { run, waitForGithub } = slot('a')
  const failing = run(1n, () => waitForGithub(() => Promise.reject(new Error('down'))))
  await expect(failing).rejects.toThrow('down')
  const [first, second] = [work(), work()]
  const running = slot('b').run(1n, first.begin)
  expect(await slot('c').run(1n, second.begin).catch(code)).toBe('unavailable')
  first.end()
  await running
})

it('a request leaves the queue when its client disconnects', async () => {
  const slot = slotsOf({ atOnce: 1, waiting: 1 })
  const occupant = work()
  const occupied = slot('a').run(1n, occupant.begin)
  const leaving = slot('b')
  const served = vi.fn(async () => {})
  const gone = leaving.run(1n, served).catch(code)
  await setImmediate()
  leaving.leave()
  expect(await gone).toBe('malformed_request')
  const next = slot('c').run(1n, served)
  occupant.end()
  await Promise.all([occupied, next])
  expect(served).toHaveBeenCalledOnce()
})

it('4,096 requests without a body may wait for GitHub, and one more is refused without a request to GitHub', async () => {
  const slot = slotsOf({})
  const github = work()
  const waiting = Array.from({ length: 4_096 }, (_, n) => slot(`token ${n}`).waitForGithub(github.begin))
  expect(await slot('one more').waitForGithub(github.begin).catch(code)).toBe('unavailable')
  expect(github.begin).toHaveBeenCalledTimes(4_096)
  expect(await slot('cached').run(1n, async () => 'served')).toBe('served')
  github.end()
  await Promise.all(waiting)
  await slot('next').waitForGithub(async () => {})
})

it('the bodies of requests that wait count with them, and a cached caller with a body is served meanwhile', async () => {
  const slot = slotsOf({ waitingBytes: 50_000, atOnce: 2 })
  const github = work()
  const waiting = slot('a', Buffer.alloc(20_000)).waitForGithub(github.begin)
  const tooLarge = slot('b').waitForGithub(github.begin)
  expect(await tooLarge.catch(code)).toBe('unavailable')
  expect(await slot('c', Buffer.alloc(20_000)).run(1n, async () => 'served')).toBe('served')
  github.end()
  await waiting
  await slot('d', Buffer.alloc(20_000)).waitForGithub(async () => {})
})

it('a body that waits for a slot counts too, and a request without one waits in any case', async () => {
  const slot = slotsOf({ waitingBytes: 50, atOnce: 1 })
  const occupant = work()
  const occupied = slot('a').run(1n, occupant.begin)
  const waiting = slot('b', Buffer.alloc(50)).run(1n, async () => {})
  await setImmediate()
  expect(
    await slot('c', Buffer.alloc(1))
      .run(1n, async () => {})
      .catch(code),
  ).toBe('unavailable')
  const withoutBody = slot('d').run(1n, async () => {})
  occupant.end()
  await Promise.all([occupied, waiting, withoutBody])
})

it('a client that disconnects stops waiting for GitHub, and a failure after that is ignored', async () => {
  const slot = slotsOf({ waitingBytes: 30_000 })
  const leaving = slot('a')
  let fail = (_: Error) => {}
  const failing = new Promise((_, reject) => {
    fail = reject
  })
  const gone = leaving.waitForGithub(() => failing).catch(code)
  expect(
    await slot('b')
      .waitForGithub(async () => {})
      .catch(code),
  ).toBe('unavailable')
  leaving.leave()
  expect(await gone).toBe('malformed_request')
  fail(new Error('GitHub is down'))
  await setImmediate()
  await slot('b').waitForGithub(async () => {})
})

it('a token has a share of the slots before its repository is known', async () => {
  const slot = slotsOf({ atOnce: 2, waiting: 10 })
  const [first, second] = [work(), work()]
  const served: string[] = []
  const busy = [slot('busy').run(undefined, first.begin), slot('busy').run(undefined, second.begin)]
  const note = (name: string) => async () => void served.push(name)
  const rest = ['busy', 'busy', 'other'].map((token) => slot(token).run(undefined, note(token)))
  await setImmediate()
  first.end()
  await vi.waitFor(() => expect(served.length).toBeGreaterThan(0), 20_000)
  expect(served[0]).toBe('other')
  second.end()
  await Promise.all([...busy, ...rest])
})
