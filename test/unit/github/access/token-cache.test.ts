import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createTokenCache } from '../../../../src/service/github/access/token-cache.ts'

it('removes the entries of a token and no others, whatever was set, dropped and overwritten before', () => {
  const step = fc.tuple(
    fc.constantFrom('set', 'get', 'forgetToken', 'forget'),
    fc.constantFrom('t', 'u', 'v'),
    fc.integer({ min: 0, max: 3 }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const cache = createTokenCache<{ tokenKey: string; number: number }>(5)
      for (const [verb, tokenKey, number] of steps) {
        const key = `${tokenKey} ${number}`
        if (verb === 'set') cache.set(key, { tokenKey, number })
        else if (verb === 'get') cache.get(key)
        else if (verb === 'forgetToken') cache.forgetToken(tokenKey)
        else cache.forget((entry) => entry.number === number)
      }
      const numbersOf = (tokenKey: string) => [0, 1, 2, 3].filter((number) => cache.get(`${tokenKey} ${number}`))
      const others = [numbersOf('u'), numbersOf('v')]
      expect(cache.tokenCount()).toBe([numbersOf('t'), ...others].filter((numbers) => numbers.length > 0).length)
      cache.forgetToken('t')
      expect(numbersOf('t')).toEqual([])
      expect([numbersOf('u'), numbersOf('v')]).toEqual(others)
    }),
  )
})

it('removes the entries that match', () => {
  const cache = createTokenCache<{ tokenKey: string; number: number }>(100)
  for (let number = 0; number < 100; number++) cache.set(`t ${number}`, { tokenKey: 't', number })
  cache.forget(({ number }) => number % 3 > 0)
  const left = Array.from({ length: 100 }, (_, number) => number).filter((number) => cache.get(`t ${number}`))
  expect(left).toEqual(Array.from({ length: 34 }, (_, i) => i * 3))
})
