import { GitFailed, type StoreGit } from './store-git.ts'

export interface Merged {
  tree: string
  /** The files in conflict. */
  paths: readonly string[]
}

export type Pair = readonly [string, string]

/**
 * Merges pairs of commits; undefined for one that git cannot merge, as where a file was not fetched. Git writes everything at
 * its end and ends at a pair that it cannot merge: those after it are merged by another process.
 */
export async function mergePairs(git: StoreGit, pairs: readonly Pair[]): Promise<(Merged | undefined)[]> {
  const merged: (Merged | undefined)[] = []
  while (merged.length < pairs.length) {
    const { output, hasFailed } = await mergeBatch(git, pairs.slice(merged.length))
    // A record ends with an empty field, and no path is empty.
    for (const record of output.split('\0\0').slice(0, -1)) {
      const [, tree = '', ...paths] = record.split('\0')
      merged.push({ tree, paths })
    }
    if (hasFailed && merged.length < pairs.length) merged.push(undefined)
    else if (merged.length !== pairs.length) throw new Error('git merge-tree wrote something else than was expected.')
  }
  return merged
}

async function mergeBatch(git: StoreGit, pairs: readonly Pair[]): Promise<{ output: string; hasFailed: boolean }> {
  const input = pairs.map((pair) => `${pair.join(' ')}\n`).join('')
  // No object that is missing is fetched now.
  const settings = { 'protocol.allow': 'never', 'merge.renames': 'true', 'merge.directoryRenames': 'conflict' }
  try {
    const args = ['merge-tree', '--write-tree', '--stdin', '--name-only', '--no-messages']
    return { output: await git.run(args, { input, settings }), hasFailed: false }
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error
    return { output: error.stdout, hasFailed: true }
  }
}
