import { readdirSync } from 'node:fs'

/** A real, large file tree: what npm installed. The same on every machine that has the same lock file. */
export function realTree(): string[] {
  return readdirSync('node_modules', { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.replaceAll('\\', '/').replace('node_modules/', ''))
    .filter((path) => !/[*?[\]{}!\\()]/.test(path))
    .sort()
}

/** Numbers from 0 to 1, the same in every run (mulberry32). */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Globs as people write them, about files of the tree: `wild` is the share of those that begin with `**`. */
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

/** The directories that hold up to 200 files, below them too: a whole package is nobody's task. */
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
