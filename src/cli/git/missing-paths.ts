import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { splitNul } from './git.ts'
import type { WorkTree } from './work-tree.ts'

/**
 * The places of globs that are neither in the work tree nor in its commit, as sentences. Of a glob with wildcards the place
 * is the directory before the first wildcard.
 */
export async function missingPaths(tree: WorkTree, globs: readonly string[]): Promise<string[]> {
  const places = globs.map(literalPlace).filter(({ path }) => path !== '' && !existsSync(join(tree.top, path)))
  if (places.length === 0) return []
  // A file that was deleted and not committed is known.
  const { stdout } = await tree.git('ls-tree', '-z', '--name-only', 'HEAD', '--', ...places.map(({ path }) => path))
  const committed = new Set(splitNul(stdout))
  const missing = places.filter(({ path }) => !committed.has(path))
  return [...new Set(missing.map(({ path, kind }) => `${path} is not a ${kind} here.`))]
}

interface Place {
  path: string
  kind: string
}

function literalPlace(glob: string): Place {
  const path = glob.replace(/^\/+|\/+$/g, '')
  const segments = path.split('/')
  const wild = segments.findIndex((segment) => /[*?[{]/.test(segment.replace(/\\./gu, '')))
  const literal = wild === -1 ? segments : segments.slice(0, wild)
  const isDirectory = wild !== -1 || glob.endsWith('/')
  const kind = isDirectory ? 'directory' : (literal.at(-1) ?? '').includes('.') ? 'file' : 'file or directory'
  return { path: literal.join('/').replace(/\\(.)/gu, '$1'), kind }
}
