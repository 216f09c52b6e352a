import type { Edit } from './edit.ts'
import type { PatchChunk } from './locate-chunks.ts'

/** An edit of a file that a tool names. */
export interface NamedEdit {
  file: string
  /** The new name of a file that is moved. */
  movedTo?: string
  edit: Edit
}

interface ChunkDraft extends PatchChunk {
  lines: string[]
  atEnd: boolean
}

interface Section {
  named: NamedEdit
  chunks: ChunkDraft[]
}

const header = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+?)\s*$/

/** The edits of a patch as the tool `apply_patch` takes it: sections with a file, chunks without line numbers. */
export function parsePatch(patch: string): NamedEdit[] {
  const sections: Section[] = []
  for (const line of patch.split(/\r?\n/)) {
    if (line.startsWith('*** End Patch')) break
    const [, kind, name = ''] = header.exec(line) ?? []
    const section = sections.at(-1)
    if (kind === 'Move to' && section) section.named.movedTo = name
    else if (kind !== undefined) sections.push(sectionOf(kind, name))
    else if (section) addLine(section.chunks, line)
  }
  return sections.map(({ named }) => named)
}

function sectionOf(kind: string, file: string): Section {
  const chunks: ChunkDraft[] = []
  if (kind === 'Update File') return { named: { file, edit: { kind: 'patch', chunks } }, chunks }
  return { named: { file, edit: { kind: kind === 'Delete File' ? 'remove' : 'write' } }, chunks }
}

/** Lines before the first heading are a chunk too. An unchanged empty line may lack its sign. */
function addLine(chunks: ChunkDraft[], line: string): void {
  const last = chunks.at(-1)
  if (line.startsWith('@@')) chunks.push({ heading: line.slice(3).trimEnd() || undefined, lines: [], atEnd: false })
  else if (line === '*** End of File') {
    if (last) last.atEnd = true
  } else if (last) last.lines.push(line === '' ? ' ' : line)
  else if (line !== '') chunks.push({ heading: undefined, lines: [line], atEnd: false })
}
