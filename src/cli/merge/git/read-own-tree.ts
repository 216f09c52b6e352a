import { copyFileSync, lstatSync, type Stats, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { splitNul } from '../../git/git.ts'
import { type MergeReason, NotTried } from '../merge-result.ts'
import type { GitProcesses } from './git-process.ts'
import { type Guards, quietEnv, settingsEnv } from './guards.ts'
import type { MergeStore } from './merge-store.ts'
import { type ChangedEntry, parseChangedEntries } from './parse-changed-entries.ts'
import type { Clone } from './read-clone.ts'

/** The work tree as it is, as a commit in the store. */
export interface OwnTree {
  /** The commit that is checked out. */
  head: string
  /** The head itself where nothing else is changed. */
  commit: string
  /** The changed paths whose content in the work tree the commit lacks, and why. */
  leftOut: ReadonlyMap<string, MergeReason>
  /** Of the paths of both, those with a filter: what git stores is not what people edit. */
  filtered: ReadonlySet<string>
  /** Newest first. */
  knownCommits: string[]
}

const maxFileBytes = 8 * 1024 * 1024
const maxBytes = 64 * 1024 * 1024
const linkMode = '120000'
const submoduleMode = '160000'

export async function readOwnTree(
  git: GitProcesses,
  clone: Clone,
  store: MergeStore,
  guards: Guards,
  env: NodeJS.ProcessEnv,
  theirPaths: readonly string[],
): Promise<OwnTree> {
  const index = join(clone.gitDirectory, 'index')
  if (guards.hasOwnIndex) copyIndex(index, store.index)
  const inClone = {
    cwd: clone.top,
    env: {
      ...quietEnv(env, guards),
      GIT_CEILING_DIRECTORIES: dirname(clone.top),
      GIT_INDEX_FILE: guards.hasOwnIndex ? store.index : index,
      ...(guards.hasOwnObjects && { GIT_OBJECT_DIRECTORY: store.objects }),
      ...(guards.isQuarantined && { GIT_QUARANTINE_PATH: store.objects }),
      ...settingsEnv(clone.settings, guards),
    },
  }
  const read = async (args: readonly string[], paths: readonly string[] = []) => {
    const { code, stdout } = await git.run({ ...inClone, args, input: paths.map((path) => `${path}\0`).join('') })
    // Some files can be read only by what the index has of them.
    if (code !== 0) throw new NotTried(clone.isPartial ? 'partial' : 'failed')
    return stdout.toString()
  }
  const status = ['status', '--porcelain=v2', '--branch', '-z', '-uall', '--ignore-submodules=all', '--no-renames']
  const refs = ['for-each-ref', '--sort=-committerdate', '--count=30', '--format=%(objectname)']
  const [listed, known] = await Promise.all([read(status), read([...refs, 'refs/remotes', 'refs/heads'])])
  const { head, entries, isUnmerged } = parseChangedEntries(listed)
  if (head === null) throw new NotTried('no_commit')
  if (isUnmerged) throw new NotTried('in_progress')
  const filtered = await filteredPaths([...new Set([...entries.map(({ path }) => path), ...theirPaths])])
  const { taken, leftOut } = readablePaths(clone.top, entries, filtered)
  const knownCommits = [head, ...known.split('\n').filter(Boolean)]
  return { head, commit: await commitOf(taken), leftOut, filtered, knownCommits }

  /** The paths with a filter: their content in the work tree is not what git stores. */
  async function filteredPaths(paths: readonly string[]): Promise<Set<string>> {
    if (!clone.hasFilters || paths.length === 0) return new Set()
    const args = ['check-attr', '-z', '--stdin', 'filter']
    const fields = splitNul(await read(args, paths))
    // A path, the name of the attribute, its value.
    return new Set(fields.filter((_, at) => at % 3 === 0 && !/^(?:unspecified|unset)$/.test(fields[at + 2] ?? '')))
  }

  async function commitOf(paths: readonly string[]): Promise<string> {
    if (paths.length === 0 && entries.every(({ isStaged }) => !isStaged)) return head ?? ''
    const update = ['update-index', '-z', '--add', '--remove', '--replace', '--stdin']
    if (paths.length > 0) await read(update, paths)
    const tree = await read(['write-tree', '--missing-ok'])
    return store.commit(tree.trim(), head === null ? [] : [head])
  }
}

/**
 * git compares the content of files that are as new as the index, which may have changed since. A copy is newer than these, so it
 * gets the time of the original, in whole seconds.
 */
function copyIndex(from: string, to: string): void {
  const { mtimeMs } = statSync(from)
  copyFileSync(from, to)
  utimesSync(to, Math.floor(mtimeMs / 1000), Math.floor(mtimeMs / 1000))
}

/** The paths whose content is read, and the others with the reason. */
function readablePaths(top: string, entries: readonly ChangedEntry[], filtered: ReadonlySet<string>) {
  const isLink = rememberedLinks(top)
  let bytes = 0
  const reasonOf = ({ path, modes, isRepository }: ChangedEntry): MergeReason | undefined => {
    if (filtered.has(path)) return 'filter'
    if (isRepository || path.includes('\ufffd') || modes.includes(submoduleMode) || modes.includes(linkMode))
      return 'file_kind'
    if (isLink(dirname(path))) return 'file_kind'
    const found = statOf(join(top, path))
    if (!found) return undefined
    if (!found.isFile()) return 'file_kind'
    if (found.size > maxFileBytes || bytes + found.size > maxBytes) return 'too_large'
    bytes += found.size
    return undefined
  }
  const leftOut = new Map<string, MergeReason>()
  const taken: string[] = []
  for (const entry of entries) {
    const reason = reasonOf(entry)
    if (reason === undefined) taken.push(entry.path)
    else leftOut.set(entry.path, reason)
  }
  return { taken, leftOut }
}

/** Whether a directory of the work tree is, or lies behind, a link. */
function rememberedLinks(top: string): (directory: string) => boolean {
  const known = new Map([['.', false]])
  const isLink = (directory: string): boolean => {
    const answer =
      known.get(directory) ?? (isLink(dirname(directory)) || statOf(join(top, directory))?.isSymbolicLink() === true)
    known.set(directory, answer)
    return answer
  }
  return isLink
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    // Part of the path is a file.
    return undefined
  }
}
