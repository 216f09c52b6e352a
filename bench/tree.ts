import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

/** The 27,674 files of babel/babel at commit 1da3cfa, a large real project. */
const list = new URL('../../bench/files-of-babel.txt.br', import.meta.url)

/** The files whose names a glob does not have to escape. */
export function realTree(): string[] {
  return brotliDecompressSync(readFileSync(list))
    .toString('utf8')
    .split('\n')
    .filter((path) => path !== '' && !/[*?[\]{}!\\()"]/.test(path))
}

/** Random numbers from 0 to 1 with a seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Makes globs as people write them: 60 % files, 25 % directories, 15 % all files of a kind in one directory. */
export function globWriter(tree: readonly string[], next: () => number): (count: number) => string[] {
  const directories = directoriesOf(tree)
  const pick = (from: readonly string[]) => from[Math.floor(next() * from.length)] ?? ''
  const one = () => {
    const path = pick(tree)
    const kind = next()
    if (kind < 0.6) return path
    const extension = /\.[A-Za-z0-9]+$/.exec(path)?.[0] ?? '.md'
    return kind < 0.85 ? `${pick(directories)}/**` : `${pick(directories)}/*${extension}`
  }
  return (count) => Array.from({ length: count }, one)
}

/** The directories with up to 200 files, those below them included: nobody works on a whole package. */
function directoriesOf(tree: readonly string[]): string[] {
  const sizes = new Map<string, number>()
  for (const path of tree) {
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
      const directory = path.slice(0, end)
      sizes.set(directory, (sizes.get(directory) ?? 0) + 1)
    }
  }
  return [...sizes].filter(([, size]) => size <= 200).map(([directory]) => directory)
}
