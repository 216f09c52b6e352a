import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { GlobError } from '../../core/globs/alternatives.ts'
import { escapeGlob, parseGlob } from '../../core/globs/glob.ts'
import { TooCostly } from '../../core/globs/shared.ts'
import { matchesPath } from '../../core/globs/shared-path.ts'
import { Failure, usageError } from '../terminal.ts'
import { splitNul } from './git.ts'
import type { WorkTree } from './work-tree.ts'

export interface GivenPaths {
  /** From the top of the work tree, in git's own spelling; a directory as `DIR/`. */
  globs: string[]
  /** Those that git does not know: they may be misspelled. */
  unknown: string[]
}

/** What the user named, relative to the working directory. `changed` are files that git may have forgotten, as removed ones. */
export async function readGivenPaths(
  tree: WorkTree,
  cwd: string,
  given: readonly string[],
  changed: Iterable<string>,
): Promise<GivenPaths> {
  if (given.length === 0) return { globs: [], unknown: [] }
  const listed = await tree.git(['ls-files', '-z', '--cached', '--others', '--exclude-standard'])
  if (listed.code !== 0) throw new Failure('`git ls-files` fails in this work tree: run it to see why.')
  const files = new Set([...splitNul(listed.stdout), ...changed])
  const find = finderIn(files, tree.config.get('core.ignorecase') === 'true')
  const found = given.map((text) => readPath(text, { top: tree.top, cwd: realPath(cwd), files, find }))
  return {
    globs: [...new Set(found.map(({ glob }) => glob))],
    unknown: given.filter((_, at) => found[at]?.isKnown === false),
  }
}

interface Here {
  top: string
  cwd: string
  files: ReadonlySet<string>
  find(path: string): string | undefined
}

function readPath(text: string, here: Here): { glob: string; isKnown: boolean } {
  if (text === '') throw usageError('A path is empty: write . for this directory.')
  const written = sep === '/' ? text : text.replaceAll(sep, '/')
  const path = fromTop(resolve(here.cwd, written), here.top)
  if (path === '') return { glob: '**', isKnown: true }
  const known = path === undefined ? undefined : here.find(path)
  if (known !== undefined) return { glob: escapeGlob(known), isKnown: true }
  if (/[*?[{]/.test(written)) return readGlob(written, here)
  if (path === undefined) throw usageError(`${text} is outside of the work tree ${here.top}.`)
  return { glob: escapeGlob(written.endsWith('/') ? `${path}/` : path), isKnown: false }
}

/** A glob begins at the working directory. */
function readGlob(written: string, { top, cwd, files }: Here): { glob: string; isKnown: boolean } {
  const steps = /^(?:\.\.?\/+)+/.exec(written)?.[0] ?? ''
  const directory = fromTop(resolve(cwd, steps), top)
  const rest = isAbsolute(written) ? fromTop(written, top) : written.slice(steps.length)
  if (directory === undefined || rest === undefined) throw usageError(`${written} is outside of the work tree ${top}.`)
  const glob = directory === '' || isAbsolute(written) ? rest : `${escapeGlob(directory)}/${rest}`
  return { glob, isKnown: matchesOne(glob, files) }
}

/** The steps of one glob with all files: less than a second. */
const mostSteps = 5_000_000

/** Whether a file is known to match. */
function matchesOne(text: string, files: ReadonlySet<string>): boolean {
  const budget = { steps: mostSteps }
  try {
    const glob = parseGlob(text)
    return [...files].some((file) => matchesPath(glob, file, budget))
  } catch (error) {
    // What is no glob the service refuses, and says what to write instead.
    if (error instanceof GlobError) return true
    if (error instanceof TooCostly) return false
    throw error
  }
}

/** Finds the file or `DIR/` of a path as git spells it; the file system may not tell cases apart, or forms of accents. */
function finderIn(files: ReadonlySet<string>, ignoresCase: boolean): Here['find'] {
  const fold = (path: string) => (ignoresCase ? path.normalize().toLowerCase() : path.normalize())
  return (path) => {
    if (files.has(path)) return path
    const all = [...files]
    if (all.some((file) => file.startsWith(`${path}/`))) return `${path}/`
    const folded = fold(path)
    const length = path.split('/').length
    const alike = all.find((file) => fold(file) === folded || fold(file).startsWith(`${folded}/`))
    if (alike === undefined) return undefined
    const names = alike.split('/')
    return names.length === length ? alike : `${names.slice(0, length).join('/')}/`
  }
}

/** The path with all links in it resolved, as far as it exists. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return dirname(path) === path ? path : join(realPath(dirname(path)), basename(path))
  }
}

/** A path from the top of the work tree, with slashes; undefined outside of it. */
function fromTop(path: string, top: string): string | undefined {
  const found = [path, join(realPath(dirname(path)), basename(path))]
    .map((one) => relative(top, one))
    .find((one) => one !== '..' && !one.startsWith(`..${sep}`) && !isAbsolute(one))
  return found === undefined || sep === '/' ? found : found.replaceAll(sep, '/')
}
