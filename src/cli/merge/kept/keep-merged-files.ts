import { readBlobs, type StoreGit } from '../git/read-blobs.ts'
import { NotTried } from '../merge-result.ts'
import { mergeBase, type OwnCommit, type TriedHeads } from '../try-files.ts'
import { type KeptPlace, type MergedFileEntry, saveMergedFiles } from './kept-files.ts'

/** Keeps files of others for the hooks, which do not wait for the server. Without them, lines decide. */
export async function keepMergedFiles(
  at: StoreGit,
  { tip, mine, filtered, changedPaths }: Pick<OwnCommit, 'tip' | 'mine' | 'filtered' | 'changedPaths'>,
  merged: TriedHeads['merged'],
  place: KeptPlace,
  now: number,
): Promise<void> {
  const isKept = (path: string) => changedPaths.has(path) && !filtered.has(path)
  const wanted = merged.flatMap((of) =>
    (of.candidate.files ?? []).flatMap(({ path }) => (isKept(path) && !of.leftOut.has(path) ? { ...of, path } : [])),
  )
  if (wanted.length === 0) return
  const files = new Map<string, MergedFileEntry[]>()
  try {
    const ownBase = await mergeBase(at, mine, tip)
    const named = wanted.flatMap(({ tree, path }) => {
      const base = `${ownBase}:${path}`
      return tree === null ? base : [base, `${tree}:${path}`]
    })
    const names = [...new Set(named)]
    const contents = await readBlobs(at, names)
    const blobs = new Map(names.map((name, index) => [name, contents[index]]))
    for (const { candidate, head, tree, files: known, path } of wanted) {
      const base = blobs.get(`${ownBase}:${path}`)
      const theirs = known.get(path) ?? blobs.get(`${tree}:${path}`)
      if (!base || !theirs) continue
      const entry = { activity_id: candidate.activity_id, head_sha: head, target_sha: tip, base, theirs }
      files.set(path, [...(files.get(path) ?? []), entry])
    }
  } catch (error) {
    // A blob is missing: the try itself has its results.
    if (!(error instanceof NotTried)) throw error
  }
  saveMergedFiles(place, files, now)
}
