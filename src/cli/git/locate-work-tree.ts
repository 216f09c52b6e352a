import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Terminal } from '../terminal.ts'
import { fromTop } from './given-paths.ts'

/** A work tree and its own git directory, as real paths. git runs nowhere else. */
export interface LocatedWorkTree {
  top: string
  gitDirectory: string
}

export interface NotLocated {
  /** Why git does not run here: a sentence for the user, without the full stop. */
  refusal: string
}

/**
 * Finds the work tree of a directory without running git (docs/rules.md#git-trust). git obeys the settings of any
 * repository that it finds, and a clone can contain one: a directory with `HEAD`, `objects` and `refs` is a repository for
 * git and can be committed, unlike `.git`.
 */
export function locateWorkTree({ cwd, env }: Pick<Terminal, 'cwd' | 'env'>): LocatedWorkTree | NotLocated {
  const start = realPathOf(cwd)
  const found = start === undefined ? undefined : nearestRepository(start)
  if (!found) return { refusal: 'This is not a git work tree: go into one' }
  if (found.kind === 'git-directory') {
    return { refusal: `${found.path} is itself a git directory, and Headsup runs git in work trees only: go into one` }
  }
  const top = found.path
  const gitDirectory = gitDirectoryOf(top)
  if (gitDirectory === undefined) {
    return { refusal: `${join(top, '.git')} names a git directory that does not belong to this work tree` }
  }
  if (!namesOneOf(env.GIT_DIR, cwd, [gitDirectory, join(top, '.git')]) || !namesOneOf(env.GIT_WORK_TREE, cwd, [top])) {
    return { refusal: `GIT_DIR or GIT_WORK_TREE names another repository than ${top}, where you are: unset them` }
  }
  return { top, gitDirectory }
}

/** Whether the work tree and its git directory belong to the user, so that git does not refuse them. */
export function isOwnedByUser({ top, gitDirectory }: LocatedWorkTree): boolean {
  const user = process.getuid?.()
  return user !== undefined && [top, join(top, '.git'), gitDirectory].every((path) => statOf(path)?.uid === user)
}

/** Whether a directory lies in another work tree below the top, such as a submodule. */
export function isInNestedWorkTree(directory: string, top: string): boolean {
  for (let at = directory; at !== top && at !== dirname(at); at = dirname(at)) {
    if (hasDotGit(at)) return true
  }
  return false
}

type Repository = { kind: 'work-tree' | 'git-directory'; path: string }

/** Searches the directory and its parents in git's order: first for `.git`, then whether it is itself a git directory. */
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
  // HEAD may be a broken link, to a branch without commits.
  if (!exists(join(path, 'HEAD'))) return false
  return isFile(join(path, 'commondir')) || (isDirectory(join(path, 'objects')) && isDirectory(join(path, 'refs')))
}

/** The directory `.git`, or the directory that the file `.git` names; undefined where that does not belong to the work tree. */
function gitDirectoryOf(top: string): string | undefined {
  const path = join(top, '.git')
  if (!isFile(path)) return realPathOf(path)
  const [, named] = /^gitdir: ([^\n\r]+)[\n\r]*$/.exec(textOf(path)) ?? []
  const gitDirectory = named === undefined ? undefined : realPathOf(resolve(top, named))
  if (gitDirectory === undefined || !isGitDirectory(gitDirectory)) return undefined
  const belongs = isFile(join(gitDirectory, 'commondir'))
    ? namesLinkedWorkTree(gitDirectory, path)
    : !isAmongFiles(gitDirectory, top)
  return belongs ? gitDirectory : undefined
}

/** Whether the git directory of a linked work tree names its `.git` file. */
function namesLinkedWorkTree(gitDirectory: string, dotGit: string): boolean {
  const back = textOf(join(gitDirectory, 'gitdir')).trim()
  return back !== '' && realPathOf(resolve(gitDirectory, back)) === realPathOf(dotGit)
}

/**
 * Whether a git directory is among the files of the work tree or of the enclosing one, where a clone could have put it.
 * The git directory of a submodule is inside that of the enclosing work tree.
 */
function isAmongFiles(gitDirectory: string, top: string): boolean {
  if (fromTop(gitDirectory, top) !== undefined) return true
  const enclosing = nearestRepository(dirname(top))
  if (enclosing === undefined) return false
  const outer = enclosing.kind === 'work-tree' ? gitDirectoryOf(enclosing.path) : undefined
  if (outer === undefined) return true
  return fromTop(gitDirectory, enclosing.path) !== undefined && fromTop(gitDirectory, outer) === undefined
}

/** Whether a variable of git is unset or names one of these paths. */
function namesOneOf(value: string | undefined, cwd: string, paths: readonly string[]): boolean {
  if (!value) return true
  const path = realPathOf(resolve(cwd, value))
  return path !== undefined && paths.some((other) => realPathOf(other) === path)
}

/** The path with all links resolved; undefined where it does not exist. */
export function realPathOf(path: string): string | undefined {
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

/** A path that can't be read counts as absent. */
function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}
