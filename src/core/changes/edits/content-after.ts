import type { Edit } from './edit.ts'
import { applyChunks } from './locate-chunks.ts'
import { applyReplacements } from './locate-replacements.ts'

/**
 * The text of a file after an edit; null where that is not known. A text with `\r\n` is not edited: agents are shown it without
 * `\r`, and each writes it back in its own way.
 */
export function contentAfter(edit: Edit, text: string | null): string | null {
  if (edit.kind === 'write') return edit.text ?? null
  if (text === null || text.includes('\r\n')) return null
  switch (edit.kind) {
    case 'replace':
      return applyReplacements(edit.replacements, text)?.text ?? null
    case 'patch':
      return applyChunks(edit.chunks, text)
    default:
      return null
  }
}
