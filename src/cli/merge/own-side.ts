import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withoutUndefined } from '../../core/without-undefined.ts'
import type { ObjectFormat } from '../git/config.ts'
import { readGitVersion } from '../git/git.ts'
import { filteredPaths, type StatusEntry } from '../git/status.ts'
import type { WorkTree } from '../git/work-tree.ts'
import { NotTried } from './store-git.ts'

/** The work tree as it is, and the clone that it belongs to. */
export interface OwnSide {
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

/**
 * Reads the work tree. `status` is what is not committed, `theirPaths` are files that others change: those with a filter are left
 * out. Throws `NotTried`.
 */
export async function readOwnSide(
  tree: WorkTree,
  status: readonly StatusEntry[],
  theirPaths: readonly string[],
): Promise<OwnSide> {
  const { top, config, commonDirectory, head } = tree
  if (head === null) throw new NotTried('there is no commit yet')
  if (tree.isShallow) throw new NotTried('this clone is shallow: `git fetch --unshallow` helps')
  if (tree.operation !== null) throw new NotTried(`a ${tree.operation} is in progress here`)
  if (status.some(({ kind }) => kind === 'unmerged')) throw new NotTried('a conflict waits here to be resolved')
  if (!(await readGitVersion(tree.git)).canMerge) throw new NotTried('git 2.39 or newer is needed')
  const filtered = await filteredPaths(tree, [...status.map(({ path }) => path), ...theirPaths])
  return {
    ...{ top, head, objects: join(commonDirectory, 'objects') },
    format: config.objectFormat,
    ...divide(top, status, filtered),
    reading: withoutUndefined(Object.fromEntries(readingSettings.map((key) => [key, config.get(key)]))),
  }
}

/** How the files of the work tree are read. None of these names a program. */
const readingSettings = ['core.autocrlf', 'core.eol', 'core.filemode']

function divide(top: string, entries: readonly StatusEntry[], filtered: ReadonlySet<string>) {
  const leftOut = new Set(filtered)
  const uncommitted: string[] = []
  let left = maxBytes
  for (const { path, isSpecial } of entries) {
    // Node replaces what is not UTF-8 in a name.
    const isUnfit = isSpecial || filtered.has(path) || path.includes('\ufffd')
    const size = isUnfit ? undefined : sizeOf(top, path)
    if (size === undefined || size > maxFileBytes || size > left) leftOut.add(path)
    else {
      uncommitted.push(path)
      left -= size
    }
  }
  return { uncommitted, leftOut }
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
