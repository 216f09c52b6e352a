import { type Budget, type Item, type Rules, STAR, shared } from './shared.ts'

/** One character of these ranges of code points, or, negated, any other. */
export interface CharacterClass {
  readonly ranges: readonly (readonly [first: number, last: number])[]
  readonly negated: boolean
}

export type Character = Item<string | CharacterClass>

/** A segment: a literal name, or characters with wildcards. */
export interface Name {
  readonly literal: string | null
  readonly characters: readonly Character[]
  /** The literal characters that its names begin and end with. */
  readonly prefix: string
  readonly suffix: string
  /** Whether one star with literal characters around it is all there is. */
  readonly isOneStar: boolean
  /** A file as a directory: it is one only where the other side spells it out. */
  readonly isBelowFile: boolean
}

/** `?` */
export const anyCharacter: CharacterClass = { ranges: [], negated: true }

export function nameOf(characters: readonly Character[]): Name {
  const first = characters.findIndex((one) => typeof one !== 'string')
  const last = characters.findLastIndex((one) => typeof one !== 'string')
  if (first < 0) return literalName(characters.join(''))
  return {
    literal: null,
    characters,
    prefix: characters.slice(0, first).join(''),
    suffix: characters.slice(last + 1).join(''),
    isOneStar: first === last && characters[first] === STAR,
    isBelowFile: false,
  }
}

export function literalName(literal: string): Name {
  const characters = Array.from(literal)
  return { literal, characters, prefix: literal, suffix: literal, isOneStar: false, isBelowFile: false }
}

/** `*` */
export const anyName = nameOf([STAR])

/** A name that both match; null if there is none. */
export function sharedName(a: Name, b: Name, budget: Budget): string | null {
  if (a.isBelowFile || b.isBelowFile || (a.literal !== null && b.literal !== null))
    return a.literal === b.literal ? a.literal : null
  if (!agree(a.prefix, b.prefix)) return null
  if (a.literal !== null && b.isOneStar) return fits(a.literal, b) ? a.literal : null
  if (b.literal !== null && a.isOneStar) return fits(b.literal, a) ? b.literal : null
  return shared(a.characters, b.characters, nameRules, budget)?.join('') ?? null
}

/** Whether one begins with the other. */
export function agree(a: string, b: string): boolean {
  return a.length < b.length ? b.startsWith(a) : a.startsWith(b)
}

/** Whether the name has the characters around the one star. */
function fits(name: string, { prefix, suffix }: Name): boolean {
  return name.length >= prefix.length + suffix.length && name.startsWith(prefix) && name.endsWith(suffix)
}

const otherName = 3

/** No file is called nothing, `.` or `..`: the state counts the dots of a name that is nothing else so far. */
const nameRules: Rules<string | CharacterClass, string> = {
  common: commonCharacters,
  states: otherName + 1,
  next: (state, character) => (character === '.' && state < otherName ? state + 1 : otherName),
  mayEnd: (state) => state === otherName,
}

/** One that is no dot, and a dot, where both have them. */
function commonCharacters(x: Character, y: Character): string[] {
  if (typeof x === 'string') return isIn(x, y) ? [x] : []
  if (typeof y === 'string') return isIn(y, x) ? [y] : []
  const [a, b] = [classOf(x), classOf(y)]
  // If two classes share a character, they share one with which a range of one of them begins, or an ordinary one.
  const inBoth = [0x61, ...startsOf(a), ...startsOf(b), 1].filter(
    (one) => isCharacter(one) && has(a, one) && has(b, one),
  )
  const plain = inBoth.find((one) => one !== dot)
  return [...(plain === undefined ? [] : [String.fromCodePoint(plain)]), ...(has(a, dot) && has(b, dot) ? ['.'] : [])]
}

const dot = 0x2e
const slash = 0x2f

function isCharacter(codePoint: number): boolean {
  return codePoint !== slash && codePoint <= 0x10ffff
}

function isIn(character: string, item: Character): boolean {
  return typeof item === 'string' ? character === item : has(classOf(item), character.codePointAt(0) ?? 0)
}

function classOf(item: CharacterClass | typeof STAR): CharacterClass {
  return item === STAR ? anyCharacter : item
}

/** Where a run of its characters may begin: of a range that begins at what stands in no name, or at a dot, after it. */
function startsOf({ ranges, negated }: CharacterClass): number[] {
  const starts = ranges.map(([first, last]) => (negated ? last + 1 : first))
  return starts.flatMap((start) => {
    if (start === dot || start === slash) return [start, slash + 1]
    return start >= 0xd800 && start <= 0xdfff ? 0xe000 : start
  })
}

function has({ ranges, negated }: CharacterClass, codePoint: number): boolean {
  return ranges.some(([first, last]) => first <= codePoint && codePoint <= last) !== negated
}
