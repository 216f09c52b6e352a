import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const repositories = ['nodejs/undici', 'fastify/fastify', 'rails/rails']

/** The bare mirrors in the folder that `HEADSUP_BENCH_HISTORIES` names. Says which are missing, and ends the program. */
export function findMirrors(): { name: string; mirror: string }[] {
  const folder = process.env.HEADSUP_BENCH_HISTORIES
  const mirrors = repositories.map((name) => ({ name, mirror: resolve(join(folder ?? '', name.replace('/', '+'))) }))
  const missing = mirrors.filter(({ mirror }) => !folder || !isMirror(mirror))
  if (missing.length === 0) return mirrors
  console.error(
    [
      folder
        ? `Missing in ${folder}: ${missing.map(({ mirror }) => mirror).join(', ')}.`
        : 'HEADSUP_BENCH_HISTORIES is not set. It names a folder with a bare mirror of each repository.',
      'Each is made by:',
      ...missing.map(({ name }) => {
        const place = `"$HEADSUP_BENCH_HISTORIES/${name.replace('/', '+')}"`
        return `  git clone --mirror https://github.com/${name} ${place}`
      }),
    ].join('\n'),
  )
  process.exit(1)
}

function isMirror(directory: string): boolean {
  return existsSync(join(directory, 'objects')) && existsSync(join(directory, 'HEAD'))
}
