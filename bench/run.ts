import { countCandidates } from './candidates.ts'
import { latency, shown, spreadOf, throughput } from './measure.ts'
import { measurePairs } from './pair.ts'
import { random, realTree, someGlobs } from './tree.ts'
import { analyze, type BenchWorld, startWorld } from './world.ts'

/** All that is promised about speed, measured side by side in one run; prints ratios with median and spread. */
const rounds = 3
const wildShare = Number(process.argv[2] ?? '0')

const tree = realTree()
console.log(`\nA tree of ${tree.length} files; ${wildShare * 100} % of the recorded globs begin with **.\n`)

for (const { name, value } of measurePairs()) console.log(`${name.padEnd(52)} ${value}`)
const world = await startWorld()
try {
  await benchRoutes(world)
  await benchCheck(world)
} finally {
  await world.stop()
}

/** Each round measures ours and bare Express one after the other, so that both meet the same machine. */
async function benchRoutes({ url, bareUrl, newRepository, fill, pool }: BenchWorld) {
  const repository = newRepository()
  const next = random(7)
  const ids = await fill(
    repository,
    Array.from({ length: 1_000 }, () => someGlobs(tree, 5, next, 0)),
  )
  await analyze(pool)
  const ours = `${url}/api/v1/repos/${repository.owner}/${repository.name}/activity`
  const bare = `${bareUrl}/${repository.id}/activity`
  const routes = [
    { name: 'retrieve', method: 'GET', count: 3_000, path: (id: string) => `/${id}` },
    { name: 'list of 50', method: 'GET', count: 800, path: () => '' },
    { name: 'heartbeat', method: 'POST', count: 2_000, path: (id: string) => `/${id}/heartbeat` },
  ]
  for (const { name, method, count, path } of routes) {
    const shot = (base: string) => (n: number) => ({
      method,
      url: base + path(ids[n % ids.length] ?? ''),
      token: repository.writer,
    })
    await throughput(300, shot(ours))
    await throughput(300, shot(bare))
    const ratios: number[] = []
    for (let round = 0; round < rounds; round++) {
      const mine = await throughput(count, shot(ours))
      ratios.push(mine / (await throughput(count, shot(bare))))
    }
    console.log(
      `${`${name}, requests/s against bare Express + pg`.padEnd(52)} ${shown(spreadOf(ratios))}×   target ≥ 0.6`,
    )
  }
}

async function benchCheck({ url, newRepository, fill, pool }: BenchWorld) {
  const sizes = [10, 100, 1_000, 10_000]
  const worlds = []
  for (const size of sizes) {
    const repository = newRepository()
    const next = random(size)
    await fill(
      repository,
      Array.from({ length: size }, () => someGlobs(tree, 5, next, wildShare)),
    )
    worlds.push({ size, repository })
  }
  await analyze(pool)
  const next = random(99)
  const proposals = Array.from({ length: 100 }, () => ({
    branch: 'mine',
    scope: { paths: someGlobs(tree, 20, next, 0) },
  }))
  const shotAt =
    ({ owner, name, writer }: { owner: string; name: string; writer: string }) =>
    (n: number) => ({
      method: 'POST',
      url: `${url}/api/v1/repos/${owner}/${name}/activity/check`,
      token: writer,
      body: proposals[n % proposals.length],
    })
  const times = new Map<number, number[]>()
  const counted = new Map<number, string>()
  for (const { size, repository } of worlds) {
    const scopes = proposals.slice(0, 30).map(({ scope }) => scope.paths)
    const { fetched, overlapping } = await countCandidates(pool, repository.id, scopes)
    counted.set(size, `rows fetched ${shown(spreadOf(fetched), 0)}, overlapping ${shown(spreadOf(overlapping), 0)}`)
    console.log(size, counted.get(size))
  }
  for (const { repository } of worlds) await latency(100, shotAt(repository))
  for (let round = 0; round < rounds; round++) {
    for (const { size, repository } of worlds) {
      times.set(size, [...(times.get(size) ?? []), spreadOf(await latency(100, shotAt(repository))).median])
    }
  }
  const reference = spreadOf(times.get(100) ?? []).median
  for (const { size, repository } of worlds) {
    const found = times.get(size) ?? []
    const rates = []
    for (let round = 0; round < 3; round++) rates.push(await throughput(400, shotAt(repository), 16))
    const ratio = shown(spreadOf(found.map((time) => time / reference)))
    console.log(
      `${`check of 20 globs, ${size} live, against 100 live`.padEnd(52)} ${ratio}×   ${shown(spreadOf(found))} ms, ${shown(spreadOf(rates), 0)}/s`,
    )
  }
}
