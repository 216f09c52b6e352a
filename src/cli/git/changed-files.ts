import { type Hunk, hunksOf } from '../../changes/edits/hunks.ts'
import type { FileChange } from '../../changes/file-change.ts'
import { parseGitDiff } from '../../changes/git-diff.ts'
import type { BaseBranch } from './base-branch.ts'
import { isReadable } from './changes.ts'
import { withoutOwnHooks } from './ignore-own-hooks.ts'
import { findMergeBase } from './merge-base.ts'
import type { WorkTree } from './work-tree.ts'

export interface ChangedFiles {
  head: string | null
  /** What the work tree is compared with; undefined before the first commit. */
  mergeBase: string | undefined
  files: FileChange[]
  /** How many files are left out since their names are not UTF-8. */
  unreadable: number
}

/** Enough for a diff of 100,000 lines. */
const maxBytes = 4 * 1024 * 1024

/** The same output whatever the user's settings of git are. */
const nameOptions = ['--raw', '-z', '--no-relative', '--no-ext-diff', '--ignore-submodules']
const patchOptions = [
  ...['-U0', '--inter-hunk-context=0', '--no-textconv', '--no-color', '--src-prefix=a/', '--dst-prefix=b/', '-M'],
  '--patch',
]

/**
 * The changed files of the work tree with their changed lines, against the merge base with the base branch; undefined where
 * that is not known, or git takes too long. Untracked files count as added, our own hooks do not count
 * (docs/rules.md#changed-files).
 */
export async function readChangedFiles(
  tree: WorkTree,
  base: BaseBranch | null,
  limitMs: number,
): Promise<ChangedFiles | undefined> {
  const { commit, note } = await findMergeBase(tree, base)
  if (note !== undefined) return undefined
  const tracked = commit === undefined ? addedFiles(tree.uncommittedPaths) : await readDiff(tree, commit, limitMs)
  if (!tracked) return undefined
  const counted = new Set(await withoutOwnHooks(tree))
  const ownHooks = new Set(tree.uncommittedPaths.filter((path) => !counted.has(path)))
  const all = withUntracked(tracked, tree).filter(({ path }) => !ownHooks.has(path) && !isRepository(path))
  const files = all.flatMap((file) => readableChange(file) ?? [])
  return { head: tree.head, mergeBase: commit, files, unreadable: all.length - files.length }
}

/** git names a repository among the untracked files as a directory. */
function isRepository(path: string): boolean {
  return path.endsWith('/')
}

function addedFiles(paths: readonly string[]): FileChange[] {
  return paths.map((path) => ({ path, previous_path: null, status: 'added', lines: [[0, 1]] }))
}

/** A file that is removed from the index and still there is modified, in lines that are not known. */
function withUntracked(tracked: readonly FileChange[], { head, untrackedPaths }: WorkTree): FileChange[] {
  const byPath = new Map(tracked.map((file) => [file.path, file]))
  for (const file of addedFiles(untrackedPaths)) {
    const isChanged = head !== null && byPath.has(file.path)
    byPath.set(file.path, isChanged ? { ...file, status: 'modified', lines: null } : file)
  }
  return [...byPath.values()]
}

/** A file counts as renamed only where its old name is known. */
function readableChange(file: FileChange): FileChange | undefined {
  if (!isReadable(file.path) || file.path.length > 4096) return undefined
  const { previous_path } = file
  if (previous_path === null || isReadable(previous_path)) return file
  return { ...file, previous_path: null, status: 'added', lines: [[0, 1]] }
}

/**
 * The difference of the work tree to a commit; undefined where git takes too long to list the files. The names come before
 * the patches. Where the patches are too long, they are read once more without those of added files, whose lines count
 * for nothing; where these are too long, only the names are known.
 */
async function readDiff({ limitedGit }: WorkTree, commit: string, milliseconds: number) {
  const diff = (...options: string[]) =>
    limitedGit({ bytes: maxBytes, milliseconds }, 'diff', ...nameOptions, ...options, commit, '--')
  const whole = await diff(...patchOptions)
  if (isComplete(whole)) return parseGitDiff(whole.stdout)
  const names = whole.isCut ? namesIn(whole.stdout) : undefined
  if (names) {
    const changed = await diff(...patchOptions, '--diff-filter=a')
    const known = isComplete(changed) ? parseGitDiff(changed.stdout) : []
    const byPath = new Map(known.map((file) => [file.path, file]))
    return names.map((file) => byPath.get(file.path) ?? file)
  }
  const list = await diff('--no-renames')
  return isComplete(list) ? parseGitDiff(list.stdout) : undefined
}

function isComplete({ code, isCut }: { code: number; isCut: boolean }): boolean {
  return code === 0 && !isCut
}

/** The changes without lines, where the output has all names: an empty entry ends them. */
function namesIn(output: string): FileChange[] | undefined {
  const end = output.indexOf('\0\0')
  return end < 0 ? undefined : parseGitDiff(output.slice(0, end + 1))
}

/** The difference of one file to a commit; null where git takes too long, or shows it in another way than by hunks. */
export async function readHunks(
  { limitedGit }: WorkTree,
  commit: string,
  { path, previous_path }: FileChange,
  milliseconds: number,
): Promise<Hunk[] | null> {
  const options = ['--no-relative', '--no-ext-diff', ...patchOptions]
  const paths = [path, previous_path].filter((name) => name !== null).map((name) => `:(literal)${name}`)
  const found = await limitedGit({ bytes: maxBytes, milliseconds }, 'diff', ...options, commit, '--', ...paths)
  const patches = found.stdout.split('\n').filter((line) => line.startsWith('diff --git ')).length
  return isComplete(found) && patches === 1 ? hunksOf(found.stdout) : null
}
