import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { couldNotAsk } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import { type Git, gitIn } from './git.ts'
import { type GitConfig, readGitConfig } from './git-config.ts'
import { readStatus } from './git-status.ts'
import { locateWorkTree } from './locate-work-tree.ts'

export interface WorkTree {
  git: Git
  /** The directory of the work tree. */
  top: string
  /** A directory for what Headsup remembers of this work tree, below git's own. */
  memory: string
  /** Null where no branch is checked out. While one is rebased, that one. */
  branch: string | null
  hasCommits: boolean
  config: GitConfig
  /** Staged, unstaged and untracked files, from the top. */
  uncommitted: string[]
}

/** What git says of the work tree, in three calls at once; undefined where there is none. */
export async function findWorkTree(terminal: Pick<Terminal, 'cwd' | 'env' | 'signal'>): Promise<WorkTree | undefined> {
  const located = locateWorkTree(terminal)
  if ('refusal' in located) return undefined
  const { top } = located
  const git = gitIn(located, terminal)
  const [places, config, status] = await Promise.all([
    git(
      'rev-parse',
      '--show-cdup',
      ...['headsup', 'rebase-merge', 'rebase-apply'].flatMap((path) => ['--git-path', path]),
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
  if (/dubious ownership/.test(places.stderr)) {
    throw couldNotAsk('git refuses this directory, which belongs to somebody else: see `git status`.')
  }
  const [above, memory, merge = '', apply = ''] = places.stdout.split('\n')
  // The settings may name another work tree.
  if (places.code !== 0 || above !== '' || !memory) return undefined
  if (status.code !== 0) throw couldNotAsk('`git status` fails here: see what it says.')
  const { branch, hasCommits, paths } = readStatus(status.stdout)
  return {
    git,
    top,
    memory: resolve(top, memory),
    branch: branch ?? (await rebased([merge, apply].map((directory) => resolve(top, directory)))),
    hasCommits,
    config,
    uncommitted: paths,
  }
}

async function rebased(directories: readonly string[]): Promise<string | null> {
  for (const directory of directories) {
    const name = await readFile(resolve(directory, 'head-name'), 'utf8').catch(() => '')
    if (name.startsWith('refs/heads/')) return name.trim().slice('refs/heads/'.length)
  }
  return null
}
