import { shown, spreadOf, throughput } from './measure.ts'
import { random, someGlobs } from './tree.ts'
import { analyze, type BenchWorld } from './world.ts'

const rounds = 5

/** Measures the service and bare Express alternately, so that both run under the same conditions. */
export async function benchRoutes({ url, bareUrl, newRepository, fill, pool }: BenchWorld, tree: readonly string[]) {
  const repository = newRepository()
  const next = random(7)
  const ids = await fill(
    repository,
    Array.from({ length: 1_000 }, () => someGlobs(tree, 5, next, 0)),
  )
  await analyze(pool)
  const ours = `${url}/api/v1/repos/${repository.owner}/${repository.name}/activity`
  const bare = `${bareUrl}/${repository.id}/activity`
  const create = {
    title: 'Some work',
    summary: 'What it is about, in a line or two.',
    actor: 'Alice',
    branch: 'feat/x',
  }
  let created = 0
  const scopes = Array.from({ length: 3_000 }, () => ({ paths: someGlobs(tree, 5, next, 0) }))
  const routes = [
    { name: 'retrieve', method: 'GET', count: 3_000, path: (id: string) => `/${id}` },
    { name: 'list of 50', method: 'GET', count: 800, path: () => '' },
    { name: 'heartbeat', method: 'POST', count: 2_000, path: (id: string) => `/${id}/heartbeat` },
    // The service also writes the index of scopes and checks against over 1,000 activities; bare Express inserts a row.
    {
      name: 'create',
      method: 'POST',
      count: 400,
      path: () => '',
      body: () => ({ ...create, branch: `feat/${++created}`, scope: scopes[created % scopes.length] }),
    },
  ]
  for (const { name, method, count, path, body } of routes) {
    const shot = (base: string) => (n: number) => ({
      method,
      url: base + path(ids[n % ids.length] ?? ''),
      token: repository.writer,
      body: body?.(),
    })
    await throughput(300, shot(ours))
    await throughput(300, shot(bare))
    const ratios: number[] = []
    for (let round = 0; round < rounds; round++) {
      const mine = await throughput(count, shot(ours))
      ratios.push(mine / (await throughput(count, shot(bare))))
    }
    const target = name === 'create' ? '' : '   target ≥ 0.6'
    console.log(`${`${name}, requests/s against bare Express + pg`.padEnd(52)} ${shown(spreadOf(ratios))}×${target}`)
  }
}
