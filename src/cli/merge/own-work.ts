import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { splitNul } from '../git/git.ts'
import type { WorkTree } from '../git/work-tree.ts'
import { NotTried } from './not-tried.ts'
import type { ObjectFormat } from './store.ts'

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

/** Reads the work tree. `theirPaths` are files that others change: those with a filter are left out. Throws `NotTried`. */
export async function readOwnWork(tree: WorkTree, theirPaths: readonly string[]): Promise<OwnWork> {
  const { top, config, commonDirectory, head } = tree
  if (head === null) throw new NotTried('there is no commit yet')
  if (tree.isShallow) throw new NotTried('this clone is shallow: `git fetch --unshallow` helps')
  if (tree.operation !== null) throw new NotTried(`a ${tree.operation} is in progress here`)
  const [version, status] = await Promise.all([
    read(tree, ['version']),
    read(tree, ['status', '--porcelain=v2', '-z', '-uall', '--ignore-submodules=dirty', '--no-renames']),
  ])
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(version) ?? []).map(Number)
  if (major < 2 || (major === 2 && minor < 39)) throw new NotTried('git 2.39 or newer is needed')
  const entries = parseStatus(status)
  const filtered = await filteredPaths(tree, [...new Set([...entries.map(({ path }) => path), ...theirPaths])])
  const settings = readingSettings.map((key) => [key, config.get(key)] as const)
  return {
    ...{ top, head, objects: join(commonDirectory, 'objects') },
    format: config.get('extensions.objectformat') === 'sha256' ? 'sha256' : 'sha1',
    ...divide(top, entries, filtered),
    reading: Object.fromEntries(settings.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))),
  }
}

/** How the files of the work tree are read. None of these names a program. */
const readingSettings = ['core.autocrlf', 'core.eol', 'core.filemode']

async function read({ git }: WorkTree, args: readonly string[], input = ''): Promise<string> {
  const { code, stdout } = await git(args, { input })
  // Some files of a partial clone can be compared only by what the server has.
  if (code !== 0) throw new NotTried('git cannot read the work tree without fetching or running a program')
  return stdout
}

interface Entry {
  path: string
  /** Whether it is no file that git can take as it is: a link, a submodule, a repository of its own. */
  isSpecial: boolean
}

/** Parses `git status --porcelain=v2 -z --no-renames`. */
function parseStatus(output: string): Entry[] {
  const entries: Entry[] = []
  for (const line of splitNul(output)) {
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
  return entries
}

/** The paths that a filter changes on their way: what git stores of them is not what people edit. */
async function filteredPaths(tree: WorkTree, paths: readonly string[]): Promise<Set<string>> {
  const { filters } = tree.config
  if (filters.length === 0 || paths.length === 0) return new Set()
  const input = paths.map((path) => `${path}\0`).join('')
  const fields = splitNul(await read(tree, ['check-attr', '-z', '--stdin', 'filter'], input))
  // A path, the name of the attribute, its value.
  return new Set(fields.filter((_, at) => at % 3 === 0 && filters.includes(fields[at + 2] ?? '')))
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
