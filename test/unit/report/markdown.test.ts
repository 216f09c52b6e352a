import fc from 'fast-check'
import { expect, it } from 'vitest'
import { code, codePath, loginInMarkdown, plainLogin } from '../../../src/service/report/markdown.ts'

it.each([
  ['feat/login', '`feat/login`'],
  ['a`b', '``a`b``'],
  ['`x`', '`` `x` ``'],
  ['a|b', '`a\\|b`'],
  ['line\nbreak\u202e', '`line break`'],
])('code of %j', (text, expected) => expect(code(text)).toBe(expected))

it('a span of code ends where it should, whatever is in it', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('`', '|', '@', 'a', ' ', '\n', '\\') }), (text) => {
      for (const span of [code(text), codePath(text)]) {
        const [fence = ''] = /^`+/.exec(span) ?? []
        const inside = span.slice(fence.length, -fence.length)
        expect(span.endsWith(fence)).toBe(true)
        expect([...inside.matchAll(/`+/g)].every(([ticks]) => ticks.length !== fence.length)).toBe(true)
        expect(inside).not.toMatch(/\n|(?<!\\)\|/)
      }
    }),
  )
})

it('a login mentions nobody, and is never empty', () => {
  expect(loginInMarkdown('a_b[bot]')).toBe('a\\_b\\[bot\\]')
  expect(plainLogin('@evil <b>')).toBe('evilb')
  expect(plainLogin('@')).toBe('ghost')
})
