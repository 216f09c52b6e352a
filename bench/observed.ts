import { escapeGlob } from '../src/core/scope/glob/escape.ts'
import { measureByTurns } from './by-turns.ts'
import { type Shot, throughput } from './measure.ts'
import { random, someGlobs } from './tree.ts'
import { analyze, type BenchWorld } from './world.ts'

const rounds = 3
/** Of so many live activities this share are open pull requests, which change 1 to 100 files each. */
const sizes = [100, 10_000]
const observedShare = 0.3

/** Measures a check of 20 paths where pull requests are observed, relative to the same with 100 live activities. */
export async function benchObserved(world: BenchWorld, tree: readonly string[]): Promise<void> {
  const filled: { size: number; repository: ReturnType<BenchWorld['newRepository']> }[] = []
  for (const size of sizes) {
    const { repository } = await fillPartlyObserved(world, tree, { size, mostFiles: 100, seed: size })
    filled.push({ size, repository })
  }
  await analyze(world.pool)
  const next = random(99)
  const proposals = Array.from({ length: 100 }, () => someFiles(tree, 20, next))
  const kinds = {
    '20 paths': (files: readonly File[]) => ({ scope: { paths: files.map(({ path }) => escapeGlob(path)) } }),
    '20 changed files': (files: readonly File[]) => ({ base_branch: 'main', changes: { files } }),
  }
  for (const [kind, bodyOf] of Object.entries(kinds)) {
    const shotAt =
      ({ owner, name, writer }: (typeof filled)[number]['repository']) =>
      (n: number): Shot => ({
        method: 'POST',
        url: `${world.url}/api/v1/repos/${owner}/${name}/activity/check`,
        token: writer,
        body: { branch: 'mine', ...bodyOf(proposals[n % proposals.length] ?? []) },
      })
    // Warm up, so that hot code is compiled and activities are cached.
    for (const { repository } of filled) await throughput(300, shotAt(repository), 16)
    const sized = filled.map(({ size, repository }) => ({ size, shot: shotAt(repository) }))
    await measureByTurns(world, `check of ${kind}, 30 % observed`, sized, rounds)
  }
}

/**
 * A new repository of so many live activities, 30 % of them pull requests, which change up to `mostFiles` files each. `ids` are
 * those of the others.
 */
export async function fillPartlyObserved(
  world: BenchWorld,
  tree: readonly string[],
  { size, mostFiles, seed }: { size: number; mostFiles: number; seed: number },
): Promise<{ repository: ReturnType<BenchWorld['newRepository']>; ids: string[] }> {
  const repository = world.newRepository()
  const next = random(seed)
  const observed = Math.round(size * observedShare)
  const ids = await world.fill(
    repository,
    Array.from({ length: size - observed }, () => someGlobs(tree, 5, next, 0)),
  )
  await world.fillObserved(
    repository,
    Array.from({ length: observed }, () => someFiles(tree, 1 + Math.floor(next() * mostFiles), next)),
  )
  return { repository, ids }
}

interface File {
  path: string
  status: 'modified'
  lines: [number, number][]
}

/** Files that stand near each other, as those of a pull request do, with a few changed ranges. */
function someFiles(tree: readonly string[], count: number, next: () => number): File[] {
  const first = Math.floor(next() * tree.length)
  return Array.from({ length: count }, (_, n) => {
    const line = 1 + Math.floor(next() * 300)
    const path = tree[(first + n * (1 + Math.floor(next() * 3))) % tree.length] ?? ''
    return { path, status: 'modified' as const, lines: [[line, line + 3] as [number, number]] }
  }).filter(({ path }, n, all) => all.findIndex((other) => other.path === path) === n)
}
