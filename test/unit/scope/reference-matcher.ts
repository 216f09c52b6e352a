/**
 * The dialect once more, as plainly as it can be written down, for the tests to judge by: expand, clean, split, and
 * match a path segment by segment. Slow, and shares nothing with `src/scope`. Takes globs that are not refused.
 */

/** How a glob takes each segment of a path. */
export interface Reading {
  /** One for each segment: by wildcards alone, by a segment with something else in it, or as what lies below. */
  takes: ('wild' | 'named' | 'below')[]
  /** Which segment stands for a file that the path is below of; null where the path is not below a file. */
  file: number | null
}

/** Whether the glob matches the path, below a file included. */
export function matches(glob: string, path: string): boolean {
  return readings(glob, path).length > 0
}

/** Whether the path counts for both globs: what is below a file has conditions that the other glob has to meet. */
export function counts(a: string, b: string, path: string): boolean {
  const allows = (x: Reading, y: Reading) => x.file === null || y.takes[x.file] === 'named'
  const [ofA, ofB] = [readings(a, path), readings(b, path)]
  return ofA.some((x) => ofB.some((y) => allows(x, y) && allows(y, x)))
}

/** Whether the path counts, and is below no file for either. */
export function countsPlainly(a: string, b: string, path: string): boolean {
  return [a, b].every((glob) => readings(glob, path).some(({ file }) => file === null))
}

export function readings(glob: string, path: string): Reading[] {
  const names = path.split('/')
  if (names.some((name) => ['', '.', '..'].includes(name))) return []
  return alternatives(glob).flatMap((segments) => align(segments, names))
}

/** The segments of each alternative, worked out once for a glob. */
const alternatives = remembered((glob: string) => expand(glob).map(clean))

function remembered<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const value = known.get(text) ?? make(text)
    known.set(text, value)
    return value
  }
}

/** Each alternative of a glob, still with its escapes; literal braces come out escaped. */
export function expand(glob: string): string[] {
  const open = unescaped(glob, '{')
  if (open < 0) return [glob]
  const [before, inner, after] = [glob.slice(0, open), ...closed(glob, open)]
  const options = list(inner) ?? range(inner)
  const ends = expand(after)
  if (options === null) return expand(inner).flatMap((middle) => ends.map((end) => `${before}\\{${middle}\\}${end}`))
  return options.flatMap(expand).flatMap((middle) => ends.map((end) => before + middle + end))
}

function unescaped(glob: string, sign: string): number {
  for (let i = 0; i < glob.length; i++) {
    if (glob[i] === '\\') i++
    else if (glob[i] === sign) return i
  }
  return -1
}

function closed(glob: string, open: number): [string, string] {
  let depth = 0
  for (let i = open; i < glob.length; i++) {
    if (glob[i] === '\\') i++
    else if (glob[i] === '{') depth++
    else if (glob[i] === '}' && --depth === 0) return [glob.slice(open + 1, i), glob.slice(i + 1)]
  }
  throw new Error(`unclosed: ${glob}`)
}

function list(inner: string): string[] | null {
  const options: string[] = []
  let depth = 0
  let option = ''
  for (let i = 0; i < inner.length; i++) {
    if (inner[i] === '{') depth++
    if (inner[i] === '}') depth--
    if (inner[i] === ',' && depth === 0) {
      options.push(option)
      option = ''
    } else option += inner[i] === '\\' ? `\\${inner[++i]}` : inner[i]
  }
  return options.length > 0 ? [...options, option] : null
}

function range(inner: string): string[] | null {
  const [, from, to] = /^(\d+|[a-z]|[A-Z])\.\.(\d+|[a-z]|[A-Z])$/.exec(inner) ?? []
  if (from === undefined || to === undefined) return null
  const numeric = /\d/.test(from)
  const [first, last] = numeric ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)]
  const members: string[] = []
  for (let n = first; first <= last ? n <= last : n >= last; n += first <= last ? 1 : -1) {
    members.push(numeric ? String(n) : String.fromCharCode(n))
  }
  return members
}

/** The segments of an alternative. */
export function clean(alternative: string): string[] {
  const segments = alternative.split('/').filter((segment) => segment !== '' && segment !== '.')
  return segments.length === 0 || alternative.endsWith('/') ? [...segments, '**'] : segments
}

