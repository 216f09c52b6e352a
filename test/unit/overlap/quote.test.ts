import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinFirst, joinWords } from '../../../src/core/texts/join-words.ts'
import { excerpt, quoted, quotedPath } from '../../../src/core/texts/quote.ts'
import { codePoint } from '../../support/arbitrary/code-point.ts'

const unusual = fc.constantFrom(
  '\n',
  '\r',
  '\u2028',
  '\u0007',
  '\u202e',
  '\u2066',
  '\u200b',
  '\u200d',
  '\ufe0f',
  '👩',
  'a',
  ' ',
)
const text = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 200 }),
  fc.array(unusual, { maxLength: 200 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
)
const breaking = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u
/** Zero-width characters, tags and variation selectors; not U+FE0F, which shows a symbol as an emoji. */
const hidden = /[\u00ad\u200b-\u200f\u2060-\u206f\ufeff]|[\ufe00-\ufe0e]|[\u{e0000}-\u{e0fff}]/u

describe('quoted text', () => {
  it.each([
    ['excerpt', excerpt, 80] as const,
    ['quoted', quoted, 82] as const,
    ['quotedPath', quotedPath, 82] as const,
  ])('by %s is never longer than 80 characters, on one line and without hidden characters', (_, cut, most) => {
    fc.assert(
      fc.property(text, (given) => {
        const shown = cut(given)
        expect(Array.from(shown).length).toBeLessThanOrEqual(most)
        expect(shown).not.toMatch(breaking)
        expect(shown).not.toMatch(hidden)
      }),
      { numRuns: 2000 },
    )
  })

  it('is not changed by a second cut', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(excerpt(excerpt(given))).toBe(excerpt(given))
      }),
      { numRuns: 5000 },
    )
  })

  it.each([
    ['a\r\n\tb', 'a b'],
    ['fe\u00adat\u200bure', 'feature'],
    ['👩‍💻 ❤️', '👩💻 ❤️'],
    ['a\ufe0f\u{e0041}b\u200dc', 'abc'],
    ['x'.repeat(80), 'x'.repeat(80)],
    ['x'.repeat(81), `${'x'.repeat(79)}…`],
  ])('%j reads %j', (given, shown) => expect(excerpt(given)).toBe(shown))

  it.each([
    ['a” b', '“a" b”'],
    ['a‟❞〞〟＂ b', '“a""""" b”'],
    ['Alice', '“Alice”'],
  ])('cannot end its quotation: %j', (given, shown) => expect(quoted(given)).toBe(shown))

  it.each([['quoted', quoted] as const, ['quotedPath', quotedPath] as const])(
    'by %s contains no such quotation mark but the first and the last',
    (_, cut) => {
      fc.assert(
        fc.property(text, fc.constantFrom('“', '”', '‟'), (given, mark) => {
          expect(cut(`${given}${mark}${given}`).slice(1, -1)).not.toMatch(/[“”‟]/)
        }),
      )
    },
  )

  it('loses its middle if it is a long path', () => {
    const shown = quotedPath(`packages/${'deep/'.repeat(30)}login.ts`)
    expect(shown).toMatch(/^“packages\/.*….*\/login\.ts”$/)
    expect(Array.from(shown)).toHaveLength(82)
  })

  it('is joined to a list of words', () => {
    expect([['a'], ['a', 'b'], ['a', 'b', 'c']].map(joinWords)).toEqual(['a', 'a and b', 'a, b and c'])
  })

  it('is joined to a list that counts the words it does not name', () => {
    expect([1, 2, 3].map((most) => joinFirst(['a', 'b', 'c'], most))).toEqual([
      'a and 2 more',
      'a, b and 1 more',
      'a, b and c',
    ])
  })
})
