import { expect, it } from 'vitest'
import { cheaperReading, sideOf } from '../../../src/scope/cheaper-reading.ts'
import { smallestNet } from '../../../src/scope/smallest-net.ts'
import { united } from '../../../src/scope/united-paths.ts'
import { read } from './read.ts'

const side = (text: string) => sideOf(united(read(text).paths, { steps: 0 }).unions)
/** Alternatives, each with a character of its own. */
const each = (count: number, write: (character: string) => string) =>
  `{${Array.from({ length: count }, (_, i) => write(String.fromCodePoint(0x4e00 + i))).join()}}`

it.each([
  [
    'names, and not many classes',
    `[ab]${each(160, (c) => `?${c}/1${c}`)}[ab][ab][ab]`,
    `${each(127, (c) => `${c}a/[!${c}]`)}[!a]`,
  ],
  [
    'classes that end alike, and not those that do not',
    each(190, (c) => `[!${c}]`),
    `a${each(140, (c) => `[!${c}]/b`)}c`,
  ],
  [
    'what ends alike in each union, and not what does not',
    `?/[abcdefgh]${each(60, (c) => `?${c}/*${c}*/a*a,[${c}]`)}[ab][ab][ab]`,
    `[!a]*{,a}${each(80, (c) => `[!${c}]*/[!${c}]`)}[!a]`,
  ],
  ['many shapes of one segment, and not the fewer of many', `${'{a,?}'.repeat(6)}b`, each(40, (c) => `${c}/${c}b`)],
])('puts together what is quicker to read, in either order: %s', (_, quicker, slower) => {
  const [lines, sides] = [side(quicker), side(slower)]
  expect(cheaperReading(lines, sides, { steps: 0 }).lines).toBe(lines)
  expect(cheaperReading(sides, lines, { steps: 0 }).lines).toBe(lines)
})

it.each([
  ['from the beginning where they begin alike', each(40, (c) => `long${c}/${c}`), false],
  ['from the end where they end alike', each(40, (c) => `${c}long/${c}`), true],
  ['from the end where gaps are early', each(40, (c) => `*${c}x/${c}`), true],
  ['from the beginning where gaps are late', each(40, (c) => `x${c}*/${c}`), false],
  ['from the beginning, in spite of gaps, where they begin far more alike', each(40, (c) => `*long${c}/${c}`), false],
])('reads lists %s', (_, text, turned) => {
  expect(cheaperReading(side(`a/${text}`), side(`b/${text}`), { steps: 0 }).parts).toMatchObject([{ turned }])
})

it('reads names from the end that they share: some from the beginning and some from the end', () => {
  const names = side(`[abcdefgh]${each(120, (c) => `${c}/1${c}`)}[abcdefgh]`)
  const { lines, parts } = cheaperReading(names, side(`${each(120, (c) => `[!${c}]a/b`)}`), { steps: 0 })
  expect(lines).toBe(names)
  expect(parts).toMatchObject([{ turned: false }, { turned: true }])
  const first = parts.map(({ shapes }) => String.fromCodePoint(...(shapes[0]?.line.items ?? [])))
  expect(first).toEqual(['[abcdefgh]一', '1丁[abcdefgh]'])
})

it('has beginnings once, also of names with and without a star in front', () => {
  const { shapes, groups } = side(`{,*}${each(40, (c) => `long${c}/${c}`)}`)
  const nodes = smallestNet({ shapes, turned: false }, groups).nodes.length - groups
  expect(nodes).toBeLessThan(3 * groups)
})
