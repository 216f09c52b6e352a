import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Terminal } from '../terminal.ts'
import { fromTop } from './given-paths.ts'

/** A work tree and its own git directory, both by their real paths. git runs nowhere else. */
export interface LocatedWorkTree {
  top: string
  gitDirectory: string
}

export interface NotLocated {
  /** Why git does not run here: a sentence for the user, without its full stop. */
  refusal: string
}

/**
 * Finds the work tree that a directory is in, without running git: git obeys the settings of any repository that it
 * finds, and a clone can contain one. A directory that holds `HEAD`, `objects` and `refs` is a repository to git, and
 * can be committed; `.git` can not.
 */
export function locateWorkTree({ cwd, env }: Pick<Terminal, 'cwd' | 'env'>): LocatedWorkTree | NotLocated {
  const start = realPathOf(cwd)
  const found = start === undefined ? undefined : nearestRepository(start)
  if (!found) return { refusal: 'This is no git work tree: go into one' }
  if (found.kind === 'git-directory') {
    return { refusal: `${found.path} is itself a git directory, and Headsup runs git in work trees only: go into one` }
  }
  const top = found.path
  const gitDirectory = gitDirectoryOf(top)
  if (gitDirectory === undefined) {
    return { refusal: `${join(top, '.git')} names a git directory that does not belong to this work tree` }
  }
  if (!agrees(env.GIT_DIR, cwd, [gitDirectory, join(top, '.git')]) || !agrees(env.GIT_WORK_TREE, cwd, [top])) {
    return { refusal: `GIT_DIR or GIT_WORK_TREE names another repository than ${top}, where you are: unset them` }
  }
  return { top, gitDirectory }
}

/** Whether a directory lies in another work tree below the top, such as a submodule. */
export function isInNestedWorkTree(directory: string, top: string): boolean {
  for (let at = directory; at !== top && at !== dirname(at); at = dirname(at)) {
    if (hasDotGit(at)) return true
  }
  return false
}

type Repository = { kind: 'work-tree' | 'git-directory'; path: string }

/** Looks at each directory upwards in the order that git does: for `.git` in it, then whether it is a git directory. */
function nearestRepository(start: string): Repository | undefined {
  for (let at = start; ; at = dirname(at)) {
    if (hasDotGit(at)) return { kind: 'work-tree', path: at }
    if (isGitDirectory(at)) return { kind: 'git-directory', path: at }
    if (at === dirname(at)) return undefined
  }
}

function hasDotGit(directory: string): boolean {
  const path = join(directory, '.git')
  return isFile(path) || isGitDirectory(path)
}

function isGitDirectory(path: string): boolean {
  // It may be a link to a branch without commits.
  if (!isThere(join(path, 'HEAD'))) return false
  return isFile(join(path, 'commondir')) || (isDirectory(join(path, 'objects')) && isDirectory(join(path, 'refs')))
}

/** The directory `.git`, or the one that the file `.git` names; undefined where that one does not belong to the work tree. */
function gitDirectoryOf(top: string): string | undefined {
  const path = join(top, '.git')
  if (!isFile(path)) return realPathOf(path)
  const [, named] = /^gitdir: ([^\n\r]+)[\n\r]*$/.exec(textOf(path)) ?? []
  const gitDirectory = named === undefined ? undefined : realPathOf(resolve(top, named))
  if (gitDirectory === undefined || !isGitDirectory(gitDirectory)) return undefined
  const belongs = isFile(join(gitDirectory, 'commondir'))
    ? namesLinkedWorkTree(gitDirectory, path)
    : !isContent(gitDirectory, top)
  return belongs ? gitDirectory : undefined
}

/** Whether the git directory of a linked work tree names its `.git` file, as git writes it. */
function namesLinkedWorkTree(gitDirectory: string, dotGit: string): boolean {
  const back = textOf(join(gitDirectory, 'gitdir')).trim()
  return back !== '' && realPathOf(resolve(gitDirectory, back)) === realPathOf(dotGit)
}

/**
 * Whether a git directory lies among the files of the work tree, or of the one around it, where a clone could have put
 * it. The git directory of a submodule lies within that of the work tree around it.
 */
function isContent(gitDirectory: string, top: string): boolean {
  if (fromTop(gitDirectory, top) !== undefined) return true
  const around = nearestRepository(dirname(top))
  if (around === undefined) return false
  const outer = around.kind === 'work-tree' ? gitDirectoryOf(around.path) : undefined
  if (outer === undefined) return true
  return fromTop(gitDirectory, around.path) !== undefined && fromTop(gitDirectory, outer) === undefined
}

/** Whether a variable that git sets for its hooks, where it is set, names one of these paths. */
function agrees(value: string | undefined, cwd: string, paths: readonly string[]): boolean {
  if (!value) return true
  const path = realPathOf(resolve(cwd, value))
  return path !== undefined && paths.some((other) => realPathOf(other) === path)
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function isFile(path: string): boolean {
  return statOf(path)?.isFile() === true
}

function isDirectory(path: string): boolean {
  return statOf(path)?.isDirectory() === true
}

/** What can't be read counts as absent. */
function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}
