import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { splitNul } from './git.ts'
import type { WorkTree } from './work-tree.ts'

/**
 * The globs that are about nothing in the work tree and its commit, as sentences: the path, or the directory before the first
 * wildcard, is not there, or no file matches.
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

/** Which of the places are neither in the work tree nor in its commit. A file that was deleted and not committed is known. */
async function absentPaths(tree: WorkTree, places: readonly Place[]): Promise<Set<string>> {
  const paths = places.map(({ path }) => path).filter((path) => path !== '' && !existsSync(join(tree.top, path)))
  if (paths.length === 0) return new Set()
  const { stdout } = await tree.git('ls-tree', '-z', '--name-only', 'HEAD', '--', ...paths)
  const committed = new Set(splitNul(stdout))
  return new Set(paths.filter((path) => !committed.has(path)))
}

/** Says of a glob whether a file of the work tree or its commit matches. One that the service will refuse counts as matching. */
async function matcherOf(tree: WorkTree, patterns: readonly Place[]): Promise<(glob: string) => boolean> {
  if (patterns.length === 0) return () => true
  // Loaded here, since most commands need no glob.
  const [{ parseGlob }, { matchesPath }, files] = await Promise.all([
    import('../../scope/glob/glob.ts'),
    import('../../scope/match/matches-path.ts'),
    knownFiles(tree),
  ])
  return (text) => {
    const parsed = parseGlob(text)
    return !parsed.ok || files.some((file) => matchesPath(parsed.glob, file))
  }
}

async function knownFiles({ git }: WorkTree): Promise<string[]> {
  const [present, committed] = await Promise.all([
    git('ls-files', '-z', '--cached', '--others', '--exclude-standard'),
    git('ls-tree', '-r', '-z', '--name-only', 'HEAD'),
  ])
  return [...new Set([...splitNul(present.stdout), ...splitNul(committed.stdout)])]
}
