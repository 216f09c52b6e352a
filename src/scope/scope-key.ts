import type { Glob } from './glob.ts'
import { type Extent, globEnds, PART } from './glob-key.ts'

/** What some paths of a scope begin and end with; either is empty where it is open. The tail is reversed. */
export interface PathKey {
  key: string
  tail: string
  extent: Extent
}

/** In UTF-8 bytes: a row of the index has to fit into a page of a b-tree. */
const longestKey = 800
const longestTail = 400

/**
 * The distinct keys of globs, for finding what could meet them by an index. A key or tail that is too long is made
 * shorter, which finds more and misses nothing.
 */
export function pathKeys(globs: readonly Glob[]): PathKey[] {
  const found = new Map<string, PathKey>()
  for (const glob of globs) {
    for (const ends of globEnds(glob)) {
      const [key, tail] = [wholeSegments(ends.key), cut(ends.tail)]
      const place = `${key}\0${tail}`
      const extent = key === ends.key ? ends.extent : PART
      const known = found.get(place)
      if (known === undefined || known.extent < extent) found.set(place, { key, tail, extent })
    }
  }
  return [...found.values()]
}

/** As many segments from the front as fit, each with its `/`. */
function wholeSegments(key: string): string {
  let short = key
  while (Buffer.byteLength(short) > longestKey) short = short.slice(0, short.lastIndexOf('/', short.length - 2) + 1)
  return short
}

function cut(tail: string): string {
  let short = tail
  while (Buffer.byteLength(short) > longestTail) short = short.slice(0, startOfLast(short, short.length))
  return short
}

/** Where the last character before `end` begins: some are two units long. */
function startOfLast(text: string, end: number): number {
  return end > 1 && (text.codePointAt(end - 2) ?? 0) > 0xffff ? end - 2 : end - 1
}

/** The key itself and every key above it, the empty one included: what has such a key may reach down to it. */
export function keysAbove(key: string): string[] {
  const above = ['']
  for (let end = key.indexOf('/'); end !== -1; end = key.indexOf('/', end + 1)) above.push(key.slice(0, end + 1))
  return above
}

const SLASH = 0x2f

/** Whether a key begins with another: each is empty or ends with a slash, and most are told apart by that place alone. */
export function beginsWithKey(key: string, start: string): boolean {
  return start === '' || (key.charCodeAt(start.length - 1) === SLASH && key.startsWith(start))
}

/**
 * The first text after all those that begin with this one, by code points, which is the order of the collation "C" over
 * UTF-8. Where there is none, a text that no key or tail is long enough to reach.
 */
export function afterBeginning(text: string): string {
  for (let end = text.length; end > 0; end = startOfLast(text, end)) {
    const start = startOfLast(text, end)
    const next = (text.codePointAt(start) ?? 0) + 1
    if (next <= 0x10ffff) return text.slice(0, start) + String.fromCodePoint(next === 0xd800 ? 0xe000 : next)
  }
  return '\u{10ffff}'.repeat(longestKey)
}

/** Every beginning of a reversed tail, the empty one and the tail itself included. */
export function beginningsOf(tail: string): string[] {
  const beginnings = ['']
  for (const character of tail) beginnings.push(`${beginnings.at(-1)}${character}`)
  return beginnings
}
