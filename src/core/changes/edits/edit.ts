import type { Span } from '../spans.ts'
import { locateChunks, type PatchChunk } from './locate-chunks.ts'
import { locateReplacements, type Replacement } from './locate-replacements.ts'
import { linesOf } from './text-lines.ts'

/** How a tool is about to change a file. */
export type Edit =
  | { kind: 'replace'; replacements: readonly Replacement[] }
  | { kind: 'patch'; chunks: readonly PatchChunk[] }
  /** Writes the whole file, with the text where the tool names it. */
  | { kind: 'write'; text?: string }
  | { kind: 'remove' }
  | { kind: 'unknown' }

/**
 * The lines of a text that an edit changes; null where the edit can not be located. Lines end as git reads them: `\r\n`
 * counts as `\n`.
 */
export function locateEdit(edit: Edit, text: string): Span[] | null {
  switch (edit.kind) {
    case 'replace':
      return locateReplacements(edit.replacements, text)
    case 'patch':
      return locateChunks(edit.chunks, text)
    case 'write':
    case 'remove':
      return [[0, linesOf(text).length]]
    case 'unknown':
      return null
  }
}
