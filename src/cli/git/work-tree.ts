import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { unavailable } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import { type Git, type GitWithInput, gitIn, gitWithInputIn, type LimitedGit, limitedGitIn } from './git.ts'
import { type GitConfig, readGitConfig } from './git-config.ts'
import { readStatus, type UncommittedFile } from './git-status.ts'
import { type LocatedWorkTree, locateWorkTree, realPathOf } from './locate-work-tree.ts'

export interface WorkTree {
  git: Git
  gitWithInput: GitWithInput
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
  uncommitted: readonly UncommittedFile[]
}

/** Reads the work tree by two concurrent calls of git; undefined outside of a work tree. */
export async function findWorkTree(terminal: Pick<Terminal, 'cwd' | 'env' | 'signal'>): Promise<WorkTree | undefined> {
  const located = locateWorkTree(terminal)
  if ('refusal' in located) return undefined
  const { top, gitDirectory } = located
  const git = gitIn(located, terminal)
  const [config, status] = await Promise.all([
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
  if (/dubious ownership/.test(status.stderr)) {
    throw unavailable('git refuses this directory, which belongs to another user: run `git status` to see why.')
  }
  if (/^fatal: (not a git repository \(|this operation must be run in a work tree)/.test(status.stderr))
    return undefined
  if (hasOtherTop(config, located)) return undefined
  if (status.code !== 0) throw unavailable('`git status` fails in this directory: run it to see why.')
  const { branch, head, uncommitted } = readStatus(status.stdout)
  return {
    git,
    gitWithInput: gitWithInputIn(located, terminal),
    limitedGit: limitedGitIn(located, terminal),
    top,
    stateDirectory: stateDirectoryOf(located),
    branch: branch ?? (await branchBeingRebased(gitDirectory)),
    head,
    mergeHead: await readMergeHead(join(gitDirectory, 'MERGE_HEAD')),
    config,
    uncommitted,
  }
}

/** The directory of Headsup's state of a work tree. */
export function stateDirectoryOf({ gitDirectory }: LocatedWorkTree): string {
  return join(gitDirectory, 'headsup')
}

/** Whether the setting `core.worktree` names another directory. git does not read it in a linked work tree. */
function hasOtherTop(config: GitConfig, { top, gitDirectory }: LocatedWorkTree): boolean {
  const named = config.get('core.worktree')
  if (named === undefined || existsSync(join(gitDirectory, 'commondir'))) return false
  return realPathOf(resolve(gitDirectory, named)) !== top
}

async function branchBeingRebased(gitDirectory: string): Promise<string | null> {
  for (const directory of ['rebase-merge', 'rebase-apply']) {
    const name = await readFile(join(gitDirectory, directory, 'head-name'), 'utf8').catch(() => '')
    if (name.startsWith('refs/heads/')) return name.trim().slice('refs/heads/'.length)
  }
  return null
}

/** The commit of a merge that waits for its conflicts to be resolved. A merge of several branches counts as none. */
async function readMergeHead(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return /^([0-9a-f]{40,64})\n?$/.exec(text)?.[1] ?? null
}
