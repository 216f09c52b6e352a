import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { AppError } from '../../../../src/errors.ts'
import { createGithubWaiters } from '../../../../src/http/limits/github-waiters.ts'
import { requestBounds } from '../../../../src/http/limits/request-turn.ts'

const { perInstance, perToken } = requestBounds.githubWaiters

/** Waiters for a GitHub that answers when it is let. */
function waitersOf(bounds = requestBounds.githubWaiters) {
  const waiters = createGithubWaiters(bounds, () => new AppError('unavailable', 'too busy'))
  const answers: (() => void)[] = []
  let asked = 0
  const ask = () => {
    asked++
    return new Promise<string>((resolve) => answers.push(() => resolve('yes')))
  }
  return {
    asked: () => asked,
    answerAll: () => {
      for (const answer of answers.splice(0)) answer()
    },
    wait: (tokenKey: string, signal = new AbortController().signal) =>
      waiters.wait({ tokenKey, signal }, ask).catch((error: unknown) => {
        if (error instanceof AppError) return error.code
        throw error
      }),
  }
}

const countOf = (outcomes: string[], outcome: string) => outcomes.filter((found) => found === outcome).length

it('1,000 requests of one token may wait for GitHub, and one more is refused without a request to GitHub', async () => {
  const { wait, asked, answerAll } = waitersOf()
  const waiting = Array.from({ length: perToken }, () => wait('a'))
  expect(await wait('a')).toBe('rate_limited')
  const other = wait('b')
  expect(asked()).toBe(perToken + 1)
  answerAll()
  expect(countOf(await Promise.all([...waiting, other]), 'yes')).toBe(1_001)
})

it('4,000 requests of an instance may wait for GitHub, and one more is refused without a request to GitHub', async () => {
  const { wait, asked, answerAll } = waitersOf()
  const waiting = Array.from({ length: perInstance }, (_, n) => wait(`token ${n}`))
  expect(await wait('one more')).toBe('unavailable')
  expect(asked()).toBe(perInstance)
  answerAll()
  expect(countOf(await Promise.all(waiting), 'yes')).toBe(4_000)
  const next = wait('one more')
  answerAll()
  expect(await next).toBe('yes')
})

it('a client that disconnects stops waiting, and others still wait', async () => {
  const { wait, asked, answerAll } = waitersOf({ perInstance: 2, perToken: 1 })
  const leaving = new AbortController()
  const gone = wait('a', leaving.signal)
  const staying = wait('b')
  expect(await wait('c')).toBe('unavailable')
  leaving.abort(new AppError('malformed_request', 'gone'))
  expect(await gone).toBe('malformed_request')
  const next = wait('a')
  answerAll()
  expect(await Promise.all([staying, next])).toEqual(['yes', 'yes'])
  expect(await wait('a', leaving.signal)).toBe('malformed_request')
  expect(asked()).toBe(3)
})

it('a failure after the client disconnected is ignored', async () => {
  const waiters = createGithubWaiters({ perInstance: 1, perToken: 1 }, () => new AppError('unavailable', 'too busy'))
  const leaving = new AbortController()
  let fail = (_: Error) => {}
  const waiting = waiters.wait({ tokenKey: 'a', signal: leaving.signal }, () => {
    return new Promise((_, reject) => {
      fail = reject
    })
  })
  leaving.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  fail(new Error('GitHub is down'))
  await setImmediate()
})
