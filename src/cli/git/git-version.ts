import type { WorkTree } from './work-tree.ts'

/** The version of git as `2.39`, and whether it merges without a work tree (`merge-tree --stdin`). */
export async function readGitVersion({ git }: WorkTree): Promise<{ version: string; canMerge: boolean }> {
  const version = /\d+\.\d+/.exec((await git(['version'])).stdout)?.[0] ?? '0.0'
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return { version, canMerge: major > 2 || (major === 2 && minor >= 39) }
}
