/** A pattern of a `.gitattributes` file, split where it is matched. */
export interface GitPattern {
  /** A pattern without a slash matches the name of a file in any folder. */
  isName: boolean
  segments: readonly PatternSegment[]
}

/** `**` matches any number of folders. Any other segment matches one name. */
type PatternSegment = '**' | readonly Token[]

type Token = { kind: 'char'; char: string } | { kind: 'any' } | { kind: 'star' } | CharacterSet

interface CharacterSet {
  kind: 'set'
  negated: boolean
  ranges: readonly (readonly [first: string, last: string])[]
}

/** The ASCII characters of the POSIX classes that a set may name. */
const classes: Record<string, readonly (readonly [string, string])[]> = {
  alnum: ['09', 'AZ', 'az'].map(rangeOf),
  alpha: ['AZ', 'az'].map(rangeOf),
  blank: ['  ', '\t\t'].map(rangeOf),
  cntrl: ['\0\x1f', '\x7f\x7f'].map(rangeOf),
  digit: ['09'].map(rangeOf),
  graph: ['!~'].map(rangeOf),
  lower: ['az'].map(rangeOf),
  print: [' ~'].map(rangeOf),
  punct: ['!/', ':@', '[`', '{~'].map(rangeOf),
  space: ['\t\r', '  '].map(rangeOf),
  upper: ['AZ'].map(rangeOf),
  xdigit: ['09', 'AF', 'af'].map(rangeOf),
}

function rangeOf(ends: string): readonly [string, string] {
  return [ends.charAt(0), ends.charAt(1)]
}

/** Parses a pattern as git does. Null if it can match no file: it is negative, invalid, or names a folder. */
export function parseGitPattern(pattern: string): GitPattern | null {
  if (pattern === '' || pattern.startsWith('!') || pattern.endsWith('/')) return null
  const isName = !pattern.includes('/')
  const names = (pattern.startsWith('/') ? pattern.slice(1) : pattern).split('/')
  const segments: PatternSegment[] = []
  for (const name of names) {
    const segment = !isName && /^\*{2,}$/.test(name) ? '**' : parseSegment(name)
    if (segment === null) return null
    // Two in a row match what one does.
    if (segment !== '**' || segments.at(-1) !== '**') segments.push(segment)
  }
  return { isName, segments }
}

function parseSegment(text: string): Token[] | null {
  const tokens: Token[] = []
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '*') {
      if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' })
    } else if (char === '?') tokens.push({ kind: 'any' })
    else if (char === '[') {
      const parsed = parseSet(text, at + 1)
      if (parsed === null) return null
      tokens.push(parsed.set)
      at = parsed.end
    } else if (char === '\\') {
      at++
      if (at === text.length) return null
      tokens.push({ kind: 'char', char: text.charAt(at) })
    } else tokens.push({ kind: 'char', char })
  }
  return tokens
}

/** Parses a set whose `[` is before `from`. `end` is the position of its `]`. Null if it is not closed. */
function parseSet(text: string, from: number): { set: CharacterSet; end: number } | null {
  const negated = text[from] === '!' || text[from] === '^'
  const first = negated ? from + 1 : from
  const ranges: (readonly [string, string])[] = []
  for (let at = first; at < text.length; at++) {
    if (text[at] === ']' && at > first) return { set: { kind: 'set', negated, ranges }, end: at }
    const named = /^\[:(\w*):\]/.exec(text.slice(at, at + 12))
    if (named) {
      const members = classes[named[1] ?? '']
      if (members === undefined) return null
      ranges.push(...members)
      at += named[0].length - 1
      continue
    }
    if (text[at] === '\\') at++
    const low = text.charAt(at)
    if (text[at + 1] !== '-' || text[at + 2] === ']' || at + 2 >= text.length) {
      ranges.push([low, low])
      continue
    }
    at += text[at + 2] === '\\' ? 3 : 2
    ranges.push([low, text.charAt(at)])
  }
  return null
}

/** How many steps matching may still take. Anybody may have written the patterns. */
export interface StepBudget {
  left: number
}

/** Whether the pattern matches the file of this path. False once the budget is spent. */
export function matchesGitPattern({ isName, segments }: GitPattern, path: string, budget: StepBudget): boolean {
  const names = path.split('/')
  const inName = { isWild: ({ kind }: Token) => kind === 'star', matches: matchesCharacter, mayEndEmpty: true, budget }
  return matchesAll(segments, isName ? names.slice(-1) : names, {
    isWild: (segment) => segment === '**',
    matches: (segment, name) => segment !== '**' && matchesAll(segment, [...name], inName),
    // `a/**` matches what is below `a`, not `a` itself.
    mayEndEmpty: false,
    budget,
  })
}

interface SequenceRules<Part, Item> {
  isWild(part: Part): boolean
  matches(part: Part, item: Item): boolean
  /** Whether a wildcard at the end may match nothing. */
  mayEndEmpty: boolean
  budget: StepBudget
}

/** Matches a sequence with wildcards. After a mismatch the last wildcard takes one item more. */
function matchesAll<Part, Item>(
  parts: readonly Part[],
  items: readonly Item[],
  { isWild, matches, mayEndEmpty, budget }: SequenceRules<Part, Item>,
): boolean {
  let [part, item] = [0, 0]
  let retry: { part: number; item: number } | undefined
  while (item < items.length) {
    if (budget.left-- <= 0) return false
    const [wanted, found] = [parts[part], items[item]]
    if (wanted !== undefined && isWild(wanted)) {
      part++
      if (part === parts.length) return true
      retry = { part, item }
    } else if (wanted !== undefined && found !== undefined && matches(wanted, found)) {
      part++
      item++
    } else if (retry) {
      retry = { part: retry.part, item: retry.item + 1 }
      part = retry.part
      item = retry.item
    } else return false
  }
  const rest = parts.slice(part)
  return rest.length === 0 || (mayEndEmpty && rest.every(isWild))
}

function matchesCharacter(token: Token, char: string): boolean {
  if (token.kind === 'char') return token.char === char
  if (token.kind === 'any') return true
  if (token.kind === 'star') return false
  return token.ranges.some(([first, last]) => first <= char && char <= last) !== token.negated
}
