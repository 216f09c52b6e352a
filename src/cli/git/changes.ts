import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChangedFile } from '../../core/changes/changed-file.ts'
import { changesOfGitDiff } from '../../core/changes/git-diff.ts'
import { isTooLong, mostCommits, mostFiles, withinLimits } from '../../core/changes/limits.ts'
import { newFile } from '../../core/changes/spans.ts'
import { Failure } from '../terminal.ts'
import { type Base, emptyTree, findMergeBase } from './base.ts'
import { filteredPaths, readStatus, type StatusEntry } from './status.ts'
import type { WorkTree } from './work-tree.ts'

/** What a work tree changes since its merge base. */
export interface OwnChanges {
  /** Null where the clone has no merge base: then nothing is known. */
  sent: SentChanges | null
  /** Whether the base is not in the clone: what is on other branches of the remote was left out. */
  isPartial: boolean
  /** What is not committed. */
  status: readonly StatusEntry[]
}

/** As a create, a PATCH and a check take it. */
export interface SentChanges {
  head_sha?: string
  commits: string[]
  files: SentFile[]
  files_total: number
}

/** The files that the work changes, with the old names of renamed ones. */
export function changedPaths(changes: OwnChanges | undefined): string[] {
  return (changes?.sent?.files ?? []).flatMap(({ path, previous_path }) => [path, previous_path ?? path])
}

type SentFile = Omit<ChangedFile, 'previous_path'> & { previous_path?: string }

/** The same output whatever the settings are, and no program of theirs runs. */
const nameOptions = [
  ...['--raw', '-z', '--no-abbrev', '--no-relative', '--no-ext-diff', '-O/dev/null'],
  ...['--ignore-submodules=dirty', '--submodule=short'],
]
const patchOptions = [
  ...['--patch', '-U0', '--inter-hunk-context=0', '--no-function-context', '-M', '-l1000'],
  ...['--no-textconv', '--no-color', '--src-prefix=a/', '--dst-prefix=b/', '--diff-algorithm=default'],
]

export async function readChanges(tree: WorkTree, base: Base): Promise<OwnChanges> {
  const [mergeBase, status] = await Promise.all([findMergeBase(tree, base), readStatus(tree)])
  const isPartial = base.ref === null && mergeBase !== emptyTree(tree)
  if (mergeBase === null) return { sent: null, isPartial, status }
  const [tracked, commits] = await Promise.all([readDiff(tree, mergeBase), commitsSince(tree, mergeBase)])
  const known = new Set(tracked.map(({ path }) => path))
  const untracked = status.filter(({ path, kind }) => kind === 'untracked' && !path.endsWith('/') && !known.has(path))
  // git names an unmerged file twice.
  const byPath = new Map([...tracked, ...untracked.map(({ path }) => addedFile(path))].map((file) => [file.path, file]))
  const all = [...byPath.values()]
  // git's names are bytes; what is not UTF-8 cannot be sent.
  const readable = all.filter(({ path }) => !path.includes('\ufffd') && !isTooLong(path))
  const first = readable.slice(0, mostFiles)
  const paths = first.map(({ path }) => path)
  const filtered = await filteredPaths(tree, paths)
  // No filter runs here, so of files that one changes on their way the lines are not known.
  const files = withinLimits(first.map((file) => (filtered.has(file.path) ? { ...file, lines: null } : file)))
  // It says that the files are all that this head changes.
  const head_sha = !isPartial && status.every(({ path }) => path.endsWith('/')) ? tree.head : null
  return {
    sent: {
      ...(head_sha !== null && { head_sha }),
      ...{ commits, files: files.map(sentFile), files_total: all.length },
    },
    ...{ isPartial, status },
  }
}

function addedFile(path: string): ChangedFile {
  return { path, previous_path: null, status: 'added', lines: newFile }
}

function sentFile({ previous_path, ...file }: ChangedFile): SentFile {
  if (file.status !== 'renamed') return file
  const isReadable = previous_path !== null && !previous_path.includes('\ufffd')
  return isReadable ? { ...file, previous_path } : { ...file, status: 'added', lines: newFile }
}

/** The difference of the work tree to a commit. Where git can't make the patches, as in a partial clone, names alone. */
async function readDiff(tree: WorkTree, commit: string): Promise<ChangedFile[]> {
  return withIndex(tree, async (index) => {
    const whole = await tree.git(['diff', ...nameOptions, ...patchOptions, commit, '--'], { index })
    if (whole.code === 0) return changesOfGitDiff(whole.stdout)
    const names = await tree.git(['diff', ...nameOptions, '--no-renames', commit, '--'], { index })
    if (names.code !== 0) throw new Failure('`git diff` fails in this work tree: run it to see why.')
    return changesOfGitDiff(names.stdout)
  })
}

/** `git diff` writes the index where files were touched, and locks it for that: it gets a copy, so that nobody is in its way. */
async function withIndex<Result>({ gitDirectory }: WorkTree, use: (index: string) => Promise<Result>): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'headsup-index-'))
  const index = join(directory, 'index')
  try {
    // A new repository has none.
    await copyFile(join(gitDirectory, 'index'), index).catch(() => {})
    return await use(index)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function commitsSince(tree: WorkTree, base: string): Promise<string[]> {
  if (tree.head === null) return []
  const not = base === emptyTree(tree) ? [] : ['--not', base]
  const { stdout } = await tree.git(['rev-list', `--max-count=${mostCommits}`, 'HEAD', ...not])
  return stdout.split('\n').filter(Boolean)
}
