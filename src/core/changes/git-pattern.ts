import { ANY, type CharacterMatcher, charactersIntersect } from '../scope/glob/character.ts'
import { characterSet } from '../scope/glob/character-set.ts'
import { codePoint } from '../scope/glob/tokens.ts'
import { type Steps, sequencesIntersect, type WildcardSequence } from '../scope/match/wildcard-sequence.ts'

type NamePattern = WildcardSequence<CharacterMatcher>

/** A pattern of a `.gitattributes` file: the names of a path, with a star where any number of folders may be. */
export type GitPattern = WildcardSequence<NamePattern>

const anyName: NamePattern = { items: [], stars: [0] }

/** The ASCII characters of the POSIX classes that a set may name: pairs of first and last. */
const classes: Readonly<Record<string, string>> = {
  alnum: '09AZaz',
  alpha: 'AZaz',
  blank: '  \t\t',
  cntrl: '\0\x1f\x7f\x7f',
  digit: '09',
  graph: '!~',
  lower: 'az',
  print: ' ~',
  punct: '!/:@[`{~',
  space: '\t\r  ',
  upper: 'AZ',
  xdigit: '09AFaf',
}

/** Parses a pattern as git does. Null if it can match no file: it is negative, invalid, or names a folder. */
export function parseGitPattern(pattern: string): GitPattern | null {
  if (pattern === '' || pattern.startsWith('!') || pattern.endsWith('/')) return null
  const isPath = pattern.includes('/')
  const names = pattern.replace(/^\//, '').split('/')
  const items: NamePattern[] = []
  // A pattern without a slash matches the name of a file in any folder.
  const stars = isPath ? [] : [0]
  for (const [index, name] of names.entries()) {
    const isStar = isPath && /^\*{2,}$/.test(name)
    if (isStar && stars.at(-1) !== items.length) stars.push(items.length)
    // At the end a star is one name at least.
    const item = isStar ? anyName : parseName(name)
    if (item === null) return null
    if (!isStar || index === names.length - 1) items.push(item)
  }
  return { items, stars }
}

/** Stars, a set in brackets (its content is the first group, which is not shortened to find a `]`), or a character. */
const pieces = /\*+|\[(?=([!^]?\]?(?:\[:[^\]]*:\]|\\.|[^\\\]])*))\1\]|\\?./gsu
/** A POSIX class, or one character or a range of them. */
const members = /\[:([^\]]*):\]|\\?(.)(?:-\\?(.))?/gsu

function parseName(text: string): NamePattern | null {
  const items: CharacterMatcher[] = []
  const stars: number[] = []
  for (const [piece, set] of text.matchAll(pieces)) {
    const item = set === undefined ? parseCharacter(piece) : parseSet(set)
    if (item === null) return null
    if (piece.startsWith('*')) stars.push(items.length)
    else items.push(item)
  }
  return { items, stars }
}

/** Null for a `[` that is not closed, and for a backslash at the end. */
function parseCharacter(piece: string): number | null {
  if (piece === '[' || piece === '\\') return null
  return piece === '?' ? ANY : codePoint(piece.replace('\\', ''))
}

function parseSet(text: string): CharacterMatcher | null {
  const isNegated = /^[!^]/.test(text)
  const ranges: string[] = []
  for (const [, name, first = '', last = first] of text.slice(isNegated ? 1 : 0).matchAll(members)) {
    const range = name === undefined ? [first, last] : classes[name]
    if (range === undefined) return null
    ranges.push(...range)
  }
  return characterSet(ranges.map(codePoint), isNegated)
}

/** The names of a path, to be matched by patterns. */
export function splitForPatterns(path: string): GitPattern {
  return { items: path.split('/').map((name) => ({ items: Array.from(name, codePoint), stars: [] })), stars: [] }
}

/** Whether the pattern matches the file of this path. False after `maxSteps`. */
export function matchesGitPattern(pattern: GitPattern, names: GitPattern, work: Steps, maxSteps: number): boolean {
  const matchesCharacter = (a: CharacterMatcher, b: CharacterMatcher) =>
    work.steps < maxSteps && charactersIntersect(a, b)
  const matchesName = (a: NamePattern, b: NamePattern) => sequencesIntersect(a, b, matchesCharacter, work)
  return sequencesIntersect(pattern, names, matchesName, work)
}
