import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type LimitedOutput, type OutputLimits, splitNul } from './git.ts'
import type { WorkTree } from './work-tree.ts'

/** Limits for git. Where one is reached, no path is reported as missing. */
const limits: OutputLimits = { bytes: 256 * 1024 * 1024, milliseconds: 10_000 }

/**
 * The globs that are about nothing in the work tree and its commit, as sentences: the path, or the directory before the
 * first wildcard, is not there, or no file matches. Where a partial clone lacks the objects to decide it, nothing is
 * reported.
 */
export async function missingPaths(tree: WorkTree, globs: readonly string[]): Promise<string[]> {
  const places = [...new Set(globs)].map(placeOf)
  const absent = await absentPaths(tree, places)
  const hasFiles = await matcherOf(
    tree,
    places.filter(({ path, isPattern }) => isPattern && !absent.has(path)),
  )
  const sentences = places.flatMap(({ glob, path, kind, isPattern }) => {
    if (absent.has(path)) return [`${path} is not a ${kind} here.`]
    return isPattern && !hasFiles(glob) ? [`${glob} matches no file here, ignored files left out.`] : []
  })
  return [...new Set(sentences)]
}

interface Place {
  glob: string
  /** What comes before the first wildcard; empty for the top. */
  path: string
  kind: 'file' | 'directory' | 'file or directory'
  /** Whether files may be there and not match. */
  isPattern: boolean
}

function placeOf(glob: string): Place {
  const segments = glob.replace(/^\/+|\/+$/g, '').split('/')
  const wild = segments.findIndex((segment) => /[*?[{]/.test(segment.replace(/\\./gu, '')))
  const literal = wild === -1 ? segments : segments.slice(0, wild)
  const isDirectory = wild !== -1 || glob.endsWith('/')
  const kind = isDirectory ? 'directory' : (literal.at(-1) ?? '').includes('.') ? 'file' : 'file or directory'
  const isPattern = wild !== -1 && segments.slice(wild).join('/') !== '**'
  return { glob, path: literal.join('/').replace(/\\(.)/gu, '$1'), kind, isPattern }
}

/**
 * Which of the places are neither in the work tree nor in its commit. A deleted file is in the commit until the
 * deletion is committed.
 */
async function absentPaths(tree: WorkTree, places: readonly Place[]): Promise<Set<string>> {
  const paths = places.map(({ path }) => path).filter((path) => path !== '' && !existsSync(join(tree.top, path)))
  if (paths.length === 0) return new Set()
  const committed = await committedPaths(tree, 'HEAD', '--', ...paths)
  if (committed === undefined) return new Set()
  return new Set(paths.filter((path) => !committed.has(path)))
}

/**
 * Returns a function that says whether a file of the work tree or its commit matches a glob. A glob that the service
 * will refuse counts as matching.
 */
async function matcherOf(tree: WorkTree, patterns: readonly Place[]): Promise<(glob: string) => boolean> {
  if (patterns.length === 0) return () => true
  // Loaded here, since most commands need no glob.
  const [{ parseGlob }, { matchesPath }, files] = await Promise.all([
    import('../../core/scope/glob/glob.ts'),
    import('../../core/scope/match/matches-path.ts'),
    knownFiles(tree),
  ])
  return (text) => {
    const parsed = parseGlob(text)
    return !parsed.ok || files === undefined || files.some((file) => matchesPath(parsed.glob, file))
  }
}

/** Undefined where git can't list them. */
async function knownFiles(tree: WorkTree): Promise<string[] | undefined> {
  const [present, committed] = await Promise.all([
    tree.limitedGit(limits, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'),
    committedPaths(tree, '-r', 'HEAD'),
  ])
  if (!isComplete(present) || committed === undefined) return undefined
  return [...new Set([...splitNul(present.stdout), ...committed])]
}

/** The paths of the commit; none before the first one, and undefined where the clone lacks its trees. */
async function committedPaths({ head, limitedGit }: WorkTree, ...args: string[]): Promise<Set<string> | undefined> {
  if (head === null) return new Set()
  const listed = await limitedGit(limits, 'ls-tree', '-z', '--name-only', ...args)
  return isComplete(listed) ? new Set(splitNul(listed.stdout)) : undefined
}

function isComplete({ code, isCut }: LimitedOutput): boolean {
  return code === 0 && !isCut
}
