import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, type Terminal } from '../terminal.ts'
import { type GitConfig, readConfig } from './config.ts'
import { findTop, type Place, textOf } from './find-top.ts'
import { type Git, gitIn } from './git.ts'

/** What is in progress in a work tree and moves its head for a while. */
export type Operation = 'rebase' | 'bisect' | 'am'

export interface WorkTree extends Place {
  git: Git
  config: GitConfig
  /** The branch that is checked out, or that a rebase or bisect began on; null for a detached head. */
  branch: string | null
  /** The commit that is checked out; null before the first one. */
  head: string | null
  operation: Operation | null
  /** Whether history is cut off. */
  isShallow: boolean
}

/** The settings of git, and the work tree of the working directory; without one the settings of the user and the machine. */
export interface Surroundings {
  config: GitConfig
  tree: WorkTree | undefined
}

/** Throws a `Failure` where git refuses the work tree. */
export async function readSurroundings(terminal: Pick<Terminal, 'cwd' | 'env' | 'signal'>): Promise<Surroundings> {
  const place = findTop(terminal.cwd)
  const config = await readConfig(gitIn(place, terminal))
  if (place === undefined) return { config, tree: undefined }
  const git = gitIn(place, terminal, config)
  const [ref, head] = await Promise.all([
    checkedOutRef(git, place),
    git(['rev-parse', '--quiet', '--verify', 'HEAD^{commit}']),
  ])
  const refusal = /dubious ownership/.test(head.stderr)
  if (refusal) throw new Failure('git refuses this directory, which belongs to another user: `git status` says more.')
  const { operation, began } = operationIn(place.gitDirectory)
  const tree = {
    ...place,
    git,
    config,
    branch: branchOf(ref) ?? began,
    head: head.code === 0 ? head.stdout.trim() : null,
    operation,
    isShallow: existsSync(join(place.commonDirectory, 'shallow')),
  }
  return { config, tree }
}

/** The ref that HEAD names. Git is asked where the file does not say it: a link, a detached head, or refs kept in another form. */
async function checkedOutRef(git: Git, { gitDirectory }: Place): Promise<string> {
  const [, ref] = /^ref: (refs\/heads\/(?!\.invalid$).+)$/m.exec(textOf(join(gitDirectory, 'HEAD')) ?? '') ?? []
  return ref ?? (await git(['symbolic-ref', '--quiet', 'HEAD'])).stdout
}

function branchOf(ref: string): string | null {
  return /^refs\/heads\/(.+?)\s*$/.exec(ref)?.[1] ?? null
}

/** What is in progress, and the branch that it began on, where git has left that. */
function operationIn(gitDirectory: string): { operation: Operation | null; began: string | null } {
  const read = (...path: string[]) => textOf(join(gitDirectory, ...path))
  for (const directory of ['rebase-merge', 'rebase-apply']) {
    const name = read(directory, 'head-name')
    if (name !== undefined) return { operation: 'rebase', began: branchOf(name) }
  }
  if (read('rebase-apply', 'applying') !== undefined) return { operation: 'am', began: null }
  const start = read('BISECT_START')?.trim()
  if (start === undefined) return { operation: null, began: null }
  // It is the id of a commit where the bisection began on a detached head.
  const isBranch = !/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(start)
  return { operation: 'bisect', began: isBranch ? start : null }
}
