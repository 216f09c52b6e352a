import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { editedFile, movedFile, type PresentFile } from '../../changes/edits/edited-file.ts'
import type { NamedEdit } from '../../changes/edits/parse-patch.ts'
import type { FileChange } from '../../changes/file-change.ts'
import { type ChangedFiles, readHunks } from './changed-files.ts'
import type { WorkTree } from './work-tree.ts'

/** The lines of an edit of a larger file are not looked for. */
const maxFileBytes = 1024 * 1024

/** What the work tree will change once the edits are made. The files of the edits are named from its top. */
export async function plannedChanges(
  tree: WorkTree,
  changed: ChangedFiles,
  edits: readonly NamedEdit[],
  limitMs: number,
): Promise<FileChange[]> {
  const byPath = new Map(changed.files.map((file) => [file.path, file]))
  const planned = await Promise.all(
    edits.map(async ({ file, movedTo, edit }) => {
      const known = byPath.get(file)
      const edited = editedFile(file, known, edit, await readPresentFile(tree, file, known, changed.mergeBase, limitMs))
      return { file, edited: movedTo === undefined ? edited : movedFile(movedTo, edited) }
    }),
  )
  for (const { file } of planned) byPath.delete(file)
  for (const { edited } of planned) byPath.set(edited.path, edited)
  return [...byPath.values()]
}

async function readPresentFile(
  tree: WorkTree,
  path: string,
  known: FileChange | undefined,
  mergeBase: string | undefined,
  limitMs: number,
): Promise<PresentFile> {
  const file = join(tree.top, path)
  const found = await lstat(file).catch(() => undefined)
  if (!found) return { exists: false, text: null, hunks: null }
  const isReadable = found.isFile() && found.size <= maxFileBytes && known?.status !== 'added'
  const text = isReadable ? await readFile(file, 'utf8').catch(() => null) : null
  if (!known || text === null || mergeBase === undefined) return { exists: true, text, hunks: known ? null : [] }
  return { exists: true, text, hunks: await readHunks(tree, mergeBase, known, limitMs) }
}

/** The paths that git ignores. */
export async function ignoredPaths({ git }: WorkTree, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const isIgnored = async (path: string) => (await git('check-ignore', '--quiet', '--', path)).code === 0
  const ignored = await Promise.all(paths.map(isIgnored))
  return new Set(paths.filter((_, index) => ignored[index]))
}
