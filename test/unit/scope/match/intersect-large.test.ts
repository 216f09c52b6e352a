import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { examplePath } from '../../../../src/scope/match/example-path.ts'
import { intersect, startIntersecting } from '../../../../src/scope/match/intersect.ts'
import { intersectLarge } from '../../../../src/scope/match/intersect-large.ts'
import { runToEnd, unlimitedBudget, workBudget } from '../../../../src/scope/match/work-budget.ts'
import { glob, simplePath } from '../glob-samples.ts'
import { read, sharedPath } from '../read.ts'
import { counts } from '../reference-matcher.ts'

const many = (text: string, times: number) => text.repeat(times)
const distinct = (count: number, first: number, write: (character: string) => string) =>
  Array.from({ length: count }, (_, i) => write(String.fromCodePoint(first + i))).join('')
/** Two hundred alternatives. */
const list = (write: (x: string, y: string) => string) =>
  Array.from('abcdefgh', (y) => Array.from('abcdefghijklmnopqrstuvwxy', (x) => write(x, y))).join()

/** Alternatives, each with a character of its own. */
const each = (count: number, write: (character: string) => string) =>
  `{${distinct(count, 0x4e00, (c) => `,${write(c)}`).slice(1)}}`

/** Pairs that other ways of deciding do not survive, and what a search for the dearest found; a step is some nanoseconds. */
const pairs: [what: string, a: string, b: string, meet: boolean][] = [
  ['globstars', many('**/a/', 200), many('**/c/', 200), true],
  ['stars', many('*a', 510), `${many('*b', 510)}c`, false],
  ['a long run in a longer one', `*${many('a', 500)}b*`, many('a', 1020), false],
  ['a run with any characters', `*${many('?a', 240)}b*`, many('?a', 500), true],
  ['256 alternatives of runs', `*${many('{a,?}', 8)}aaab*`, `${many('{a,?}', 8)}${many('a', 8)}`, false],
  ['256 alternatives on both sides', `${many('{a,b}', 8)}ccccccc`, `${many('{a,b}', 8)}dddddddd`, false],
  ['256 alternatives with stars', `*${many('{a,b}', 8)}c*d`, `*${many('{a,b}', 8)}e*f`, false],
  ['brackets', `${many('[]a[]', 200)}b`, `${many('[]a[]', 200)}c`, false],
  ['brackets with stars', `${many('*[]a[]', 170)}b`, `${many('*[]a[]', 170)}c`, false],
  ['alternatives of long brackets', `{,b}{,c}${many('*[]a[]', 150)}b`, `{,b}{,c}${many('*[]a[]', 150)}c`, false],
  [
    '256 alternatives of brackets',
    `*${many('{[ab],a}', 3)}${many('{a,?}', 5)}*c`,
    `*${many('{[ab],b}', 3)}${many('{a,?}', 5)}*d`,
    false,
  ],
  [
    'long brackets between alternatives, written alike',
    `{a,?}{a,b}${many('[abcdefghijklmnop]', 56)}[!a]`,
    `{a,?}{a,b}${many('[abcdefghijklmnop]', 56)}[!a]`,
    true,
  ],
  [
    'long brackets against 128 alternatives',
    `{a,b}${many('{a,[ab]}', 6)}b`,
    `{a,b,c,d}${many('[abcdefghijklmnop]', 56)}b`,
    false,
  ],
  [
    'long brackets that differ at the front alone',
    `x{a,b}${many('[abcdefghijklmnop]', 54)}{a,b}10`,
    `y{a,b}${many('[abcdefghijklmnop]', 54)}{a,b}10`,
    false,
  ],
  [
    'brackets of alternatives against themselves',
    `{a,b,c,d}${many('{a,[ab]}', 4)}{b,c}{d,e}`,
    `{a,b,c,d}${many('{a,[ab]}', 4)}{b,c}{d,e}`,
    true,
  ],
  [
    'brackets of brackets that differ at both ends',
    `{a,?}{a,b}${many('[]a[]', 101)}{.aa,.bb}`,
    `{a,?}{a,b}${many('[]a[]', 101)}{.aa,.bb}`,
    true,
  ],
  ['stars and short brackets', `{aa,bb}${many('a[a]', 252)}{[bc],d}`, `{aa,bb}${many('*[a-z]', 168)}{[bc],d}`, true],
  ['many lengths against brackets', `{,*}{,?*}${many('{[a],}', 6)}b.c`, `{a,b,c,d}${many('[ab]', 251)}b.c`, true],
  [
    'lists that end alike',
    `{${list((x, y) => `${x}${y}/${x}`)}}[]a[][]a[]`,
    `{${list((x, y) => `${x}${y}/${x}`)}}aa[!x]`,
    false,
  ],
  [
    'lists of paths that share nothing',
    `{${list((x, y) => `[!${x}]${y}`).slice(0, 719)}}{**/a/,b/}[!a]`,
    `{${list((x, y) => `${x}${y}/${x}`)}}**/?/**/?/[!a]`,
    false,
  ],
  [
    'lists of all characters but one',
    `**/*${each(202, (c) => `[!${c}]`)}**/?/[!a]`,
    `{,a}${each(128, (c) => `[!${c}]`)}/[!a]`,
    true,
  ],
  [
    'lists of paths that end alike in all but a class',
    `{,a}${each(95, (c) => `?[!${c}]/[${c}]`)}????????????`,
    `????????????${each(125, (c) => `${c}/?[!${c}]`)}[abcdefgh]`,
    false,
  ],
  [
    'lists of paths whose segments nearly all meet',
    `*a*a*a*a${each(141, (c) => `${c}?/?${c}?`)}/**/?/**/?/[!a]`,
    `{,b}{,c}${each(64, (c) => `[!${c}]*/*/?${c}/${c}?`)}*`,
    false,
  ],
  [
    'classes of two lists that nearly all meet',
    `[!a]${each(145, (c) => `[!${c}]/*`)}/*`,
    `[]a[][]a[][]a[]${each(195, (c) => `[!${c}]`)}/a`,
    false,
  ],
  [
    'lists of names against classes',
    `**/${each(127, (c) => `${c}a/[!${c}]`)}[!a]`,
    `?/${each(168, (c) => `?${c}/1${c}`)}[ab][ab][ab]`,
    true,
  ],
  [
    'names against classes, both with stars',
    `[ab][ab]${each(163, (c) => `${c}*/1${c}`)}[ab][ab][ab]`,
    `**/${each(127, (c) => `${c}*/[!${c}]`)}[!a]`,
    true,
  ],
  [
    'names between brackets against classes around a star',
    `*[abcdefgh]${each(157, (c) => `?${c}/1${c}`)}[]a[][]a[]`,
    `[!a]*{,a}${each(91, (c) => `[!${c}]*/[!${c}]`)}[!a]`,
    false,
  ],
  [
    'classes behind a character against classes in front of one',
    `aa[!x]${each(126, (c) => `${c}/?[!${c}]`)}{,*}`,
    `??????${each(62, (c) => `[!${c}]*/?[!${c}]/[${c}]`)}[abcdefgh]{,*}`,
    false,
  ],
  [
    'names behind stars in front of classes against names between brackets',
    `[!a]*{,a}${each(124, (c) => `*${c}/[!${c}]`)}[!a]`,
    `?/[abcdefgh]${each(151, (c) => `?${c}/1${c}`)}[]a[][]a[]`,
    false,
  ],
  [
    'unions that each meet other ones, and nearly all',
    `**/*/**/${each(126, (c) => `?${c}?/[${c}]`)}{,.b}`,
    `/**${each(127, (c) => `${c}/?[!${c}]`)}{,*}`,
    false,
  ],
  [
    'what ends alike in each union against classes around a star',
    `?/[abcdefgh]${each(64, (c) => `?${c}/*${c}*/a*a,[${c}]`)}[ab][ab][ab]`,
    `[!a]*{,a}${each(91, (c) => `[!${c}]*/[!${c}]`)}[!a]`,
    false,
  ],
  [
    'names with and without a star at the end against classes around one',
    `?${each(110, (c) => `*${c}*a/1${c}`)}[]a[][]a[]{,*}`,
    `[!a]*{,a}${each(91, (c) => `[!${c}]*/[!${c}]`)}[!a]`,
    false,
  ],
  ['lists of names that all meet', `{${list((x, y) => `?${x}${y}`)}}/c`, `{${list((x, y) => `${x}${y}?`)}}/d`, false],
  ['a class of two characters sixty times', many('[ab]', 60), many('[bc]', 60), true],
  ['many classes', `${distinct(170, 0x4e00, (c) => `*[${c}]`)}b`, `${distinct(170, 0x6e00, (c) => `*[${c}]`)}c`, false],
  [
    'many characters',
    `{,b}{,c}${distinct(500, 0x4e00, (c) => `*${c}`)}`,
    `{,b}{,c}${distinct(500, 0x6e00, (c) => `*${c}`)}`,
    false,
  ],
  ['long paths', `{,x/}{,y/}**/${many('?a/', 320)}c/**/d`, `{,x/}{,y/}${many('?a/', 320)}b`, true],
  ['paths of brackets', `{,x/}{,y/}**/${many('[ab]/', 190)}c/**/d/e`, `{,x/}{,y/}${many('[ac]/', 190)}b/?`, false],
  ['files all the way', `${many('**/a.b/', 140)}x.y`, `${many('**/a.b/', 140)}c/x.y`, false],
  ['below files', `**/${many('a.b/', 140)}c.d`, `${many('**/?.b/', 140)}q.d/z.c`, false],
  ['below a file at last', `**/${many('a.b/', 140)}q.d`, `${many('**/?.b/', 140)}q.d/z.c`, true],
]

