import { readBlobs, type StoreGit } from '../git/read-blobs.ts'
import { type Conflict, type MergeResult, NotTried } from '../merge-result.ts'
import { mergeBase, type OwnCommit, type TriedHeads } from '../try-files.ts'
import { type KeptPlace, type MergedFileEntry, saveMergedFiles } from './kept-files.ts'

/** Keeps files of others for the hooks, which do not wait for the server. Without them, lines decide. */
export async function keepMergedFiles(
  at: StoreGit,
  { tip, mine, filtered, changedPaths }: Pick<OwnCommit, 'tip' | 'mine' | 'filtered' | 'changedPaths'>,
  { tried, merged }: Pick<TriedHeads, 'tried' | 'merged'>,
  place: KeptPlace,
  now: number,
): Promise<void> {
  const isKept = (path: string) => changedPaths.has(path) && !filtered.has(path)
  // Of a file that they rename, the own work may change the old name.
  const wanted = merged.flatMap((of) =>
    (of.candidate.files ?? []).flatMap(({ path: theirPath, previous_path }) =>
      [theirPath, ...(previous_path === null || filtered.has(theirPath) ? [] : [previous_path])].flatMap((path) =>
        isKept(path) ? { ...of, path, theirPath } : [],
      ),
    ),
  )
  if (wanted.length === 0) return
  const removed = new Map(tried.map(({ activity_id, conflicts }) => [activity_id, removedByThem(conflicts)]))
  const following = new Set(tried.filter(followsRenames).map(({ activity_id }) => activity_id))
  const files = new Map<string, MergedFileEntry[]>()
  try {
    const ownBase = await mergeBase(at, mine, tip)
    const named = wanted.flatMap(({ tree, path, theirPath }) => {
      const base = `${ownBase}:${path}`
      return tree === null ? base : [base, `${tree}:${theirPath}`]
    })
    const names = [...new Set(named)]
    const contents = await readBlobs(at, names)
    const blobs = new Map(names.map((name, index) => [name, contents[index]]))
    for (const { candidate, head, tree, files: known, leftOut, path, theirPath } of wanted) {
      const { activity_id } = candidate
      const base = blobs.get(`${ownBase}:${path}`)
      const theirs = known.get(path) ?? blobs.get(`${tree}:${theirPath}`) ?? null
      const isFollowed = path === theirPath || following.has(activity_id)
      const isWhole = base && isFollowed && (theirs !== null || removed.get(activity_id)?.has(path))
      const file = isWhole ? { base, theirs } : ({ reason: 'not_on_both_sides' } as const)
      const entry = { activity_id, head_sha: head, target_sha: tip }
      const isLeftOut = leftOut.has(path) || leftOut.has(theirPath)
      const kept = { ...entry, file: isLeftOut ? ({ reason: 'target' } as const) : file }
      files.set(path, [...(files.get(path) ?? []), kept])
    }
  } catch (error) {
    // A blob is missing: the try itself has its results.
    if (!(error instanceof NotTried)) throw error
  }
  saveMergedFiles(place, files, now)
}

/** Whether git has followed each rename: else the old name of one is in conflict, as a file that is removed or renamed. */
function followsRenames({ merge, conflicts }: MergeResult): boolean {
  return merge !== 'not_tried' && conflicts.every(({ type }) => type === 'contents')
}

/** The files that they remove and that the own work changes, as the merge of the trees says: a renamed file is none. */
function removedByThem(conflicts: readonly Conflict[]): ReadonlySet<string> {
  return new Set(
    conflicts.flatMap(({ path, type, removed_by }) => (type === 'modify_delete' && removed_by === 'they' ? path : [])),
  )
}
