import type { FileChange } from '../../core/changes/file-change.ts'
import { comparableFiles, parseGitDiff } from '../../core/changes/git-diff.ts'
import type { BaseBranch } from './base-branch.ts'
import { withBlobs } from './file-blobs.ts'
import type { LimitedOutput } from './git.ts'
import type { UncommittedFile } from './git-status.ts'
import { withoutOwnHooks } from './ignore-own-hooks.ts'
import { findMergeBase } from './merge-base.ts'
import type { WorkTree } from './work-tree.ts'

/** What a branch changes in its work tree, as git says it. */
export interface WorkTreeChanges {
  head: string | null
  files: readonly FileChange[]
  /** The output of git with the patches of the files; empty where their lines are not known. */
  diff: string
  /** Set where only uncommitted files are known, and not how they differ from the base branch: why, as a sentence. */
  note: string | undefined
  /** How many files are left out since their names are not UTF-8. */
  unreadable: number
}

/** Enough for a diff of 100,000 lines. */
const maxBytes = 4 * 1024 * 1024

/** The same output whatever the user's settings of git are. */
const nameOptions = ['--raw', '--no-abbrev', '-z', '--no-relative', '--no-ext-diff', '--ignore-submodules']
const patchOptions = [
  ...['-U0', '--inter-hunk-context=0', '--no-textconv', '--no-color', '--src-prefix=a/', '--dst-prefix=b/', '-M'],
  '--patch',
]

/**
 * The changes of the work tree: its difference to the merge base with the base branch, and its staged, unstaged and untracked
 * files. Our own hooks and submodules do not count (docs/rules.md#changed-files).
 */
export async function readChanges(tree: WorkTree, base: BaseBranch | null, limitMs: number): Promise<WorkTreeChanges> {
  const [{ commit, note }, uncommitted] = await Promise.all([findMergeBase(tree, base), withoutOwnHooks(tree)])
  const tracked = commit === undefined ? noDiff : await readDiff(tree, commit, limitMs)
  const counted = new Set(uncommitted)
  const ownHooks = new Set(tree.uncommitted.flatMap((file) => (counted.has(file) ? [] : file.path)))
  // A merge of the base branch leaves the files of that branch uncommitted.
  const isOwn = ({ isUntracked }: UncommittedFile) =>
    isUntracked || tree.mergeHead === null || tree.mergeHead !== commit
  const all = withUncommitted(tracked.files, uncommitted.filter(isOwn), tree).filter(({ path }) => !ownHooks.has(path))
  const readable = all.flatMap((file) => readableChange(file) ?? [])
  const untracked = uncommitted.flatMap(({ path, isUntracked }) => (isUntracked ? path : []))
  const files = await withBlobs(tree, readable, new Set([...tracked.comparable, ...untracked]))
  return { head: tree.head, files, diff: tracked.diff, note, unreadable: all.length - files.length }
}

/**
 * Adds the uncommitted files that a diff of the work tree does not show: untracked ones, and those that only the commits or
 * the index of the branch change. Of these, and of a file that is removed from the index and still there, no lines are known.
 */
function withUncommitted(
  tracked: readonly FileChange[],
  uncommitted: readonly UncommittedFile[],
  { head }: WorkTree,
): FileChange[] {
  const byPath = new Map(tracked.map((file) => [file.path, file]))
  const oldNames = new Set(tracked.map(({ previous_path }) => previous_path))
  const untrackedFirst = uncommitted.toSorted((a, b) => Number(b.isUntracked) - Number(a.isUntracked))
  for (const { path, isUntracked, isRepository } of untrackedFirst) {
    if (isRepository || (!isUntracked && (byPath.has(path) || oldNames.has(path)))) continue
    const isNew = head === null || (isUntracked && !byPath.has(path))
    byPath.set(path, isNew ? added(path) : { path, previous_path: null, status: 'modified', lines: null })
  }
  return [...byPath.values()]
}

function added(path: string): FileChange {
  return { path, previous_path: null, status: 'added', lines: [[0, 1]] }
}

/** A file counts as renamed only where its old name is known. */
function readableChange(file: FileChange): FileChange | undefined {
  if (!isReadable(file.path) || file.path.length > 4096) return undefined
  return file.previous_path === null || isReadable(file.previous_path) ? file : added(file.path)
}

/** Whether the name is UTF-8. Node replaces what is not. */
function isReadable(path: string): boolean {
  return !path.includes('\ufffd')
}

interface Diff {
  files: FileChange[]
  /** As in `WorkTreeChanges`. */
  diff: string
  /** The paths whose content may be compared by its blob. */
  comparable: readonly string[]
}

const noDiff: Diff = { files: [], diff: '', comparable: [] }

/**
 * The difference of the work tree to a commit. The names come before the patches. Where the patches are too long, they are read
 * once more without those of added files, whose lines count for nothing; where these are too long, only the names are known.
 * Where git takes too long to find even these, they are those of the commits since.
 */
async function readDiff({ git, limitedGit }: WorkTree, commit: string, milliseconds: number): Promise<Diff> {
  const read = (...options: string[]) =>
    limitedGit({ bytes: maxBytes, milliseconds }, 'diff', ...nameOptions, ...patchOptions, ...options, commit, '--')
  const whole = await read()
  const comparable = comparableFiles(whole.stdout)
  if (isComplete(whole)) return { files: parseGitDiff(whole.stdout), diff: whole.stdout, comparable }
  const names = whole.isCut ? namesIn(whole.stdout) : undefined
  if (!names) {
    const { stdout } = await git('diff', ...nameOptions, '--no-renames', commit, 'HEAD', '--')
    // The work tree may have other contents.
    return { ...noDiff, files: parseGitDiff(stdout).map((file) => ({ ...file, blob: undefined })) }
  }
  const changed = await read('--diff-filter=a')
  if (!isComplete(changed)) return { files: names, diff: '', comparable }
  const byPath = new Map(parseGitDiff(changed.stdout).map((file) => [file.path, file]))
  return { files: names.map((file) => byPath.get(file.path) ?? file), diff: changed.stdout, comparable }
}

function isComplete({ code, isCut }: LimitedOutput): boolean {
  return code === 0 && !isCut
}

/** The changes without lines, where the output has all names: an empty entry ends them. */
function namesIn(output: string): FileChange[] | undefined {
  const end = output.indexOf('\0\0')
  return end < 0 ? undefined : parseGitDiff(output.slice(0, end + 1))
}
