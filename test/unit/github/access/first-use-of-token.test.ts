import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../src/errors.ts'
import { createFirstUseOfToken } from '../../../../src/github/access/first-use-of-token.ts'
import { createTokenStates } from '../../../../src/github/access/token-states.ts'

function introductionsOf() {
  const tokens = createTokenStates({ tokens: 10, now: () => 0 })
  return { tokens, introduced: createFirstUseOfToken(tokens) }
}

function asking() {
  let answer = (_: string) => {}
  let fail = (_: Error) => {}
  const asked: string[] = []
  const first = () => {
    asked.push('first')
    return new Promise<string>((resolve, reject) => {
      answer = resolve
      fail = reject
    })
  }
  const second = async () => {
    asked.push('second')
    return 'second'
  }
  return { asked, first, second, answer: (text: string) => answer(text), fail: (error: Error) => fail(error) }
}

describe('a token that GitHub does not know yet', () => {
  it('is asked about one repository first', async () => {
    const { introduced } = introductionsOf()
    const { asked, first, second, answer } = asking()
    const one = introduced('t', first)
    const two = introduced('t', second)
    await setImmediate()
    expect(asked).toEqual(['first'])
    answer('first')
    expect(await Promise.all([one, two])).toEqual(['first', 'second'])
  })

  it.each(['invalid_token', 'github_rate_limited', 'github_unavailable'] as const)(
    'is not asked about the others once the first one fails with %s',
    async (code) => {
      const { introduced } = introductionsOf()
      const { asked, first, second, fail } = asking()
      const both = Promise.allSettled([introduced('t', first), introduced('t', second)])
      fail(new AppError(code, 'no'))
      const outcomes = await both
      expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code)).toEqual([code, code])
      expect(asked).toEqual(['first'])
    },
  )

  it('is asked about the others where it was the address of the first one that was not let through', async () => {
    const { introduced } = introductionsOf()
    const { first, second, fail } = asking()
    const both = Promise.allSettled([introduced('t', first), introduced('t', second)])
    fail(new AppError('rate_limited', 'no'))
    expect((await both)[1]).toEqual({ status: 'fulfilled', value: 'second' })
  })

  it('holds up no other token, and no later question', async () => {
    const { introduced } = introductionsOf()
    const { first, second, fail } = asking()
    const one = introduced('t', first)
    expect(await introduced('u', second)).toBe('second')
    fail(new AppError('github_unavailable', 'no'))
    await expect(one).rejects.toThrow('no')
    expect(await introduced('t', second)).toBe('second')
  })
})

it('a token that GitHub knows is asked about many at once', async () => {
  const { tokens, introduced } = introductionsOf()
  tokens.accept('t')
  const { asked, first, second, answer } = asking()
  const one = introduced('t', first)
  expect(await introduced('t', second)).toBe('second')
  answer('first')
  await one
  expect(asked).toEqual(['first', 'second'])
})
