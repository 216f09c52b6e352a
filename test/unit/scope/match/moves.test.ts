import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type CharacterMatcher, charactersIntersect, NOT_DOT } from '../../../../src/scope/glob/character.ts'
import { type CharacterSet, characterSet, isEmpty } from '../../../../src/scope/glob/character-set.ts'
import { bitSet } from '../../../../src/scope/match/bit-set.ts'
import { MoveTable } from '../../../../src/scope/match/moves.ts'

const item = fc.oneof(fc.constantFrom(...Array.from('.abcxyz', (c) => c.charCodeAt(0))), fc.constantFrom(-1, NOT_DOT))
const character = fc.integer({ min: 0x2c, max: 0x7b })
const set = fc
  .tuple(fc.array(fc.tuple(character, character), { maxLength: 4 }), fc.boolean())
  .map(([ranges, negated]) => characterSet(ranges.flat(), negated))
  .filter((found) => !isEmpty(found))
const size = 400

it('finds the same states as a test of each item and each set', () => {
  fc.assert(
    fc.property(
      fc.array(item, { maxLength: 200 }),
      fc.array(set, { maxLength: 8 }),
      fc.array(fc.oneof<fc.Arbitrary<CharacterMatcher>[]>(item, set), { minLength: 1 }),
      (items, sets: CharacterSet[], matchers) => {
        const table = new MoveTable()
        items.forEach((by, state) => {
          table.addItem(by, state)
        })
        sets.forEach((by, n) => {
          table.addShortcut(by, 300 + n)
        })
        for (const matcher of matchers) {
          const meets = (by: CharacterMatcher) => charactersIntersect(matcher, by)
          const { next, shortcut } = table.movesBy(matcher, size, { steps: 0 })
          const states = [...items.keys()].filter((state) => meets(items[state] ?? 0))
          const shortcuts = sets.flatMap((by, n) => (meets(by) ? [300 + n] : []))
          expect([next, shortcut]).toEqual([bitSet(states, size), bitSet(shortcuts, size)])
        }
      },
    ),
  )
})
