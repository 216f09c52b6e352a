import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findMeetingOneByOne, globsMeet } from '../../../src/scope/glob-meet.ts'
import { meetingPath, pathOf } from '../../../src/scope/glob-witness.ts'
import { findMeetingAtOnce, meetAtOnce } from '../../../src/scope/meet-at-once.ts'
import { glob, segment, simplePath } from './glob-samples.ts'
import { read } from './read.ts'
import { automataMeet } from './reference-automata.ts'
import { counts, countsPlainly } from './reference-matcher.ts'

const words = (length: number): string[] =>
  length === 0 ? [''] : words(length - 1).flatMap((word) => Array.from('ab.[]', (character) => word + character))
const shortNames = [1, 2, 3, 4].flatMap(words)
const paths = (depth: number): string[] =>
  depth === 0
    ? []
    : ['a', 'b', 'ab', 'a.b', 'b.b', '[ab]', '.a'].flatMap((name) => [
        name,
        ...paths(depth - 1).map((path) => `${name}/${path}`),
      ])
const shortPaths = paths(4)

const runs = (numRuns: number) => ({ numRuns })

describe('whether two globs meet', () => {
  it('is yes for segments exactly where the plain matcher finds a common name', () => {
    fc.assert(
      fc.property(segment, segment, (a, b) => {
        const path = meetingPath(read(a), read(b))
        if (path === null) expect(shortNames.filter((name) => counts(a, b, name))).toEqual([])
        else expect(counts(a, b, path)).toBe(true)
      }),
      runs(600),
    )
  })

  it('is yes for paths exactly where the plain matcher finds a common path', () => {
    fc.assert(
      fc.property(simplePath, simplePath, (a, b) => {
        const path = meetingPath(read(a), read(b))
        if (path === null) expect(shortPaths.filter((shared) => counts(a, b, shared))).toEqual([])
        else expect(counts(a, b, path)).toBe(true)
      }),
      runs(200),
    )
  })

  it('is what an automata library finds', () => {
    fc.assert(
      fc.property(glob, glob, (a, b) => {
        expect(globsMeet(read(a), read(b))).toBe(automataMeet(a, b))
      }),
      runs(1500),
    )
  })

  it('is the same whether alternatives are compared one by one or all at once', () => {
    fc.assert(
      fc.property(fc.oneof(glob, simplePath), fc.oneof(glob, simplePath), (a, b) => {
        const [x, y] = [read(a), read(b)]
        const [oneByOne, atOnce] = [findMeetingOneByOne(x, y, { steps: 0 }), findMeetingAtOnce(x, y, { steps: 0 })]
        expect(atOnce?.length).toBe(oneByOne?.length)
        expect(meetAtOnce(x, y, { steps: 0 })).toBe(oneByOne !== null)
        if (atOnce !== null) expect(counts(a, b, pathOf(atOnce, { steps: 0 }))).toBe(true)
      }),
      runs(3000),
    )
  })

  it.each([
    ['{*,a.b}/c', 'a.b'],
    ['{*.b,c.d}', 'c.d/x'],
    ['{a.b,c.d}', 'c.d/x'],
    ['{a.b,x/c.d}', 'x/c.d'],
    ['{a,b}/{c,d}/{e,f}', 'b/c/f'],
    ['{[!a],[\\!a]}/x', 'b/x'],
    ['{[!a],[\\!a]}/x', 'a/x'],
  ])('is yes for %s and %s, whichever alternative it is', (a, b) => {
    const [x, y] = [read(a), read(b)]
    expect([globsMeet(x, y), meetAtOnce(x, y, { steps: 0 }), meetAtOnce(y, x, { steps: 0 })]).not.toContain(false)
  })

  it('is the same for long lists of alternatives that end alike', () => {
    const part = fc.constantFrom('a', '?', '[ab]', '[!a]', '[bc]', '[b]', '*c')
    const ends = fc.array(fc.tuple(part, fc.boolean()), { minLength: 38, maxLength: 38 })
    const letters = Array.from('abcdefghijklmnopqrstuvwxyz')
    const list = (end: readonly string[], start: (letter: string, i: number) => string) =>
      read(`{${letters.map(start)}}${end.join('')}`)
    fc.assert(
      fc.property(ends, fc.boolean(), fc.nat(37), part, fc.constantFrom('e', '?'), (end, all, at, other, fifth) => {
        const named: Record<string, string> = { '[ab]': 'b', '[!a]': 'b', '*c': 'abc' }
        const endOfA = end.map(([part]) => part)
        const endOfB = end.map(([part, one]) => ((all || one) && named[part]) || part).with(at, other)
        const a = list(endOfA, (letter) => `${letter}/${letter}`)
        const b = list(endOfB, (letter, i) => (letter === 'e' ? `${fifth}/f` : `${letter}/${letters.at(i - 1)}`))
        const meet = findMeetingOneByOne(a, b, { steps: 0 }) !== null
        expect(meetAtOnce(a, b, { steps: 0 })).toBe(meet)
        expect(meetAtOnce(b, a, { steps: 0 })).toBe(meet)
      }),
      runs(60),
    )
  })

  it('is the same wherever in a word of bits a character or a bracket falls', () => {
    for (let length = 0; length < 70; length++) {
      const start = 'x'.repeat(length)
      const meets = (a: string, b: string) => {
        const [x, y] = [read(start + a), read(start + b)]
        const meet = findMeetingAtOnce(x, y, { steps: 0 }) !== null
        expect(findMeetingOneByOne(x, y, { steps: 0 }) !== null).toBe(meet)
        return meet
      }
      expect([
        meets('[ab]y', 'by'),
        meets('by', '[ab]y'),
        meets('[ab]y', '[ab]y'),
        meets('[ab]*y', '*[ab]y'),
      ]).not.toContain(false)
      expect([meets('[ab]y', 'cy'), meets('[ab]y', 'b'), meets('[ab]y', '[cd]y'), meets('*y', 'z')]).not.toContain(true)
    }
  })

  it('does not depend on the order of the two', () => {
    fc.assert(
      fc.property(glob, glob, (a, b) => {
        expect(globsMeet(read(a), read(b))).toBe(globsMeet(read(b), read(a)))
        expect(meetingPath(read(a), read(b))).toBe(meetingPath(read(b), read(a)))
      }),
      runs(2000),
    )
  })

  it('shows a path that counts for both, and below no file where there is such a path', () => {
    fc.assert(
      fc.property(glob, glob, (a, b) => {
        const path = meetingPath(read(a), read(b))
        expect(path !== null).toBe(globsMeet(read(a), read(b)))
        if (path === null) return
        expect(counts(a, b, path)).toBe(true)
        if (!countsPlainly(a, b, path)) expect(shortPaths.filter((shared) => countsPlainly(a, b, shared))).toEqual([])
      }),
      runs(2000),
    )
  })
})
