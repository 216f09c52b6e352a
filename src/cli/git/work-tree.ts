import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { unavailable } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import { type Git, gitIn, type LimitedGit, limitedGitIn } from './git.ts'
import { type GitConfig, readGitConfig } from './git-config.ts'
import { readStatus } from './git-status.ts'
import { locateWorkTree } from './locate-work-tree.ts'

export interface WorkTree {
  git: Git
  limitedGit: LimitedGit
  /** The top directory. */
  top: string
  /** The directory of Headsup's state of this work tree, below git's own. */
  stateDirectory: string
  /** The branch that is checked out or being rebased; null for a detached head. */
  branch: string | null
  /** The commit that is checked out; null before the first commit. */
  head: string | null
  /** The commit that is being merged; null where none is. */
  mergeHead: string | null
  config: GitConfig
  /** Staged, unstaged and untracked files, from the top. */
  uncommittedPaths: string[]
  untrackedPaths: string[]
}

/** Reads the work tree by three concurrent calls of git; undefined outside of a work tree. */
export async function findWorkTree(terminal: Pick<Terminal, 'cwd' | 'env' | 'signal'>): Promise<WorkTree | undefined> {
  const located = locateWorkTree(terminal)
  if ('refusal' in located) return undefined
  const { top } = located
  const git = gitIn(located, terminal)
  const [revParse, config, status] = await Promise.all([
    git(
      'rev-parse',
      '--show-cdup',
      ...['headsup', 'rebase-merge', 'rebase-apply', 'MERGE_HEAD'].flatMap((path) => ['--git-path', path]),
    ),
    readGitConfig(git),
    git(
      'status',
      '--porcelain=v2',
      '--branch',
      '-z',
      '--untracked-files=all',
      '--no-renames',
      '--ignore-submodules=none',
    ),
  ])
  if (/dubious ownership/.test(revParse.stderr)) {
    throw unavailable('git refuses this directory, which belongs to another user: run `git status` to see why.')
  }
  const [above, stateDirectory, merge = '', apply = '', mergeHead = ''] = revParse.stdout.split('\n')
  // The setting `core.worktree` may name another work tree.
  if (revParse.code !== 0 || above !== '' || !stateDirectory) return undefined
  if (status.code !== 0) throw unavailable('`git status` fails in this directory: run it to see why.')
  const { branch, head, paths, untracked } = readStatus(status.stdout)
  return {
    git,
    limitedGit: limitedGitIn(located, terminal),
    top,
    stateDirectory: resolve(top, stateDirectory),
    branch: branch ?? (await branchBeingRebased([merge, apply].map((directory) => resolve(top, directory)))),
    head,
    mergeHead: await readMergeHead(resolve(top, mergeHead)),
    config,
    uncommittedPaths: paths,
    untrackedPaths: untracked,
  }
}

async function branchBeingRebased(directories: readonly string[]): Promise<string | null> {
  for (const directory of directories) {
    const name = await readFile(resolve(directory, 'head-name'), 'utf8').catch(() => '')
    if (name.startsWith('refs/heads/')) return name.trim().slice('refs/heads/'.length)
  }
  return null
}

/** The commit of a merge that waits for its conflicts to be resolved. A merge of several branches counts as none. */
async function readMergeHead(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return /^([0-9a-f]{40,64})\n?$/.exec(text)?.[1] ?? null
}
