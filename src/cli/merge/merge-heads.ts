import type { GitProcesses } from './git-process.ts'
import { type Guards, isolatedEnv, settingsEnv } from './guards.ts'
import type { Merged } from './judge-merges.ts'
import { type MergeReason, NotTried } from './merge-result.ts'
import type { MergeStore } from './merge-store.ts'
import { parseMergeTree } from './parse-merge-tree.ts'

export interface MergeBounds {
  git: GitProcesses
  env: NodeJS.ProcessEnv
  guards: Guards
  /** Why an object may be missing that a merge needs. */
  missing: MergeReason
}

/**
 * Merges pairs of commits in the store, by one process. git writes what it has merged at its end, and ends at a pair that it
 * cannot merge: the others are merged by another process.
 */
export async function mergeHeads(
  pairs: readonly (readonly [string, string])[],
  store: MergeStore,
  bounds: MergeBounds,
): Promise<Merged[]> {
  const merged: Merged[] = []
  while (merged.length < pairs.length) {
    const left = pairs.slice(merged.length)
    try {
      merged.push(...(await mergeBatch(left, store, bounds)))
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
  store: MergeStore,
  { git, env, guards, missing }: MergeBounds,
): Promise<Merged[]> {
  const { code, stdout, stderr } = await git.run({
    args: [`--git-dir=${store.directory}`, 'merge-tree', '--write-tree', '--stdin'],
    cwd: store.directory,
    env: { ...isolatedEnv(env, store.directory, guards), ...settingsEnv(Object.entries(guards.merge)) },
    input: pairs.map(([first, second]) => `${first} ${second}\n`).join(''),
  })
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
