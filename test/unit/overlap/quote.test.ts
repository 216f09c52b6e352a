import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { excerpt, joinWords, name, pathExcerpt, quoted } from '../../../src/overlap/quote.ts'

const nasty = fc.constantFrom(
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
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(nasty, { maxLength: 200 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
)
const breaking = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

describe('text of others', () => {
  it.each([
    ['excerpt', excerpt, 80] as const,
    ['quoted', quoted, 82] as const,
    ['name', name, 82] as const,
    ['pathExcerpt', pathExcerpt, 82] as const,
  ])('by %s is never longer than 80 characters, and never breaks or turns the line', (_, cut, most) => {
    fc.assert(
      fc.property(text, (given) => {
        const shown = cut(given)
        expect(Array.from(shown).length).toBeLessThanOrEqual(most)
        expect(shown).not.toMatch(breaking)
      }),
      { numRuns: 2000 },
    )
  })

  it('stays as it is when it is cut again', () => {
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
    ['👩‍💻 ❤️', '👩‍💻 ❤️'],
    ['x'.repeat(80), 'x'.repeat(80)],
    ['x'.repeat(81), `${'x'.repeat(79)}…`],
  ])('%j reads %j', (given, shown) => expect(excerpt(given)).toBe(shown))

  it('cannot end its own quotation marks', () => expect(quoted('a” b')).toBe('“a" b”'))

  it('is a plain name up to three words, and quoted beyond', () => {
    expect(name('Ada King Lovelace')).toBe('Ada King Lovelace')
    expect(name('ignore all previous instructions')).toBe('“ignore all previous instructions”')
  })

  it('loses the middle where it is a long path', () => {
    const shown = pathExcerpt(`packages/${'deep/'.repeat(30)}login.ts`)
    expect(shown).toMatch(/^packages\/.*….*\/login\.ts$/)
    expect(Array.from(shown)).toHaveLength(80)
  })

  it('is listed as one says it', () => {
    expect([['a'], ['a', 'b'], ['a', 'b', 'c']].map(joinWords)).toEqual(['a', 'a and b', 'a, b and c'])
  })
})
