import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoted, quotedPath } from '../../../src/core/texts/quote.ts'
import { hostileCharacters, hostileTexts } from '../../support/hostile-texts.ts'

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc
    .array(fc.constantFrom(...Object.values(hostileTexts), 'a', ' ', '👩', '\ufe0f'), { maxLength: 6 })
    .map((all) => all.join('')),
)

describe.each([
  ['a text', quoted],
  ['a path', quotedPath],
])("§5 other people's text, as %s", (_, quote) => {
  it('is one line of at most 80 characters in quotation marks that it can not end, without hidden ones', () => {
    fc.assert(
      fc.property(text, (given) => {
        const shown = quote(given)
        expect(shown).toMatch(/^“[^“”„‟❝❞〝〞〟＂\n]*”$/u)
        expect(Array.from(shown).length).toBeLessThanOrEqual(82)
        expect(shown).not.toMatch(hostileCharacters)
      }),
      { numRuns: 200 },
    )
  })

  it.each(Object.entries(hostileTexts))('is harmless: %s', (_, given) => {
    const shown = quote(given)
    expect(shown).not.toMatch(hostileCharacters)
    expect(shown.slice(1, -1)).not.toMatch(/[“”„‟❝❞〝〞〟＂\n]/u)
  })
})

it.each([
  ['Alice', '“Alice”'],
  ['a\r\n\tb', '“a b”'],
  ['fe\u00adat\u200bure', '“feature”'],
  ['👩‍💻 ❤️', '“👩💻 ❤️”'],
  ['a” b', '“a" b”'],
  ['x'.repeat(80), `“${'x'.repeat(80)}”`],
  ['x'.repeat(81), `“${'x'.repeat(79)}…”`],
])('§5 %j is quoted as %s', (given, shown) => expect(quoted(given)).toBe(shown))

it('§5 a long path loses its middle', () => {
  const shown = quotedPath(`packages/${'deep/'.repeat(30)}login.ts`)
  expect(shown).toMatch(/^“packages\/.*….*\/login\.ts”$/)
  expect(Array.from(shown)).toHaveLength(82)
})

it('a path that is cut between an emoji and its selector has no selector', () => {
  const shown = quotedPath(`${'a'.repeat(60)}👩\ufe0f${'b'.repeat(39)}`)
  expect(shown).toBe(`“${'a'.repeat(39)}…${'b'.repeat(39)}”`)
})
