import { getOrCreate } from '../../lib/maps.ts'
import { ANY, type CharacterMatcher, charactersIntersect, NOT_DOT, sharedCharacter } from '../glob/character.ts'
import { anySegment, type NamePattern, type Segment } from '../glob/segment.ts'
import { type CellTable, fillCells } from './cell-table.ts'
import type { Intersection } from './intersection.ts'
import { segmentsIntersect } from './segments.ts'
import type { SequenceWithShortcuts, Shortcut, WildcardSequence } from './wildcard-sequence.ts'

/** A path of the intersection, one that a person could find in a repository where possible. */
export function examplePath(intersection: Intersection): string {
  const segments = intersection.flatMap(({ a, b }) => sharedSegments(a, b))
  let directories = 0
  return segments
    .map(([x, y], i) => {
      const isLast = i === segments.length - 1
      const isFree = x.name === null && y.name === null
      const wish = isLast || !isFree ? 'a' : String.fromCodePoint(0x62 + (directories++ % 25))
      return sharedName(x, y, wish)
    })
    .join('/')
}

/** The pairs of segments that a shared path goes through. */
function sharedSegments(a: WildcardSequence<Segment>, b: WildcardSequence<Segment>) {
  const work = { steps: 0 }
  const known = new Map<Segment, Map<Segment, boolean>>()
  const intersect = (x: Segment, y: Segment) =>
    getOrCreate(
      getOrCreate(known, x, () => new Map<Segment, boolean>()),
      y,
      () => segmentsIntersect(x, y, work),
    )
  const { steps } = walkBack(a, b, fillCells(a, b, intersect), intersect)
  return steps.map(({ x, y }) => [x ?? anySegment, y ?? anySegment] as const)
}

/** A name that matches both segments, with `wish` where any character will do. The two must intersect. */
function sharedName(a: Segment, b: Segment, wish: string): string {
  if (a.name !== null && (a.isLiteral || a.name === b.name)) return a.name
  if (b.name !== null && b.isLiteral) return b.name
  for (const x of a.readings) {
    for (const y of b.readings) {
      const name = nameOfPatterns(x, y, wish)
      if (name !== null) return name
    }
  }
  throw new Error('The two segments share no name.')
}

function nameOfPatterns(a: NamePattern, b: NamePattern, wish: string): string | null {
  const cells = fillCells<CharacterMatcher>(a, b, charactersIntersect)
  if (!cells.isReached(a.items.length, b.items.length)) return null
  const { steps, spaces } = walkBack<CharacterMatcher>(a, b, cells, charactersIntersect)
  const characters = steps.map(({ x, y }) => sharedCharacter(x ?? ANY, y ?? ANY, wish))
  const name = fillSpaces(characters, spaces, wish)
  // Then both have a star, and share longer names as well.
  return name === '' || name === '.' || name === '..' ? nameOfPatterns(withCharacter(a), b, wish) : name
}

/** Puts a character under a star where a name would look incomplete without: `.ts` becomes `a.ts`. */
function fillSpaces(characters: readonly string[], spaces: ReadonlySet<number>, wish: string): string {
  const isPlain = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)
  let name = ''
  for (let i = 0; i <= characters.length; i++) {
    if (spaces.has(i) && !isPlain(characters[i - 1]) && !isPlain(characters[i])) name += wish
    name += characters[i] ?? ''
  }
  return name
}

/** The pattern with a character other than a dot under its first star. */
function withCharacter({ items, stars, shortcuts }: NamePattern): NamePattern {
  const [first = 0] = stars
  const later = (place: number) => (place > first ? place + 1 : place)
  return {
    items: items.toSpliced(first, 0, NOT_DOT),
    stars: [first, first + 1, ...stars.slice(1).map(later)],
    shortcuts: shortcuts.map((shortcut) => ({
      ...shortcut,
      from: shortcut.from >= first ? shortcut.from + 1 : shortcut.from,
      to: later(shortcut.to),
    })),
  }
}

/** One thing that matches both sequences: the item of each that matches it, or null where it falls under a star. */
interface Step<T> {
  readonly x: T | null
  readonly y: T | null
}

interface Walk<T> {
  readonly steps: readonly Step<T>[]
  /** How many steps precede a place where both sequences have a star. Anything may be put there. */
  readonly spaces: ReadonlySet<number>
}

/**
 * A way through both sequences, found from their ends back to their starts over reached cells. It takes an item of both
 * where it can, which makes it short.
 */
export function walkBack<T>(
  a: SequenceWithShortcuts<T>,
  b: SequenceWithShortcuts<T>,
  cells: CellTable,
  itemsIntersect: (x: T, y: T) => boolean,
): Walk<T> {
  const steps: Step<T>[] = []
  const spaces: number[] = []
  let [i, j] = [a.items.length, b.items.length]
  for (;;) {
    const [starOfA, starOfB] = [a.stars.includes(i), b.stars.includes(j)]
    if (starOfA && starOfB) spaces.push(steps.length)
    if (i === 0 && j === 0) break
    const [intoA, intoB] = [edgesInto(a, i), edgesInto(b, j)]
    const both = intoA
      .flatMap((x) => intoB.map((y) => ({ x, y })))
      .find(({ x, y }) => cells.isReached(x.from, y.from) && itemsIntersect(x.item, y.item))
    const x = both?.x ?? (starOfB ? intoA.find(({ from }) => cells.isReached(from, j)) : undefined)
    const y = both?.y ?? (x === undefined && starOfA ? intoB.find(({ from }) => cells.isReached(i, from)) : undefined)
    if (x === undefined && y === undefined) throw new Error('The ends of the two sequences are not reached together.')
    steps.push({ x: x?.item ?? null, y: y?.item ?? null })
    i = x?.from ?? i
    j = y?.from ?? j
  }
  return { steps: steps.reverse(), spaces: new Set(spaces.map((before) => steps.length - before)) }
}

/** The ways to a place, preferred ones first. */
function edgesInto<T>({ items, shortcuts = [] }: SequenceWithShortcuts<T>, place: number) {
  const item = items[place - 1]
  const step: Pick<Shortcut<T>, 'from' | 'item'>[] = item === undefined ? [] : [{ from: place - 1, item }]
  const shortcut = shortcuts.find(({ to }) => to === place)
  if (shortcut === undefined) return step
  return shortcut.isPreferred ? [shortcut, ...step] : [...step, shortcut]
}
