import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contentAfter } from '../../core/changes/edits/content-after.ts'
import { editedFile, movedFile, type PresentFile } from '../../core/changes/edits/edited-file.ts'
import { hunksOf } from '../../core/changes/edits/hunks.ts'
import type { NamedEdit } from '../../core/changes/edits/parse-patch.ts'
import type { FileChange } from '../../core/changes/file-change.ts'
import { patchesIn } from '../../core/changes/git-diff.ts'
import { splitNul } from './git.ts'
import type { WorkTreeChanges } from './read-changes.ts'
import type { WorkTree } from './work-tree.ts'

/** The lines of an edit of a larger file are not looked for. */
const maxFileBytes = 1024 * 1024

/** What the work tree will change once the edits are made. The files of the edits are named from its top. */
export async function plannedChanges(
  tree: WorkTree,
  { files, diff }: Pick<WorkTreeChanges, 'files' | 'diff'>,
  edits: readonly NamedEdit[],
): Promise<FileChange[]> {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const patches = patchesIn(diff)
  const hunksIn = (file: string) => {
    const patch = patches.get(file)
    if (patch !== undefined) return hunksOf(patch)
    return byPath.has(file) ? null : []
  }
  const planned = await Promise.all(
    edits.map(async ({ file, movedTo, edit }) => {
      const known = byPath.get(file)
      const present = { ...(await readPresentFile(join(tree.top, file), known)), hunks: hunksIn(file) }
      const edited = editedFile(file, known, edit, present)
      return { file, edited: movedTo === undefined ? edited : movedFile(movedTo, edited) }
    }),
  )
  for (const { file } of planned) byPath.delete(file)
  // Nobody knows the content after the edit yet.
  for (const { edited } of planned) byPath.set(edited.path, { ...edited, blob: undefined })
  return [...byPath.values()]
}

/** What the files of the edits will be; null where that is not known. */
export async function plannedContents(
  { top }: Pick<WorkTree, 'top'>,
  edits: readonly NamedEdit[],
): Promise<ReadonlyMap<string, string | null>> {
  const contents = await Promise.all(
    edits.map(async ({ file, movedTo, edit }): Promise<[string, string | null][]> => {
      if (movedTo !== undefined) return [file, movedTo].map((path) => [path, null])
      const { text } = await readPresentFile(join(top, file), undefined)
      return [[file, contentAfter(edit, text)]]
    }),
  )
  return new Map(contents.flat())
}

async function readPresentFile(file: string, known: FileChange | undefined): Promise<Omit<PresentFile, 'hunks'>> {
  const found = await lstat(file).catch(() => undefined)
  const isReadable = found?.isFile() && found.size <= maxFileBytes && known?.status !== 'added'
  return { exists: found !== undefined, text: isReadable ? await readFile(file, 'utf8').catch(() => null) : null }
}

/** The paths that git ignores. */
export async function ignoredPaths({ gitWithInput }: WorkTree, paths: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set(splitNul((await gitWithInput(paths.join('\0'), 'check-ignore', '-z', '--stdin')).stdout))
}
