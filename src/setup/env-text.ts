import { isDeepStrictEqual } from 'node:util'
import { parse } from 'dotenv'
import type { Variables } from './credentials.ts'

/** The variables can not be set in this `.env` without changing other variables. */
export class EnvTextError extends Error {
  override readonly name = 'EnvTextError'
}

/** One assignment with its line break, as dotenv reads it. The first group is the name. Quoted values may have several lines. */
const assignment =
  /^[^\S\r\n]*(?:export[^\S\r\n]+)?([\w.-]+)(?:[^\S\r\n]*=|:(?=[^\S\r\n]))[^\S\r\n]*(?:'(?:\\'|[^'])*'|"(?:\\"|[^"])*"|`(?:\\`|[^`])*`|[^#\r\n]*)[^\S\r\n]*(?:#[^\r\n]*)?(?:\r\n|\r|\n|$(?![\s\S]))/gm

/**
 * Returns the text of a `.env` with these variables set. An existing variable is replaced at its first assignment; new ones
 * are appended. All other lines stay. Throws `EnvTextError` unless dotenv reads exactly the old and the new variables.
 */
export function withVariables(text: string, variables: Variables): string {
  const missing = new Map(Object.entries(variables))
  const replaced = text.replace(assignment, (line: string, name: string) => {
    const value = variables[name]
    if (value === undefined || !Object.hasOwn(variables, name)) return line
    return missing.delete(name) ? lineOf(name, value) : ''
  })
  const added = [...missing].map(([name, value]) => lineOf(name, value))
  const separator = added.length === 0 || /(?:^|[\r\n])$/.test(replaced) ? '' : '\n'
  const changed = `${replaced}${separator}${added.join('')}`
  if (!isDeepStrictEqual({ ...parse(changed) }, { ...parse(text), ...variables }))
    throw new EnvTextError(
      'it can not be changed without changing other variables; does it have an open quotation mark?',
    )
  return changed
}

/** Writes the value plain, or in the first kind of quotation marks that dotenv reads back unchanged. */
function lineOf(name: string, value: string): string {
  const marks = ["'", '`', '"'].filter((mark) => !value.includes(mark))
  const quoted = marks.map((mark) => `${mark}${mark === '"' ? value.replaceAll('\n', '\\n') : value}${mark}`)
  const candidates = /^[\w.+/=@:-]+$/.test(value) ? [value, ...quoted] : quoted
  const written = candidates.find((text) => !/[\r\n]/.test(text) && parse(`${name}=${text}`)[name] === value)
  if (written === undefined)
    throw new EnvTextError(`the value of ${name} contains quotation marks that .env can not represent`)
  return `${name}=${written}\n`
}
