import { quotedPath } from './quote.ts'

/** What a text calls a file that it may not name (docs/rules.md#strangers-words). */
export function newFileBelow(directory: string | null): string {
  return `a new file${directory === null ? '' : ` below ${quotedPath(directory)}`}`
}
