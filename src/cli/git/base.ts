import { join } from 'node:path'
import { usageError } from '../terminal.ts'
import { textOf } from './find-top.ts'
import type { WorkTree } from './work-tree.ts'

interface BaseQuestion {
  /** `--base`, as it was given. */
  given: string | undefined
  /** The remote of the repository; undefined where the clone has none. */
  remote: string | undefined
  /** The default branch of the repository, as the service knows it. */
  defaultBranch: string
}

export interface Base {
  /** The branch that somebody named: what is sent. A base is never guessed and then told as a fact. */
  named: string | null
  /** The remote-tracking branch that the work is compared with; null where the clone does not have it. */
  ref: string | null
}

/** Throws a usage error where `--base` is no branch of the remote. */
export async function findBase(tree: WorkTree, { given, remote, defaultBranch }: BaseQuestion): Promise<Base> {
  const { config, branch } = tree
  const all = config.remotes.map((one) => one.name)
  const name = given === undefined ? undefined : shortName(given, all)
  const byGh = branch === null ? undefined : config.get(`branch.${branch}.gh-merge-base`)
  const refsOf = (one: string) => (remote === undefined ? all : [remote]).map((from) => `refs/remotes/${from}/${one}`)
  const names = [name, byGh, defaultBranch].flatMap((one) => one ?? [])
  const existing = await existingRefs(tree, names.flatMap(refsOf))
  const refOf = (one: string) => refsOf(one).find((ref) => existing.has(ref)) ?? null
  if (name !== undefined && refOf(name) === null && name !== defaultBranch) {
    throw usageError(
      `--base: ${remote ?? 'the remote'} has no branch ${name} as far as this clone knows. \`git fetch\` asks it again.`,
    )
  }
  // Another base that a setting names, and the remote does not have, says nothing.
  const named = name ?? (byGh !== undefined && refOf(byGh) !== null ? byGh : null)
  return { named, ref: refOf(named ?? defaultBranch) }
}

/** `main` for `refs/heads/main` and, where `origin` is a remote, for `origin/main`. */
export function shortName(name: string, remotes: readonly string[]): string {
  const short = name.replace(/^refs\/(?:heads|remotes)\//, '')
  const remote = remotes.find((one) => short.startsWith(`${one}/`))
  return remote === undefined ? short : short.slice(remote.length + 1)
}

async function existingRefs({ git }: WorkTree, refs: readonly string[]): Promise<Set<string>> {
  if (refs.length === 0) return new Set()
  const { stdout } = await git(['for-each-ref', '--format=%(refname)', '--', ...refs])
  return new Set(stdout.split('\n').filter((ref) => refs.includes(ref)))
}

const emptyTrees = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
}

/** The tree without files: what a branch without commits began at. */
export function emptyTree({ config }: WorkTree): string {
  return emptyTrees[config.objectFormat]
}

/** Where the work began: a commit, or the empty tree. Null where the clone has no such commit, as a shallow one. */
export async function findMergeBase(tree: WorkTree, { ref }: Base): Promise<string | null> {
  if (tree.head === null) return emptyTree(tree)
  if (ref === null) return beginOfOwnCommits(tree)
  // A merge that is in progress has brought the changes of the other side into the work tree already.
  const merged = textOf(join(tree.gitDirectory, 'MERGE_HEAD'))?.split('\n').filter(Boolean) ?? []
  const { stdout } = await tree.git(['merge-base', ref, 'HEAD', ...merged])
  return stdout.trim() || null
}

/** The commit before those that no branch of a remote has. */
async function beginOfOwnCommits(tree: WorkTree): Promise<string | null> {
  const { stdout } = await tree.git(['rev-list', '--first-parent', '--parents', 'HEAD', '--not', '--remotes'])
  const last = stdout.trim().split('\n').at(-1) ?? ''
  if (last === '') return tree.head
  const [, parent] = last.split(' ')
  return parent ?? (tree.isShallow ? null : emptyTree(tree))
}
