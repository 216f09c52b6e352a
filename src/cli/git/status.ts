import { Failure } from '../terminal.ts'
import { splitNul } from './git.ts'
import type { WorkTree } from './work-tree.ts'

/** A file that differs from the head, or that git does not track yet. */
export interface StatusEntry {
  /** From the top of the work tree; a repository of its own that lies there ends with a slash. */
  path: string
  kind: 'changed' | 'unmerged' | 'untracked'
  /** Whether it is no file, before or after: a link, a submodule, a repository of its own. */
  isSpecial: boolean
}

const options = ['--porcelain=v2', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=dirty']

/** The kind of an entry, and how many fields come before its path (git-status, "Porcelain Format Version 2"). */
const kinds: Readonly<Record<string, readonly [StatusEntry['kind'], number]>> = {
  '1': ['changed', 8],
  u: ['unmerged', 10],
  '?': ['untracked', 1],
}

const linkOrSubmodule = /^1[26]0000$/

export async function readStatus({ git }: WorkTree): Promise<StatusEntry[]> {
  const { code, stdout } = await git(['status', ...options])
  if (code !== 0) throw new Failure('`git status` fails in this work tree: run it to see why.')
  return splitNul(stdout).flatMap((entry) => {
    const [kind, before] = kinds[entry.slice(0, 1)] ?? []
    if (kind === undefined) return []
    const fields = entry.split(' ')
    const path = fields.slice(before).join(' ')
    // The modes in the head, the index and the work tree are among the fields before it.
    const isSpecial = path.endsWith('/') || fields.slice(3, before).some((field) => linkOrSubmodule.test(field))
    return [{ path, kind, isSpecial }]
  })
}

/** Of these paths those that a filter changes on their way: what git keeps of them is not what people edit. */
export async function filteredPaths({ git, config }: WorkTree, paths: Iterable<string>): Promise<Set<string>> {
  if (config.filters.length === 0) return new Set()
  const input = Array.from(paths, (path) => `${path}\0`).join('')
  const { code, stdout } = await git(['check-attr', '-z', '--stdin', 'filter'], { input })
  if (code !== 0) throw new Failure('`git check-attr` fails in this work tree: run it to see why.')
  // A path, the name of the attribute, its value.
  const fields = splitNul(stdout)
  return new Set(fields.filter((_, at) => at % 3 === 0 && config.filters.includes(fields[at + 2] ?? '')))
}
