/**
 * The dialect once more, as plainly as it can be written down, for the tests to judge by. Slow. It takes braces that are not nested,
 * and globs that are not refused.
 */

/** Whether the path is in both globs. */
export function isInBoth(a: string, b: string, path: string): boolean {
  const names = path.split('/')
  const [ofA, ofB] = [readings(a, names), readings(b, names)]
  return ofA.some((x) => ofB.some((y) => allows(x, y, names) && allows(y, x, names)))
}

/** Which segment takes each name of a path. What is below a file is taken only where the other glob spells the file out. */
type Reading = readonly string[]

function allows(one: Reading, other: Reading, names: readonly string[]): boolean {
  const file = one.indexOf('below file') - 1
  return file < 0 || ownText(other[file] ?? '') === names[file]
}

function readings(glob: string, names: readonly string[]): Reading[] {
  return expand(glob).flatMap((one) => align(segmentsOf(one), names))
}

function expand(glob: string): string[] {
  const [, before = '', inner, after = ''] = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(glob) ?? []
  if (inner === undefined) return [glob]
  return inner.split(',').flatMap((option) => expand(before + option + after))
}

function segmentsOf(alternative: string): string[] {
  const segments = alternative.split('/').filter((segment) => segment !== '' && segment !== '.')
  return segments.length === 0 || alternative.endsWith('/') ? [...segments, '**'] : segments
}

function align([segment, ...rest]: readonly string[], names: readonly string[]): Reading[] {
  if (segment === undefined) return names.length === 0 ? [[]] : []
  if (segment === '**') {
    const least = rest.length === 0 ? 1 : 0
    return [...names, ''].flatMap((_, taken) => {
      const begin = Array.from({ length: taken }, () => '**')
      return taken < least ? [] : align(rest, names.slice(taken)).map((end) => [...begin, ...end])
    })
  }
  const [name, ...deeper] = names
  if (name === undefined || !matchesName(segment, name)) return []
  const found = align(rest, deeper).map((end) => [segment, ...end])
  if (rest.length > 0 || deeper.length === 0 || ownText(segment) !== name) return found
  const isFile = /^.+\.[A-Za-z0-9]+$/.test(name)
  return [...found, [segment, ...deeper.map(() => (isFile ? 'below file' : 'below'))]]
}

const token = /\\(.)|(\[(?:[!^]?\]|[!^][^\]]|[^\]!^])[^\]]*\])|(.)/gsu

/** Null: it has wildcards. */
function ownText(segment: string): string | null {
  const tokens = [...segment.matchAll(token)]
  if (tokens.some(([, , , character]) => character === '*' || character === '?')) return null
  return tokens.map(([, escaped, bracket, character]) => escaped ?? bracket ?? character).join('')
}

function matchesName(segment: string, name: string): boolean {
  const parts = Array.from(segment.matchAll(token), ([, escaped, bracket, character]) => {
    if (bracket !== undefined) return `(?:${quote(bracket)}|${classOf(bracket)})`
    if (character === '*') return '[^/]*'
    return character === '?' ? '[^/]' : quote(escaped ?? character ?? '')
  })
  return new RegExp(`^${parts.join('')}$`, 'su').test(name)
}

function classOf(bracket: string): string {
  const [, sign = '', members = ''] = /^\[([!^]?)(.*)\]$/s.exec(bracket) ?? []
  const inside = members.replace(/[\\\]^[]/g, '\\$&')
  return sign === '' ? `[${inside}]` : `[^/${inside}]`
}

function quote(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
