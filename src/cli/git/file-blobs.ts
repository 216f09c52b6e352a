import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { FileChange } from '../../core/changes/file-change.ts'
import { changesLimits } from '../../core/changes/limits.ts'
import { objectId } from '../../core/changes/object-id.ts'
import { splitNul } from './git.ts'
import type { WorkTree } from './work-tree.ts'

/** Larger files are not read. */
const maxFileBytes = 8 * 1024 * 1024
const maxBytes = 64 * 1024 * 1024

type Tree = Pick<WorkTree, 'config' | 'gitWithInput' | 'top'>

/**
 * Adds the blobs of the changed files whose content git has not stored, as git would store it, and writes nothing. A file with a
 * `filter` attribute has no blob, since only a program knows its stored content (docs/rules.md#equal-files). `comparable` has the
 * paths that may have one.
 */
export async function withBlobs(
  tree: Tree,
  files: readonly FileChange[],
  comparable: ReadonlySet<string>,
): Promise<FileChange[]> {
  const filtered = await filteredPaths(tree, files)
  const known = files.map((file) => (file.blob && filtered.has(file.path) ? { ...file, blob: undefined } : file))
  const unknown = known.flatMap(({ path, status, blob }) => {
    const isWanted = blob === undefined && status !== 'removed' && comparable.has(path) && !filtered.has(path)
    return isWanted ? { path, isNew: status === 'added' } : []
  })
  const blobs = await hashFiles(tree, readablePaths(tree, unknown))
  return known.map((file) => ({ ...file, blob: file.blob === undefined ? blobs.get(file.path) : file.blob }))
}

/** The paths with a `filter` attribute. Where no filter is set up, the attribute has no effect. */
async function filteredPaths({ config, gitWithInput }: Tree, files: readonly FileChange[]): Promise<Set<string>> {
  const paths = files.flatMap(({ path, status }) => (status === 'removed' ? [] : path))
  if (!config.hasFilters || paths.length === 0) return new Set()
  const { code, stdout } = await gitWithInput(paths.join('\0'), 'check-attr', '-z', '--stdin', 'filter')
  if (code !== 0) return new Set(paths)
  const fields = splitNul(stdout)
  // A path, the name of the attribute, its value.
  return new Set(fields.filter((_, at) => at % 3 === 0 && !/^(?:unspecified|unset)$/.test(fields[at + 2] ?? '')))
}

/** Those that are regular files, not too large, and not executable if they are new. None where they are too many to be sent. */
function readablePaths({ top }: Tree, files: readonly { path: string; isNew: boolean }[]): string[] {
  if (files.length > changesLimits.files) return []
  let bytes = 0
  return files.flatMap(({ path, isNew }) => {
    const found = lstatSync(join(top, path), { throwIfNoEntry: false })
    // git reads the paths from lines, and takes a quotation mark for the beginning of a quoted one.
    if (!found?.isFile() || /^"|\n/.test(path) || (isNew && (found.mode & 0o111) !== 0)) return []
    if (found.size > maxFileBytes || bytes + found.size > maxBytes) return []
    bytes += found.size
    return path
  })
}

async function hashFiles({ gitWithInput }: Tree, paths: readonly string[]): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map()
  const input = paths.map((path) => `${path}\n`).join('')
  const { code, stdout } = await gitWithInput(input, 'hash-object', '--stdin-paths')
  const ids = stdout.split('\n').slice(0, -1)
  const isWhole = code === 0 && ids.length === paths.length && ids.every((id) => objectId.test(id))
  return isWhole ? new Map(paths.map((path, at) => [path, ids[at] ?? ''])) : new Map()
}
