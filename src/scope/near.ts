import { beginsWithKey, keysAbove } from './scope-key.ts'

/** Where a text stops being literal, and where cleaning would change it: at its front, and at empty or `.` segments. */
const special = /[*?[\]{}\\]/
const unclean = /^\.?\/|\/\.?\/|\/\.$|^\.$/

/** What every path of the glob begins with, as whole segments; empty where its text does not say so at a glance. */
export function literalBeginning(text: string): string {
  if (unclean.test(text)) return ''
  const end = text.search(special)
  if (end !== -1) return text.slice(0, text.lastIndexOf('/', end) + 1)
  return text.endsWith('/') ? text : `${text}/`
}

/**
 * A test for the texts of globs that tells, without reading them, those that can't meet any glob with one of these keys:
 * of the beginnings of two that meet, one begins with the other. Reading a glob costs a hundred times as much.
 */
export function nearTo(keys: readonly string[]): (text: string) => boolean {
  const above = new Set(keys.flatMap(keysAbove))
  const own = [...new Set(keys)]
  return (text) => {
    const beginning = literalBeginning(text)
    return above.has(beginning) || own.some((key) => beginsWithKey(beginning, key))
  }
}
