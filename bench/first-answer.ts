import { cpuMeter } from './cpu.ts'
import { shown, spreadOf } from './measure.ts'
import { fillPartlyObserved } from './observed.ts'
import { realTree } from './tree.ts'
import { analyze, startWorld } from './world.ts'

/**
 * Measures the first answer of a new process about a repository of 500 live activities, 30 % of them pull requests, whose scopes are in a
 * tree of 3,000 files: CPU time of the service and of PostgreSQL, and time. `node .bench/bench/first-answer.js 6` takes six rounds of
 * `GET /collisions?limit=500`, each with a new process; `… 6 events` takes six of a stream until its snapshot has arrived.
 */
const rounds = Number(process.argv[2] ?? '6')
const kind = process.argv[3] === 'events' ? 'events' : 'collisions'
const live = 500

async function collisions(url: string, token: string): Promise<void> {
  const response = await fetch(`${url}/collisions?limit=500`, { headers: { authorization: `Bearer ${token}` } })
  if (response.status !== 200) throw new Error(`status ${response.status}`)
  await response.arrayBuffer()
}

/** Ends with the snapshot, which is the first event. */
async function events(url: string, token: string): Promise<void> {
  const response = await fetch(`${url}/events`, { headers: { authorization: `Bearer ${token}` } })
  if (response.status !== 200 || !response.body) throw new Error(`status ${response.status}`)
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true })
    if (text.includes('event: snapshot') && text.endsWith('\n\n')) return
  }
}

const tree = realTree().slice(0, 3_000)
const found = { service: [] as number[], postgres: [] as number[], ms: [] as number[] }
for (let round = 0; round < rounds; round++) {
  const world = await startWorld()
  try {
    const { repository } = await fillPartlyObserved(world, tree, { size: live, mostFiles: 100, seed: live })
    await analyze(world.pool)
    const read = await cpuMeter(world)
    const before = read()
    const url = `${world.url}/api/v1/repos/${repository.owner}/${repository.name}`
    const since = performance.now()
    // On a busy machine an answer may end before all is compared, after some seconds.
    for (let began = since; ; began = performance.now()) {
      await (kind === 'events' ? events : collisions)(url, repository.writer)
      if (kind === 'events' || performance.now() - began <= 3_000) break
    }
    found.ms.push(performance.now() - since)
    const after = read()
    found.service.push(after.service - before.service)
    found.postgres.push(after.postgres - before.postgres)
    console.log(`${found.service.at(-1)} + ${found.postgres.at(-1)} ms of CPU, ${found.ms.at(-1)?.toFixed(0)} ms`)
  } finally {
    await world.stop()
  }
}
const { service, postgres, ms } = found
console.log(
  `median: ${spreadOf(service).median} + ${spreadOf(postgres).median} ms of CPU, ${shown(spreadOf(ms), 0)} ms`,
)
