import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../src/core/errors.ts'
import { createFirstUseOfToken } from '../../../../src/service/github/access/first-use-of-token.ts'
import { createTokenStates } from '../../../../src/service/github/access/token-states.ts'

function setUp() {
  const tokens = createTokenStates({ tokens: 10, now: () => 0 })
  return { tokens, sendAfterFirst: createFirstUseOfToken(tokens) }
}

function requests() {
  let succeed = (_: string) => {}
  let fail = (_: Error) => {}
  const sent: string[] = []
  const first = () => {
    sent.push('first')
    return new Promise<string>((resolve, reject) => {
      succeed = resolve
      fail = reject
    })
  }
  const second = async () => {
    sent.push('second')
    return 'second'
  }
  return { sent, first, second, succeed: (text: string) => succeed(text), fail: (error: Error) => fail(error) }
}

describe('an unknown token', () => {
  it('sends one request first', async () => {
    const { sendAfterFirst } = setUp()
    const { sent, first, second, succeed } = requests()
    const one = sendAfterFirst('t', first)
    const two = sendAfterFirst('t', second)
    await setImmediate()
    expect(sent).toEqual(['first'])
    succeed('first')
    expect(await Promise.all([one, two])).toEqual(['first', 'second'])
  })

  it.each(['invalid_token', 'github_rate_limited', 'github_unavailable'] as const)(
    'does not send the other requests if the first one fails with %s',
    async (code) => {
      const { sendAfterFirst } = setUp()
      const { sent, first, second, fail } = requests()
      const both = Promise.allSettled([sendAfterFirst('t', first), sendAfterFirst('t', second)])
      fail(new AppError(code, 'no'))
      const outcomes = await both
      expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code)).toEqual([code, code])
      expect(sent).toEqual(['first'])
    },
  )

  it('sends the other requests if the address of the first one was limited', async () => {
    const { sendAfterFirst } = setUp()
    const { first, second, fail } = requests()
    const both = Promise.allSettled([sendAfterFirst('t', first), sendAfterFirst('t', second)])
    fail(new AppError('rate_limited', 'no'))
    expect((await both)[1]).toEqual({ status: 'fulfilled', value: 'second' })
  })

  it('delays no other token, and no later request', async () => {
    const { sendAfterFirst } = setUp()
    const { first, second, fail } = requests()
    const one = sendAfterFirst('t', first)
    expect(await sendAfterFirst('u', second)).toBe('second')
    fail(new AppError('github_unavailable', 'no'))
    await expect(one).rejects.toThrow('no')
    expect(await sendAfterFirst('t', second)).toBe('second')
  })
})

it('an accepted token sends requests concurrently', async () => {
  const { tokens, sendAfterFirst } = setUp()
  tokens.accept('t')
  const { sent, first, second, succeed } = requests()
  const one = sendAfterFirst('t', first)
  expect(await sendAfterFirst('t', second)).toBe('second')
  succeed('first')
  await one
  expect(sent).toEqual(['first', 'second'])
})
