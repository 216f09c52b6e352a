import { excerpt, excerptOfPath } from '../../core/texts/quote.ts'

/**
 * Other people's text as code in Markdown, on one line: nothing in it is a link, a mention, HTML or the end of a cell of a
 * table. It is cut at 80 characters.
 */
export function code(text: string): string {
  return asCode(excerpt(text))
}

/** A path as code. A long one is cut in the middle. */
export function codePath(path: string): string {
  return asCode(excerptOfPath(path))
}

function asCode(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  const space = /^`|`$/.test(text) ? ' ' : ''
  return `${fence}${space}${text.replaceAll('|', '\\|')}${space}${fence}`
}

/** A login as plain text: GitHub's have letters, digits, hyphens, underscores and `[bot]` alone. */
export function plainLogin(login: string): string {
  return login.replace(/[^\w[\]-]/g, '').slice(0, 100) || 'ghost'
}

/** The login in Markdown. Without an `@` it mentions nobody. */
export function loginInMarkdown(login: string): string {
  return plainLogin(login).replace(/[_[\]]/g, '\\$&')
}
