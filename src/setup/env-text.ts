import { isDeepStrictEqual } from 'node:util'
import { parse } from 'dotenv'
import type { Variables } from './credentials.ts'

/** The variables can't be put into this `.env` without harm to its other lines. */
export class EnvTextError extends Error {
  override readonly name = 'EnvTextError'
}

/**
 * One assignment with its line break, as dotenv reads it. The first group is the name. A quoted value may have several lines.
 */
const assignment =
  /^[^\S\r\n]*(?:export[^\S\r\n]+)?([\w.-]+)(?:[^\S\r\n]*=|:(?=[^\S\r\n]))[^\S\r\n]*(?:'(?:\\'|[^'])*'|"(?:\\"|[^"])*"|`(?:\\`|[^`])*`|[^#\r\n]*)[^\S\r\n]*(?:#[^\r\n]*)?(?:\r\n|\r|\n|$(?![\s\S]))/gm

/**
 * The text of a `.env` with these variables set. A variable that is there is replaced where it stands first; the others are
 * added at the end. All other lines stay. Throws `EnvTextError` unless dotenv reads exactly the old variables and the new ones.
 */
export function withVariables(text: string, variables: Variables): string {
  const missing = new Map(Object.entries(variables))
  const kept = text.replace(assignment, (line: string, name: string) => {
    const value = variables[name]
    if (value === undefined || !Object.hasOwn(variables, name)) return line
    return missing.delete(name) ? lineOf(name, value) : ''
  })
  const added = [...missing].map(([name, value]) => lineOf(name, value))
  const separator = added.length === 0 || /(?:^|[\r\n])$/.test(kept) ? '' : '\n'
  const changed = `${kept}${separator}${added.join('')}`
  if (!isDeepStrictEqual({ ...parse(changed) }, { ...parse(text), ...variables }))
    throw new EnvTextError('it can not be changed without harm to its other lines; is a quotation mark left open?')
  return changed
}

/** Plain, or in the first quotation marks that the value does not hold and that dotenv reads back unchanged. */
function lineOf(name: string, value: string): string {
  const marks = ["'", '`', '"'].filter((mark) => !value.includes(mark))
  const quoted = marks.map((mark) => `${mark}${mark === '"' ? value.replaceAll('\n', '\\n') : value}${mark}`)
  const ways = /^[\w.+/=@:-]+$/.test(value) ? [value, ...quoted] : quoted
  const way = ways.find((text) => !/[\r\n]/.test(text) && parse(`${name}=${text}`)[name] === value)
  if (way === undefined)
    throw new EnvTextError(`the value of ${name} holds quotation marks that it has no way to write`)
  return `${name}=${way}\n`
}
