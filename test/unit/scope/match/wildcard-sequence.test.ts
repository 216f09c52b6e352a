import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillCells } from '../../../../src/core/scope/match/cell-table.ts'
import { walkBack } from '../../../../src/core/scope/match/example-path.ts'
import { sequencesIntersect, type WildcardSequence } from '../../../../src/core/scope/match/wildcard-sequence.ts'

/** Letters, `?` for any of them, and stars: each read from a text. */
function sequenceOf(text: string): WildcardSequence<string> {
  const items: string[] = []
  const stars: number[] = []
  for (const char of text.replace(/\*+/g, '*')) {
    if (char === '*') stars.push(items.length)
    else items.push(char)
  }
  return { items, stars }
}

const itemsIntersect = (x: string, y: string) => x === y || x === '?' || y === '?'
const text = fc.array(fc.constantFrom('a', 'b', '?', '*'), { maxLength: 7 }).map((all) => all.join(''))
const words = (length: number): string[] =>
  length === 0 ? [''] : words(length - 1).flatMap((word) => [`${word}a`, `${word}b`])
const shortWords = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap(words)
const toRegExp = (pattern: string) => new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`)

describe('two sequences with stars', () => {
  it('intersect where some word matches both, and the table of cells says the same', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [x, y] = [sequenceOf(a), sequenceOf(b)]
        const [ofA, ofB] = [toRegExp(a), toRegExp(b)]
        // Words of that length are enough only where the texts are short.
        fc.pre(x.items.length + y.items.length <= 9)
        const expected = shortWords.some((word) => ofA.test(word) && ofB.test(word))
        expect(sequencesIntersect(x, y, itemsIntersect, { steps: 0 })).toBe(expected)
        expect(fillCells(x, y, itemsIntersect).isReached(x.items.length, y.items.length)).toBe(expected)
      }),
      { numRuns: 300 },
    )
  })

  it('share the word that the way back through the cells spells', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [x, y] = [sequenceOf(a), sequenceOf(b)]
        const cells = fillCells(x, y, itemsIntersect)
        if (!cells.isReached(x.items.length, y.items.length)) return
        const { steps } = walkBack(x, y, cells, itemsIntersect)
        const word = steps.map(({ x, y }) => [x, y].find((item) => item !== null && item !== '?') ?? 'a').join('')
        expect(word).toMatch(toRegExp(a))
        expect(word).toMatch(toRegExp(b))
      }),
    )
  })
})