/** By the automaton, whatever the size of the globs. */
const decideLarge = (a: string, b: string) => runToEnd(intersectLarge(read(a), read(b), unlimitedBudget()))
const intersectsLarge = (a: string, b: string) => decideLarge(a, b) !== null
const intersects = (a: string, b: string) => intersect(read(a), read(b)) !== null

describe('a pair of globs made to be hard is decided in slices of bounded work', () => {
  it.each(pairs)('%s', (_, a, b, expected) => {
    for (const [x, y] of [
      [read(a), read(b)],
      [read(b), read(a)],
    ] as const) {
      const budget = workBudget()
      budget.sliceEnd = 100_000
      const found = startIntersecting(x, y, budget)
      if (found === null || !('next' in found)) {
        expect(found !== null).toBe(expected)
        expect(budget.steps).toBeLessThan(500_000)
        continue
      }
      for (let slice = found.next(); ; slice = found.next()) {
        expect(budget.steps).toBeLessThan(budget.sliceEnd + 100_000)
        budget.sliceEnd = budget.steps + 100_000
        if (!slice.done) continue
        expect(slice.value !== null).toBe(expected)
        break
      }
      expect(budget.steps).toBeLessThan(4_000_000)
    }
  })

  it.each(pairs.filter(([, , , expected]) => expected))('%s: and has an example path', (_, a, b) => {
    expect(sharedPath(a, b)).not.toBeNull()
  })

  it('shows a path that counts for both', () => {
    const [a, b] = [`*${many('[ab]', 20)}*/**/x`, `${many('?', 20)}*/y/**`]
    expect(counts(a, b, sharedPath(a, b) ?? '')).toBe(true)
  })
})

