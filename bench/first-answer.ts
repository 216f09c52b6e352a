import { cpuMeter } from './cpu.ts'
import { spreadOf } from './measure.ts'
import { fillPartlyObserved } from './observed.ts'
import { realTree } from './tree.ts'
import { analyze, startWorld } from './world.ts'

/**
 * Measures the first `GET /collisions?limit=500` of a new process, in a repository of 500 live activities, 30 % of them pull requests:
 * CPU time of the service and of PostgreSQL. `node .bench/bench/first-answer.js 6` takes six rounds, each with a new process.
 */
const rounds = Number(process.argv[2] ?? '6')
const live = 500

interface Answer {
  items: unknown[]
}

async function collisions(url: string, token: string): Promise<Answer> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  if (response.status !== 200) throw new Error(`status ${response.status}`)
  return (await response.json()) as Answer
}

const tree = realTree().slice(0, 3_000)
const service: number[] = []
const postgres: number[] = []
for (let round = 0; round < rounds; round++) {
  const world = await startWorld()
  try {
    const { repository } = await fillPartlyObserved(world, tree, { size: live, mostFiles: 100, seed: live })
    await analyze(world.pool)
    const read = await cpuMeter(world)
    const before = read()
    const url = `${world.url}/api/v1/repos/${repository.owner}/${repository.name}/collisions?limit=500`
    // On a busy machine an answer may end before all is compared, after some seconds.
    let answer: Answer
    let since: number
    do {
      since = performance.now()
      answer = await collisions(url, repository.writer)
    } while (performance.now() - since > 3_000)
    const after = read()
    service.push(after.service - before.service)
    postgres.push(after.postgres - before.postgres)
    console.log(`${service.at(-1)} + ${postgres.at(-1)} ms, ${answer.items.length} pairs`)
  } finally {
    await world.stop()
  }
}
console.log(`median: ${spreadOf(service).median} + ${spreadOf(postgres).median} ms`)
