import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { NotTried } from './not-tried.ts'
import type { ObjectFormat } from './store.ts'

/** Runs git at the top of a work tree, with no program that its settings name. Rejects where git fails. */
export type CloneGit = (args: readonly string[], input?: string) => Promise<string>

/** The work tree as it is, and the clone that it belongs to. */
export interface OwnWork {
  top: string
  /** The directory of the clone's objects. */
  objects: string
  format: ObjectFormat
  /** The commit that is checked out. */
  head: string
  /** Uncommitted files whose content git can take as it is, removed ones too. */
  uncommitted: readonly string[]
  /** Files whose content here is not what git would merge: large or filtered ones, links, submodules. */
  leftOut: ReadonlySet<string>
  /** Settings for reading files, such as the ends of lines. */
  reading: Readonly<Record<string, string>>
}

const maxFileBytes = 8 * 1024 * 1024
const maxBytes = 64 * 1024 * 1024
const linkOrSubmodule = /^1[26]0000$/

/** Reads the work tree. `theirPaths` are files that others change: those with a filter are left out. */
export async function readOwnWork(git: CloneGit, top: string, theirPaths: readonly string[]): Promise<OwnWork> {
  const [version, place, status, settings] = await Promise.all([
    git(['version']),
    git([
      'rev-parse',
      '--is-shallow-repository',
      '--show-object-format',
      '--path-format=absolute',
      '--git-path',
      'objects',
    ]),
    git(['status', '--porcelain=v2', '--branch', '-z', '-uall', '--ignore-submodules=dirty', '--no-renames']),
    // A setting that is not there ends git with 1.
    git(['config', '-z', '--get-regexp', '^core\\.(autocrlf|eol|filemode)$']).catch(() => ''),
  ])
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(version) ?? []).map(Number)
  if (major < 2 || (major === 2 && minor < 39)) throw new NotTried('git 2.39 or newer is needed')
  const [isShallow, format, ...objects] = place.split('\n')
  if (isShallow === 'true') throw new NotTried('this clone is shallow (git fetch --unshallow)')
  const { head, entries } = parseStatus(status)
  const filtered = await filteredPaths(git, [...new Set([...entries.map(({ path }) => path), ...theirPaths])])
  return {
    top,
    objects: objects.join('\n').trimEnd(),
    format: format === 'sha256' ? 'sha256' : 'sha1',
    head,
    ...divide(top, entries, filtered),
    reading: Object.fromEntries(splitNul(settings).map(readSetting)),
  }
}

interface Entry {
  path: string
  /** Whether it is no file that git can take as it is: a link, a submodule, a repository of its own. */
  isSpecial: boolean
}

/** Parses `git status --porcelain=v2 --branch -z --no-renames`. */
function parseStatus(output: string): { head: string; entries: Entry[] } {
  const entries: Entry[] = []
  let head = ''
  for (const line of splitNul(output)) {
    head = /^# branch\.oid ([0-9a-f]+)$/.exec(line)?.[1] ?? head
    if (line.startsWith('u ')) throw new NotTried('a conflict waits here to be resolved')
    if (line.startsWith('? ')) entries.push({ path: line.slice(2), isSpecial: line.endsWith('/') })
    if (!line.startsWith('1 ')) continue
    // `1 XY sub mH mI mW hH hI path`
    const fields = line.split(' ')
    entries.push({
      path: fields.slice(8).join(' '),
      isSpecial: fields.slice(3, 6).some((mode) => linkOrSubmodule.test(mode)),
    })
  }
  if (head === '') throw new NotTried('there is no commit yet')
  return { head, entries }
}

/** The paths that have the attribute `filter`: what git stores of them is not what people edit. */
async function filteredPaths(git: CloneGit, paths: readonly string[]): Promise<Set<string>> {
  if (paths.length === 0) return new Set()
  const fields = splitNul(
    await git(['check-attr', '-z', '--stdin', 'filter'], paths.map((path) => `${path}\0`).join('')),
  )
  // A path, the name of the attribute, its value.
  return new Set(fields.filter((_, at) => at % 3 === 0 && !/^(?:unspecified|unset)$/.test(fields[at + 2] ?? '')))
}

function divide(top: string, entries: readonly Entry[], filtered: ReadonlySet<string>) {
  const leftOut = new Set(filtered)
  const uncommitted: string[] = []
  let left = maxBytes
  for (const { path, isSpecial } of entries) {
    const size = isSpecial || filtered.has(path) || !isReadable(path) ? undefined : sizeOf(top, path)
    if (size === undefined || size > maxFileBytes || size > left) leftOut.add(path)
    else {
      uncommitted.push(path)
      left -= size
    }
  }
  return { uncommitted, leftOut }
}

/** Whether the name is UTF-8. Node replaces what is not. */
function isReadable(path: string): boolean {
  return !path.includes('\ufffd')
}

/** 0 for a file that is removed; undefined where git could not take it: no file, or behind a link. */
function sizeOf(top: string, path: string): number | undefined {
  for (let at = dirname(path); at !== '.'; at = dirname(at)) {
    if (statOf(join(top, at))?.isSymbolicLink()) return undefined
  }
  const found = statOf(join(top, path))
  if (!found) return 0
  return found.isFile() ? found.size : undefined
}

function statOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    // Part of the path is a file.
    return undefined
  }
}

/** A setting without a value is true. */
function readSetting(entry: string): [string, string] {
  const end = entry.indexOf('\n')
  return end < 0 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)]
}

function splitNul(output: string): string[] {
  return output.split('\0').filter((field) => field !== '')
}
