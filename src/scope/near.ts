/**
 * What texts of globs begin with for certain, as numbers, which are compared a hundred times as fast as globs are read: for each
 * text how many whole literal segments it begins with (`.` and empty ones left out, no more than `mostSegments`), and then a
 * number for each directory that these make, the outermost first. What goes on from there is left open.
 */
export type Ways = readonly number[]

/** Tells of the way that stands at `at` whether a glob of such a text could meet the keys: yes, where it can't tell. */
export type Near = (ways: Ways, at: number) => boolean

/** What lies deeper than that is told apart by reading. */
const mostSegments = 16

export function waysOf(texts: readonly string[]): Ways {
  const ways: number[] = []
  for (const text of texts) {
    const start = ways.push(0) - 1
    ways[start] = addWay(text, ways)
  }
  return ways
}

/** Where the next way stands. */
export function afterWay(ways: Ways, at: number): number {
  return at + 1 + (ways[at] ?? 0)
}

const SLASH = 0x2f
const DOT = 0x2e

/** By character code: what a text would have to escape to mean it. */
const isSpecial = new Uint8Array(0x10000)
for (const char of '*?[]{}\\') isSpecial[char.charCodeAt(0)] = 1

/** Adds the numbers of a text's directories, and tells how many there are. */
function addWay(text: string, ways: number[]): number {
  let count = 0
  let number = root
  for (let start = 0; start < text.length && count < mostSegments; ) {
    let end = start
    let next = number
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end)
      if (code === SLASH) break
      if (isSpecial[code] === 1) return count
      next = mixed(next, code)
    }
    const isNothing = end === start || (end === start + 1 && text.charCodeAt(start) === DOT)
    if (!isNothing) {
      number = mixed(next, SLASH)
      ways.push(spread(number))
      count++
    }
    start = end + 1
  }
  return count
}

/** FNV-1a, by character codes. */
const root = 0x811c9dc5 | 0
function mixed(number: number, code: number): number {
  return Math.imul(number ^ code, 0x01000193)
}

/** So that the lower bits, which are looked at, hang on all of them. */
function spread(number: number): number {
  return number ^ (number >>> 15)
}

const BELOW = 1
const ABOVE = 2

/**
 * A test for globs that can't meet any with one of these keys: of the directories that two which meet begin with, one lies
 * in the other. Two directories may have one number, which lets a glob pass that is far; none that is near is held back.
 */
export function nearTo(keys: readonly string[]): Near {
  if (keys.length === 0) return () => false
  if (keys.includes('')) return () => true
  const places = new Uint8Array(placesFor(keys.length))
  const mask = places.length - 1
  const mark = (number: number, as: number) => {
    const place = spread(number) & mask
    places[place] = (places[place] ?? 0) | as
  }
  for (const key of keys) {
    let number = root
    for (let i = 0; i < key.length; i++) {
      const code = key.charCodeAt(i)
      number = mixed(number, code)
      if (code === SLASH) mark(number, ABOVE)
    }
    mark(number, BELOW)
  }
  return (ways, at) => {
    const end = afterWay(ways, at) - 1
    if (end === at) return true
    for (let i = at + 1; i <= end; i++) if (((places[(ways[i] ?? 0) & mask] ?? 0) & BELOW) !== 0) return true
    return ((places[(ways[end] ?? 0) & mask] ?? 0) & ABOVE) !== 0
  }
}

/** A power of two: so many that few directories share one, and few enough to be made for each check. */
function placesFor(keys: number): number {
  return 2 ** Math.min(16, 9 + Math.ceil(Math.log2(keys)))
}
