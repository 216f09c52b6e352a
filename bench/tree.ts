import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

/** The 27,674 files of babel/babel at commit 1da3cfa of August 2026, a large real project. */
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

/** Globs as people write them for files of the tree. `wild` is the share that begins with `**`. */
export function someGlobs(tree: readonly string[], count: number, next: () => number, wild: number): string[] {
  const directories = directoriesOf(tree)
  const pick = <Item>(list: readonly Item[]): Item | undefined => list[Math.floor(next() * list.length)]
  return Array.from({ length: count }, () => {
    const path = pick(tree) ?? ''
    const extension = /\.[A-Za-z0-9]+$/.exec(path)?.[0] ?? '.md'
    if (next() < wild) return `**/*${extension}`
    const kind = next()
    if (kind < 0.6) return path
    return kind < 0.85 ? `${pick(directories)}/**` : `${pick(directories)}/*${extension}`
  })
}

const known = new WeakMap<readonly string[], string[]>()

/** The directories with up to 200 files, including subdirectories: nobody works on a whole package. */
function directoriesOf(tree: readonly string[]): string[] {
  const found = known.get(tree)
  if (found) return found
  const sizes = new Map<string, number>()
  for (const path of tree) {
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
      const directory = path.slice(0, end)
      sizes.set(directory, (sizes.get(directory) ?? 0) + 1)
    }
  }
  const directories = [...sizes].filter(([, size]) => size <= 200).map(([directory]) => directory)
  known.set(tree, directories)
  return directories
}
