import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Failure } from '../terminal.ts'

/** A work tree, found without git. All are real paths. */
export interface Place {
  top: string
  /** The git directory of this work tree alone. */
  gitDirectory: string
  /** The git directory that all work trees of the clone share. */
  commonDirectory: string
}

/**
 * Finds the work tree that a directory is in; undefined where it is in none. git itself obeys the settings of any repository that
 * it finds, and a clone can hold one: a directory with `HEAD`, `objects` and `refs` is a repository for git and can be committed,
 * unlike `.git`. Throws a `Failure` in such a directory.
 */
export function findTop(cwd: string): Place | undefined {
  for (let at = realPathOf(cwd); at !== undefined; at = at === dirname(at) ? undefined : dirname(at)) {
    if (isGitDirectory(at)) {
      throw new Failure(`${at} is itself a git directory, and Headsup runs git in work trees only: go into one.`)
    }
    const gitDirectory = gitDirectoryOf(at)
    if (gitDirectory !== undefined) return { top: at, gitDirectory, commonDirectory: commonDirectoryOf(gitDirectory) }
  }
  return undefined
}

/** The nearest directory that exists: the working directory may be gone. */
function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return path === dirname(path) ? undefined : realPathOf(dirname(path))
  }
}

/** The directory `.git`, or the one that the file `.git` of a linked work tree or a submodule names. */
function gitDirectoryOf(top: string): string | undefined {
  const path = join(top, '.git')
  const named = isFile(path) ? /^gitdir: (.+?)\s*$/.exec(textOf(path) ?? '')?.[1] : path
  if (named === undefined) return undefined
  const directory = resolve(top, named)
  return isGitDirectory(directory) ? realpathSync(directory) : undefined
}

function commonDirectoryOf(gitDirectory: string): string {
  return resolve(gitDirectory, textOf(join(gitDirectory, 'commondir'))?.trim() ?? '')
}

function isGitDirectory(path: string): boolean {
  // HEAD may be a link to a branch without commits.
  if (lstatSync(join(path, 'HEAD'), { throwIfNoEntry: false }) === undefined) return false
  return isFile(join(path, 'commondir')) || (isDirectory(join(path, 'objects')) && isDirectory(join(path, 'refs')))
}

/** Undefined where there is no such file. */
export function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true
const isDirectory = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
