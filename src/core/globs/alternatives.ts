import { expand } from 'brace-expansion'

/** Says what to write instead. */
export class GlobError extends Error {}

const mostAlternatives = 256

/**
 * Within an alternative an escaped character is a NUL with a letter, and a class stands between a NUL with `<` and one with `>`: no
 * glob holds a NUL, so nothing else looks like that.
 */
const escapable = '*?[]{},!\\()'
const letterOf = (character: string) => String.fromCharCode(97 + escapable.indexOf(character))
const characterOf = (letter: string) => escapable.charAt(letter.charCodeAt(0) - 97)

export function escaped(text: string): string {
  return text.replace(/[*?[\]{},!\\()]/g, (character) => `\0${letterOf(character)}`)
}

export function unescaped(text: string): string {
  return text.replace(/\0([a-k])/g, (_, letter: string) => characterOf(letter))
}

/** What is in an alternative: a class, an escaped character, or any other. */
export const token = /\0<([!^]?)(.*?)\0>|\0([a-k])|(.)/gsu

/** A bracket. As in POSIX, a `]` that is the first is a member. */
const brackets = /\[(?:[!^]?\]|[!^][^\]/]|[^\]/!^])[^\]/]*\]/g

/** The alternatives of a glob: its braces and brackets, counted before they are made. Throws a `GlobError`. */
export function alternativesOf(text: string): string[] {
  const given = text.replace(/\\([*?[\]{},!\\()])/g, (_, character: string) => escaped(character))
  if (/^[A-Za-z]:\\/.test(given)) throw new GlobError(fromTheTop)
  if (given.includes('\\')) throw new GlobError('must use "/": "\\" only escapes one of * ? [ ] { } , ! \\ ( )')
  refuseUnbalanced(given)
  const expanded = given.includes('{') ? expandBraces(given) : [given]
  for (const one of expanded) refuse(one)
  const count = expanded.reduce((sum, one) => sum + 2 ** (one.match(brackets)?.length ?? 0), 0)
  if (count > mostAlternatives)
    throw new GlobError(`must have at most ${mostAlternatives} alternatives: use a wildcard, or several globs`)
  return expanded.flatMap(readBrackets)
}

/** For bash such a brace stands for itself, and the glob would silently match nothing. */
function refuseUnbalanced(text: string): void {
  let open = 0
  for (const character of text) {
    if (character === '{') open++
    else if (character === '}' && open > 0) open--
  }
  if (open > 0) throw new GlobError('must close each "{": write "\\{" for the character itself')
}

/** bash drops an empty alternative, unless something stands before it. */
function expandBraces(text: string): string[] {
  return expand(`/${text}`, { max: mostAlternatives + 1 }).map((one) => one.slice(1))
}

const fromTheTop = 'must be written from the top of the repository, as in src/a.ts'

/** What is no glob here, and what agents write for a path and would match nothing. */
function refuse(alternative: string): void {
  if (alternative === '')
    throw new GlobError('must not be empty, nor have an empty alternative: "." is the whole repository')
  if (/^(?:~?\/|[A-Za-z]:(?:\/|$))/.test(alternative)) throw new GlobError(fromTheTop)
  if (alternative.split('/').includes('..')) throw new GlobError(`${fromTheTop}, without ".."`)
  if (alternative.startsWith('!')) throw new GlobError('can have no exceptions: leave the "!" out, or write "\\!"')
  if (/[?*+@!]\(/.test(alternative.replace(brackets, '')))
    throw new GlobError('must not be an extended glob: write {a,b}, or "\\(" for the character itself')
  if (alternative.trim() !== alternative) throw new GlobError('must not begin or end with white space')
  const [line] = /:[0-9]+$/.exec(alternative) ?? []
  if (line !== undefined) throw new GlobError(`must be a path without a line: leave "${line}" out`)
}

/** A bracket is its own text, as in `app/[id]/page.tsx`, or a class: both are alternatives. */
function readBrackets(text: string): string[] {
  const [found] = text.match(brackets) ?? []
  if (found === undefined) return [text]
  const at = text.indexOf(found)
  const readings = [
    `\0${letterOf('[')}${escapedAgain(found.slice(1, -1))}\0${letterOf(']')}`,
    `\0<${found.slice(1, -1)}\0>`,
  ]
  const before = text.slice(0, at)
  return readBrackets(text.slice(at + found.length)).flatMap((rest) => readings.map((one) => before + one + rest))
}

/** Wildcards within a bracket are characters of its own text. */
function escapedAgain(inside: string): string {
  return escaped(unescaped(inside))
}
