import { GlobRefused } from './glob-fault.ts'
import { globLimits } from './glob-limits.ts'

/** One character of a glob after its escapes are read. `at` is where it was written. */
export interface Token {
  readonly char: number
  readonly escaped: boolean
  readonly at: number
}

const BACKSLASH = 0x5c
const escapable = new Set(codes('*?[]{},!\\()'))
const extendedSigns = new Set(codes('?+*@!'))

function codes(text: string): number[] {
  return Array.from(text, code)
}

/** The code point of a one-character string. */
export function code(character: string): number {
  return character.codePointAt(0) ?? 0
}

/** Whether the token is this character with its special meaning. */
export function isSign(token: Token | undefined, character: number): boolean {
  return token !== undefined && token.char === character && !token.escaped
}

/** Reads escapes, and refuses what is wrong in the text as given: its length, exceptions, backslashes, extended globs. */
export function readTokens(text: string): Token[] {
  if (text === '') throw new GlobRefused('The glob is empty. Write a path such as src/, or leave it out.', 0)
  const chars = codes(text)
  if (chars.length > globLimits.characters) {
    const message = `The glob has ${chars.length} characters, at most ${globLimits.characters} are read. Write several globs.`
    throw new GlobRefused(message, null)
  }
  const tokens = readEscapes(chars)
  refuseExtendedGlobs(tokens)
  if (isSign(tokens[0], code('!'))) {
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
  const paths = chars.includes(code('/')) ? '' : ' Paths use "/", on Windows as well.'
  return new GlobRefused(`${found}: a backslash stands before one of * ? [ ] { } , ! \\ ( ) alone.${paths}`, at)
}

function refuseExtendedGlobs(tokens: readonly Token[]): void {
  let noClassBefore = 0
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]
    if (token === undefined || token.escaped) continue
    if (token.char === code('[') && i >= noClassBefore) {
      const end = classEnd(tokens, i)
      if (end.closed) i = end.at
      else noClassBefore = end.at
    } else if (extendedSigns.has(token.char) && isSign(tokens[i + 1], code('('))) {
      const sign = String.fromCodePoint(token.char)
      const name = `${/[?*!]/.test(sign) ? '\\' : ''}${sign}\\(`
      const message = `"${sign}(" begins an extended glob. Write braces, {a,b}, or "${name}" for a real name.`
      throw new GlobRefused(message, token.at)
    }
  }
}

/**
 * Where the class that opens at `open` closes. A bracket closes within its segment or is literal: then no other one
 * before the end of that segment, `at`, closes either.
 */
export function classEnd(tokens: readonly Token[], open: number): { closed: boolean; at: number } {
  let at = open + 1
  if (isSign(tokens[at], code('!')) || isSign(tokens[at], code('^'))) at++
  if (isSign(tokens[at], code(']'))) at++
  for (; at < tokens.length && !isSign(tokens[at], code('/')); at++) {
    if (isSign(tokens[at], code(']'))) return { closed: true, at }
  }
  return { closed: false, at }
}