describe('all alternatives together are decided as one by one', () => {
  it('for random globs, in either order', () => {
    fc.assert(
      fc.property(fc.oneof(glob, simplePath), fc.oneof(glob, simplePath), (a, b) => {
        const [small, large] = [intersect(read(a), read(b)), decideLarge(a, b)]
        expect(large?.length).toBe(small?.length)
        expect(intersectsLarge(b, a)).toBe(small !== null)
        if (large !== null) expect(counts(a, b, examplePath(large))).toBe(true)
      }),
      { numRuns: 1000 },
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
    ['{x,y}.b/z', '{c,*,x.?}/z'],
    ['{x,y}.b', '{c,*,x.?}/a/**'],
  ])('and so %s and %s intersect', (a, b) => {
    expect([intersects(a, b), intersectsLarge(a, b), intersectsLarge(b, a)]).toEqual([true, true, true])
  })

  it.each([
    ['{x,y}.b', '{c,d,*}/a/**'],
    ['.*', '{?,[.]}'],
    ['.*.', '??'],
    ['*.', '{.?,?.}'],
    ['.*/a', '{**/[.][.],b}/a'],
  ])('and so %s and %s do not intersect, for files and for names of dots', (a, b) => {
    const expected = intersects(a, b)
    expect([intersectsLarge(a, b), intersectsLarge(b, a)]).toEqual([expected, expected])
  })

  it('for long lists of alternatives that end alike', () => {
    const part = fc.constantFrom('a', '?', '[ab]', '[!a]', '[bc]', '[b]', '*c')
    const ends = fc.array(fc.tuple(part, fc.boolean()), { minLength: 38, maxLength: 38 })
    const letters = Array.from('abcdefghijklmnopqrstuvwxyz')
    const list = (end: readonly string[], start: (letter: string, i: number) => string) =>
      `{${letters.map(start)}}${end.join('')}`
    fc.assert(
      fc.property(ends, fc.boolean(), fc.nat(37), part, fc.constantFrom('e', '?'), (end, all, at, other, fifth) => {
        const named: Record<string, string> = { '[ab]': 'b', '[!a]': 'b', '*c': 'abc' }
        const endOfA = end.map(([part]) => part)
        const endOfB = end.map(([part, one]) => ((all || one) && named[part]) || part).with(at, other)
        const a = list(endOfA, (letter) => `${letter}/${letter}`)
        const b = list(endOfB, (letter, i) => (letter === 'e' ? `${fifth}/f` : `${letter}/${letters.at(i - 1)}`))
        const expected = intersects(a, b)
        expect([intersectsLarge(a, b), intersectsLarge(b, a)]).toEqual([expected, expected])
      }),
      { numRuns: 60 },
    )
  })

  it('wherever among the bits a character or a bracket falls', () => {
    for (let length = 0; length < 70; length++) {
      const start = 'x'.repeat(length)
      const meets = (a: string, b: string) => {
        expect(intersects(start + a, start + b)).toBe(intersectsLarge(start + a, start + b))
        return intersects(start + a, start + b)
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
})
