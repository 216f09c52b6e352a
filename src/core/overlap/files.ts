import { rangeOf, type Span, spansOf } from '../changes/spans.ts'
import type { Glob } from '../globs/glob.ts'
import { directoryOf } from '../globs/keys.ts'

export type FileStatus = 'added' | 'modified' | 'removed' | 'renamed' | 'renamed_from'

/** What some work does to a file; a renamed one is `renamed_from` under its old path. */
export interface ChangedFile {
  readonly path: string
  readonly status: FileStatus
  /** Places of the old side, in order. */
  readonly spans: readonly Span[]
  /** Whether these are all. All and none: it is changed as a whole. */
  readonly hasAllLines: boolean
  /** What a client says counts as named, where the other side declares globs. */
  readonly toldBy: 'client' | 'github'
}

/** The changed files of some work, as the rules look for them. */
export interface ChangedFiles {
  readonly byPath: ReadonlyMap<string, ChangedFile>
  /** In the order of their UTF-16 units: all below a directory follow each other. */
  readonly sorted: readonly string[]
  readonly added: readonly string[]
  /** The directories out of which files are renamed. */
  readonly renamedDirectories: ReadonlySet<string>
  /** Those in which files are afterwards, without a `/` at the end. */
  readonly directories: ReadonlySet<string>
}

export const noFiles = changedFiles([])

/** Two who tell of one file, a client and GitHub, are taken together. */
export function changedFiles(files: readonly ChangedFile[]): ChangedFiles {
  const byPath = new Map<string, ChangedFile>()
  for (const file of files) {
    const known = byPath.get(file.path)
    byPath.set(file.path, known ? joined(known, file) : file)
  }
  const all = [...byPath.values()]
  return {
    byPath,
    sorted: [...byPath.keys()].sort(),
    added: all.flatMap(({ path, status }) => (status === 'added' ? [path] : [])),
    directories: new Set(all.flatMap(({ path, status }) => (isThere(status) ? directoriesAbove(path) : []))),
    renamedDirectories: new Set(
      all.flatMap(({ path, status }) => (status === 'renamed_from' ? [directoryOf(path)] : [])),
    ),
  }
}

/** Whether a file is at this path afterwards. */
export function isThere(status: FileStatus | undefined): boolean {
  return status !== undefined && status !== 'removed' && status !== 'renamed_from'
}

function joined(a: ChangedFile, b: ChangedFile): ChangedFile {
  return {
    path: a.path,
    status: a.status === 'modified' ? b.status : a.status,
    spans: spansOf([...a.spans, ...b.spans].map(rangeOf)),
    hasAllLines: a.hasAllLines && b.hasAllLines,
    toldBy: a.toldBy === 'client' || b.toldBy === 'client' ? 'client' : 'github',
  }
}

/** The files that a glob may match, each once: the paths that it names, and those that begin as its paths do. */
export function* filesFor({ byPath, sorted }: ChangedFiles, { patterns }: Glob): Generator<ChangedFile> {
  const named = patterns.flatMap(({ path }) => path ?? [])
  const beginnings = [...new Set(patterns.map(({ prefix }) => prefix))]
  const paths = new Set([...named, ...beginnings.flatMap((prefix) => [...beginningWith(sorted, prefix)])])
  for (const path of paths) {
    const file = byPath.get(path)
    if (file) yield file
  }
}

function* beginningWith(sorted: readonly string[], prefix: string): Generator<string> {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((sorted[middle] ?? '') < prefix) from = middle + 1
    else to = middle
  }
  for (let at = from; at < sorted.length; at++) {
    const text = sorted[at] ?? ''
    if (!text.startsWith(prefix)) return
    yield text
  }
}

/** `src` and `src/auth` of `src/auth/login.ts`. */
export function directoriesAbove(path: string): string[] {
  const names = path.split('/').slice(0, -1)
  return names.map((_, depth) => names.slice(0, depth + 1).join('/'))
}
