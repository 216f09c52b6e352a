import { EventEmitter } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import type { Request, Response } from 'express'
import { afterEach, expect, it, vi } from 'vitest'
import { AppError } from '../../../../src/errors.ts'
import { createTurns, type RequestBounds, requestBounds } from '../../../../src/http/limits/request-turn.ts'
import { silentLog } from '../../../support/log.ts'

afterEach(() => void vi.useRealTimers())

/** Turns of requests that need no connection. */
function turnsOf(bounds: Partial<RequestBounds>) {
  const turnOf = createTurns({ ...requestBounds, ...bounds }, { log: silentLog, now: () => 0 })
  return (token: string, body?: Buffer) => {
    const response = Object.assign(new EventEmitter(), { closed: false, writableFinished: false })
    const turn = turnOf({ body } as unknown as Request, response as unknown as Response, token)
    return { ...turn, leave: () => response.emit('close') }
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
  const turn = turnsOf({ atOnce: 1 })
  const [github, other] = [work(), work()]
  const { inSlot, waitForGithub } = turn('a')
  const after = vi.fn()
  const first = inSlot(1n, async () => {
    await waitForGithub(github.begin)
    after()
  })
  await setImmediate()
  const second = turn('b').inSlot(2n, other.begin)
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
  const turn = turnsOf({ atOnce: 1 })
  const occupant = work()
  const occupied = turn('a').inSlot(1n, occupant.begin)
  const [waited, cached] = [turn('b'), turn('c')]
  await waited.waitForGithub(async () => {})
  const served = vi.fn(async () => {})
  const patient = waited.inSlot(1n, served)
  const refused = cached.inSlot(1n, served).catch(code)
  await setImmediate()
  vi.advanceTimersByTime(500)
  expect(await refused).toBe('unavailable')
  vi.advanceTimersByTime(4_499)
  occupant.end()
  await Promise.all([occupied, patient])
  expect(served).toHaveBeenCalledOnce()
})

it('a slot is given back once, also if GitHub fails meanwhile', async () => {
  const turn = turnsOf({ atOnce: 1, waiting: 0 })
  const { inSlot, waitForGithub } = turn('a')
  const failing = inSlot(1n, () => waitForGithub(() => Promise.reject(new Error('down'))))
  await expect(failing).rejects.toThrow('down')
  const [first, second] = [work(), work()]
  const running = turn('b').inSlot(1n, first.begin)
  expect(await turn('c').inSlot(1n, second.begin).catch(code)).toBe('unavailable')
  first.end()
  await running
})

it('a request leaves the queue when its client disconnects', async () => {
  const turn = turnsOf({ atOnce: 1, waiting: 1 })
  const occupant = work()
  const occupied = turn('a').inSlot(1n, occupant.begin)
  const leaving = turn('b')
  const served = vi.fn(async () => {})
  const gone = leaving.inSlot(1n, served).catch(code)
  await setImmediate()
  leaving.leave()
  expect(await gone).toBe('malformed_request')
  const next = turn('c').inSlot(1n, served)
  occupant.end()
  await Promise.all([occupied, next])
  expect(served).toHaveBeenCalledOnce()
})

it('4,096 requests without a body may wait for GitHub, and one more is refused without a request to GitHub', async () => {
  const turn = turnsOf({})
  const github = work()
  const waiting = Array.from({ length: 4_096 }, (_, n) => turn(`token ${n}`).waitForGithub(github.begin))
  expect(await turn('one more').waitForGithub(github.begin).catch(code)).toBe('unavailable')
  expect(github.begin).toHaveBeenCalledTimes(4_096)
  expect(await turn('cached').inSlot(1n, async () => 'served')).toBe('served')
  github.end()
  await Promise.all(waiting)
  await turn('next').waitForGithub(async () => {})
})

it('the bodies of requests that wait count with them, and a cached caller with a body is served meanwhile', async () => {
  const turn = turnsOf({ waitingBytes: 50_000, atOnce: 2 })
  const github = work()
  const waiting = turn('a', Buffer.alloc(20_000)).waitForGithub(github.begin)
  const tooLarge = turn('b').waitForGithub(github.begin)
  expect(await tooLarge.catch(code)).toBe('unavailable')
  expect(await turn('c', Buffer.alloc(20_000)).inSlot(1n, async () => 'served')).toBe('served')
  github.end()
  await waiting
  await turn('d', Buffer.alloc(20_000)).waitForGithub(async () => {})
})

it('a body that waits for a slot counts too, and a request without one waits in any case', async () => {
  const turn = turnsOf({ waitingBytes: 50, atOnce: 1 })
  const occupant = work()
  const occupied = turn('a').inSlot(1n, occupant.begin)
  const waiting = turn('b', Buffer.alloc(50)).inSlot(1n, async () => {})
  await setImmediate()
  expect(
    await turn('c', Buffer.alloc(1))
      .inSlot(1n, async () => {})
      .catch(code),
  ).toBe('unavailable')
  const withoutBody = turn('d').inSlot(1n, async () => {})
  occupant.end()
  await Promise.all([occupied, waiting, withoutBody])
})

it('a client that disconnects stops waiting for GitHub, and a failure after that is ignored', async () => {
  const turn = turnsOf({ waitingBytes: 30_000 })
  const leaving = turn('a')
  let fail = (_: Error) => {}
  const failing = new Promise((_, reject) => {
    fail = reject
  })
  const gone = leaving.waitForGithub(() => failing).catch(code)
  expect(
    await turn('b')
      .waitForGithub(async () => {})
      .catch(code),
  ).toBe('unavailable')
  leaving.leave()
  expect(await gone).toBe('malformed_request')
  fail(new Error('GitHub is down'))
  await setImmediate()
  await turn('b').waitForGithub(async () => {})
})

it('a token has a share of the slots before its repository is known', async () => {
  const turn = turnsOf({ atOnce: 2, waiting: 10 })
  const [first, second] = [work(), work()]
  const served: string[] = []
  const busy = [turn('busy').inSlot(undefined, first.begin), turn('busy').inSlot(undefined, second.begin)]
  const note = (name: string) => async () => void served.push(name)
  const rest = ['busy', 'busy', 'other'].map((token) => turn(token).inSlot(undefined, note(token)))
  await setImmediate()
  first.end()
  await vi.waitFor(() => expect(served.length).toBeGreaterThan(0), 20_000)
  expect(served[0]).toBe('other')
  second.end()
  await Promise.all([...busy, ...rest])
})
