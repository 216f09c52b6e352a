import { longestGlob } from './limits.ts'
import { GlobRefused } from './refusal.ts'

/** One character of a glob after its escapes are read. `at` is its index in the text. */
export interface Token {
  readonly char: number
  readonly escaped: boolean
  readonly at: number
}

const BACKSLASH = 0x5c
const escapable = new Set(codePoints('*?[]{},!\\()'))
const extendedSigns = new Set(codePoints('?+*@!'))

function codePoints(text: string): number[] {
  return Array.from(text, codePoint)
}

/** The code point of a one-character string. */
export function codePoint(character: string): number {
  return character.codePointAt(0) ?? 0
}

/** Whether the token is this character, unescaped. */
export function isSign(token: Token | undefined, character: number): boolean {
  return token !== undefined && token.char === character && !token.escaped
}

/** Reads escapes. Refuses an empty or too long text, exceptions, wrong backslashes and extended globs. */
export function readTokens(text: string): Token[] {
  if (text === '') throw new GlobRefused('The glob is empty. Write a path such as src/, or leave it out.', 0)
  const chars = codePoints(text)
  if (chars.length > longestGlob) {
    const message = `The glob has ${chars.length} characters, at most ${longestGlob} are read. Write several globs.`
    throw new GlobRefused(message, null)
  }
  const tokens = readEscapes(chars)
  refuseExtendedGlobs(tokens)
  if (isSign(tokens[0], codePoint('!'))) {
    throw new GlobRefused('A scope has no exceptions. Leave the "!" out, or write "\\!" for a name that begins so.', 0)
  }
  return tokens
}

function readEscapes(chars: readonly number[]): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? 0
    if (char !== BACKSLASH) {
      tokens.push({ char, escaped: false, at })
      continue
    }
    const next = chars[at + 1]
    if (next === undefined || !escapable.has(next)) throw refusedBackslash(chars, at)
    tokens.push({ char: next, escaped: true, at })
    at++
  }
  return tokens
}

function refusedBackslash(chars: readonly number[], at: number): GlobRefused {
  const next = chars[at + 1]
  const found = next === undefined ? 'Nothing follows the backslash' : `"\\${String.fromCodePoint(next)}" is no escape`
  const paths = chars.includes(codePoint('/')) ? '' : ' Paths use "/", on Windows as well.'
  return new GlobRefused(`${found}: a backslash stands before one of * ? [ ] { } , ! \\ ( ) alone.${paths}`, at)
}

function refuseExtendedGlobs(tokens: readonly Token[]): void {
  let noBracketBefore = 0
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]
    if (token === undefined || token.escaped) continue
    if (token.char === codePoint('[') && i >= noBracketBefore) {
      const end = bracketEnd(tokens, i)
      if (end.closed) i = end.at
      else noBracketBefore = end.at
    } else if (extendedSigns.has(token.char) && isSign(tokens[i + 1], codePoint('('))) {
      const sign = String.fromCodePoint(token.char)
      const name = `${/[?*!]/.test(sign) ? '\\' : ''}${sign}\\(`
      const message = `"${sign}(" begins an extended glob. Write braces, {a,b}, or "${name}" for a real name.`
      throw new GlobRefused(message, token.at)
    }
  }
}

/**
 * The index of the `]` that closes the bracket at `open`. A bracket closes within its segment or is literal: then `at` is
 * the end of the segment, and no other bracket before it closes either.
 */
export function bracketEnd(tokens: readonly Token[], open: number): { closed: boolean; at: number } {
  let at = open + 1
  if (isSign(tokens[at], codePoint('!')) || isSign(tokens[at], codePoint('^'))) at++
  if (isSign(tokens[at], codePoint(']'))) at++
  for (; at < tokens.length && !isSign(tokens[at], codePoint('/')); at++) {
    if (isSign(tokens[at], codePoint(']'))) return { closed: true, at }
  }
  return { closed: false, at }
}
