import type { Merged } from '../judge-merges.ts'
import { type MergeReason, NotTried } from '../merge-result.ts'
import { parseMergeTree } from './parse-merge-tree.ts'
import { inStore, type StoreGit } from './read-blobs.ts'

/**
 * Merges pairs of commits in the store, by one process. git writes what it has merged at its end, and ends at a pair that it
 * cannot merge: the others are merged by another process. `missing` says why an object may be missing.
 */
export async function mergeHeads(
  pairs: readonly (readonly [string, string])[],
  at: StoreGit,
  missing: MergeReason,
): Promise<Merged[]> {
  const merged: Merged[] = []
  while (merged.length < pairs.length) {
    const left = pairs.slice(merged.length)
    try {
      merged.push(...(await mergeBatch(left, at, missing)))
    } catch (error) {
      if (!(error instanceof NotTried)) throw error
      const { reason } = error
      merged.push(...left.map(() => ({ failed: reason })))
    }
  }
  return merged
}

async function mergeBatch(
  pairs: readonly (readonly [string, string])[],
  at: StoreGit,
  missing: MergeReason,
): Promise<Merged[]> {
  const lines = pairs.map(([first, second]) => `${first} ${second}\n`)
  const { code, stdout, stderr } = await inStore(at, ['merge-tree', '--write-tree', '--stdin'], lines.join(''))
  const merged = parseMergeTree(stdout.toString()).slice(0, pairs.length)
  if (merged.length === pairs.length && code === 0) return merged
  if (merged.length === pairs.length) throw new NotTried('failed')
  return [...merged, { failed: failureReason(stderr, missing) }]
}

/** A history that ends too early has nothing in common with the other one. */
function failureReason(stderr: string, missing: MergeReason): MergeReason {
  if (/unrelated histories/.test(stderr)) return 'shallow'
  return /unable to read|could not (?:fetch|read)|missing|bad object|Failed to (?:read|merge)|failure to merge/i.test(
    stderr,
  )
    ? missing
    : 'failed'
}