export const isWild = (segment: string) => /^[*?]+$/.test(segment)

/** What a segment without stars and question marks names by its own text; null for one with them. */
export function ownName(segment: string): string | null {
  const parts = partsOf(segment)
  return parts.some((part) => part.kind === 'star' || part.kind === 'any')
    ? null
    : parts.map(({ text }) => text).join('')
}

export const isFile = (name: string) => /^[\s\S]+\.[A-Za-z0-9]+$/.test(name)

function align(segments: string[], names: string[]): Reading[] {
  const [segment, ...rest] = segments
  if (segment === undefined) return names.length === 0 ? [{ takes: [], file: null }] : []
  if (segment === '**') {
    const least = rest.length === 0 ? 1 : 0
    return names.concat('').flatMap((_, taken) =>
      taken < least
        ? []
        : after(
            names.slice(0, taken).map(() => 'wild'),
            rest,
            names.slice(taken),
          ),
    )
  }
  const [name, ...deeper] = names
  if (name === undefined || !matchesName(segment, name)) return []
  const found = after([isWild(segment) ? 'wild' : 'named'], rest, deeper)
  if (rest.length > 0 || deeper.length === 0 || ownName(segment) !== name) return found
  return [...found, { takes: ['named', ...deeper.map(() => 'below' as const)], file: isFile(name) ? 0 : null }]
}

function after(taken: ('wild' | 'named')[], segments: string[], names: string[]): Reading[] {
  return align(segments, names).map(({ takes, file }) => ({
    takes: [...taken, ...takes],
    file: file === null ? null : file + taken.length,
  }))
}

type Part = { kind: 'star' | 'any' | 'one' | 'class'; written: string; text: string }

/** The parts of a segment, brackets whole; `text` is what a part reads when it is taken for itself. */
export function split(segment: string): Part[] {
  const parts: Part[] = []
  for (let rest = segment; rest !== ''; ) {
    const bracket = /^\[(?:[!^](?:\]|(?!\]))|\]|(?![!^\]]))(?:\\.|[^\]\\])*\]/su.exec(rest)?.[0]
    const [text] = bracket ? [bracket] : (/^(\\.|.)/su.exec(rest) ?? [''])
    const kind = bracket ? 'class' : text === '*' ? 'star' : text === '?' ? 'any' : 'one'
    parts.push({ kind, written: text, text: kind === 'one' || kind === 'class' ? withoutEscapes(text) : text })
    rest = rest.slice(text.length)
  }
  return parts
}

const partsOf = remembered(split)

export const withoutEscapes = (text: string) => text.replace(/\\(.)/gsu, '$1')

export function matchesName(segment: string, name: string): boolean {
  return matchesParts(partsOf(segment), Array.from(name))
}

function matchesParts(parts: Part[], characters: string[]): boolean {
  const [part, ...rest] = parts
  if (part === undefined) return characters.length === 0
  const [first, ...others] = characters
  if (part.kind === 'star') {
    return matchesParts(rest, characters) || (characters.length > 0 && matchesParts(parts, others))
  }
  const own = Array.from(part.text)
  const byItself = part.kind !== 'any' && characters.slice(0, own.length).join('') === part.text
  if (byItself && matchesParts(rest, characters.slice(own.length))) return true
  if (first === undefined) return false
  return (part.kind === 'any' || (part.kind === 'class' && inClass(part.written, first))) && matchesParts(rest, others)
}

/** Whether the class holds the character. */
export function inClass(bracket: string, character: string): boolean {
  const negated = /^\[[!^]/.test(bracket)
  const members = Array.from(withoutEscapes(bracket.slice(negated ? 2 : 1, -1)), (member) => member.codePointAt(0) ?? 0)
  const point = character.codePointAt(0) ?? 0
  let found = false
  for (let i = 0; i < members.length; i++) {
    const first = members[i] ?? 0
    const isRange = members[i + 1] === 0x2d && i + 2 < members.length
    const last = isRange ? (members[i + 2] ?? 0) : first
    if (isRange) i += 2
    found ||= first <= point && point <= last
  }
  return found !== negated
}
