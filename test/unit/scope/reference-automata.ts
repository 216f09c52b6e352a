import { isDisjointWith, JS, NFA } from 'refa'
import { clean, expand, isFile, isWild, ownName, split, withoutEscapes } from './reference-matcher.ts'

/**
 * The question of whether two globs meet, put to an automata library: each glob becomes a regular expression over
 * `/segment/segment`, and a mark stands before the segment that takes a file's place where a path goes on below it.
 */
const maxCharacter = 0x10ffff
const anyCharacter = '[^\\/\\0\\x01]'
const name = '(?:[^\\/\\0\\x01.]X*|\\.[^\\/\\0\\x01.]X*|\\.\\.X+)'.replaceAll('X', anyCharacter)
const mark = '\\x01'
const paths = automaton(`(?:\\/${mark}?${name})+`)

/** Whether some path counts for both globs; throws where the library gives up. */
export function automataMeet(a: string, b: string): boolean {
  const [ofA, ofB] = [a, b].map((glob) => expand(glob).map(clean))
  return (ofA ?? []).some((x) =>
    (ofB ?? []).some((y) => {
      const below = [
        [belowFile(x), marked(y)],
        [marked(x), belowFile(y)],
      ]
      return share(plain(x), plain(y)) || below.some(([one, other]) => one !== undefined && share(one, other ?? null))
    }),
  )
}

function share(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return false
  return !isDisjointWith(NFA.fromIntersection(automaton(a), automaton(b)), paths)
}

function automaton(source: string): NFA {
  const { expression, maxCharacter: max } = JS.Parser.fromLiteral({ source, flags: 'us' }).parse()
  if (max !== maxCharacter) throw new Error('unexpected alphabet')
  return NFA.fromRegex(expression, { maxCharacter: max })
}

/** What the segments match, below a file left out. */
function plain(segments: string[]): string {
  const last = segments.at(-1) ?? ''
  const own = ownName(last)
  const start = segments.slice(0, -1).map(middle).join('')
  const open = own === null || isFile(own) ? '' : `|\\/${text(own)}(?:\\/${name})+`
  return `${start}(?:${last === '**' ? `(?:\\/${name})+` : `\\/${segment(last)}`}${open})`
}

/** What lies below the file that the segments name, its place marked; null where they name no file. */
function belowFile(segments: string[]): string | null {
  const own = ownName(segments.at(-1) ?? '')
  if (own === null || !isFile(own)) return null
  return `${segments.slice(0, -1).map(middle).join('')}\\/${mark}${text(own)}(?:\\/${name})+`
}

/** What the segments match, with a mark at one that is not made of wildcards alone; null where all are. */
function marked(segments: string[]): string | null {
  const options = segments.flatMap((_, i) => {
    if (isWild(segments[i] ?? '') || i === segments.length - 1) return []
    const start = `${segments.slice(0, i).map(middle).join('')}\\/${mark}${segment(segments[i] ?? '')}`
    return [start + plain(segments.slice(i + 1))]
  })
  return options.length === 0 ? null : `(?:${options.join('|')})`
}

function middle(written: string): string {
  return written === '**' ? `(?:\\/${name})*` : `\\/${segment(written)}`
}

function segment(written: string): string {
  const parts = split(written).map(({ kind, written, text: own }) => {
    if (kind === 'star') return `${anyCharacter}*`
    if (kind === 'any') return anyCharacter
    return kind === 'one' ? text(own) : `(?:${text(own)}|${characterClass(written)})`
  })
  return parts.join('')
}

function characterClass(written: string): string {
  const negated = /^\[[!^]/.test(written)
  const members = Array.from(withoutEscapes(written.slice(negated ? 2 : 1, -1)))
  const ranges: string[] = []
  while (members.length > 0) {
    const [first = '', last = first] =
      members[1] === '-' && members.length > 2 ? members.splice(0, 3).filter((_, i) => i !== 1) : members.splice(0, 1)
    if ((first.codePointAt(0) ?? 0) <= (last.codePointAt(0) ?? 0)) ranges.push(`${text(first)}-${text(last)}`)
  }
  if (negated) return `[^\\/\\0\\x01${ranges.join('')}]`
  // No class holds the slash: a range around it is cut in two.
  const held = ranges.map((range) =>
    range.replace(/^(.*)-(.*)$/su, (all) => (new RegExp(`[${all}]`, 'u').test('/') ? cut(all) : all)),
  )
  return held.join('') === '' ? '[]' : `[${held.join('')}]`
}

function cut(range: string): string {
  const [first = '', last = ''] = range.split('-')
  const [before, after] = [`${first}-\\u{2e}`, `\\u{30}-${last}`]
  return [first === '\\u{2f}' ? '' : before, last === '\\u{2f}' ? '' : after].join('')
}

/** The text itself, in a regular expression. */
function text(own: string): string {
  return Array.from(own, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`).join('')
}
