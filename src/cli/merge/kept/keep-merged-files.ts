import type { LocatedWorkTree } from '../../git/locate-work-tree.ts'
import { readBlobs, type StoreGit } from '../git/read-blobs.ts'
import { NotTried } from '../merge-result.ts'
import { mergeBase, type OwnCommit, type TriedHeads } from '../try-files.ts'
import { type MergedFileEntry, saveMergedFiles } from './merged-files.ts'

interface Kept {
  folder: string
  paths: ReadonlySet<string>
  workTree: LocatedWorkTree
  now: number
}

/** Keeps files of others for the hooks of editors, which do not wait for the server. Without them, lines decide. */
export async function keepMergedFiles(
  at: StoreGit,
  { tip, mine, filtered, changedPaths }: Pick<OwnCommit, 'tip' | 'mine' | 'filtered' | 'changedPaths'>,
  merged: TriedHeads['merged'],
  { folder, paths, workTree, now }: Kept,
): Promise<void> {
  const isKept = (path: string) => (paths.has(path) || changedPaths.has(path)) && !filtered.has(path)
  const wanted = merged.flatMap(({ candidate, head, tree }) =>
    (candidate.files ?? []).flatMap(({ path }) => (isKept(path) ? { candidate, head, tree, path } : [])),
  )
  const files = new Map<string, MergedFileEntry[]>()
  try {
    const ownBase = await mergeBase(at, mine, tip)
    const blobs = await readBlobs(
      at,
      wanted.flatMap(({ tree, path }) => [`${ownBase}:${path}`, `${tree}:${path}`]),
    )
    for (const [index, { candidate, head, path }] of wanted.entries()) {
      const [base, theirs] = blobs.slice(2 * index)
      if (!base || !theirs) continue
      const entry = { activity_id: candidate.activity_id, head_sha: head, target_sha: tip, base, theirs }
      files.set(path, [...(files.get(path) ?? []), entry])
    }
    saveMergedFiles(folder, workTree, files, now)
  } catch (error) {
    // A full disk, or a blob that is missing: the try itself has its results.
    if (!(error instanceof NotTried) && !(error instanceof Error && 'code' in error)) throw error
  }
}
