import { it } from 'vitest'
import { expectNoViolations } from './load/expect-no-violations.ts'
import { startLoad } from './load/start-load.ts'
import type { Fleet, Instance } from './stage/fleet.ts'
import { randomFrom } from './stage/random.ts'
import { startStage } from './stage/start-stage.ts'

/** 3 in the ordinary run, 20 in `npm run test:faults`. */
const rounds = Number(process.env.FAULTS_ROUNDS ?? 3)
const seed = Number(process.env.FAULTS_SEED ?? Date.now() % 1_000_000)
/** The number of acknowledged attempts between two faults. */
const stretch = rounds > 3 ? 400 : 60

/** In the ordinary run the instances also need processors to start. */
const pressure = rounds > 3 ? { clients: 4 } : { clients: 2, paceMs: 10 }

/** One instance, then the other, then both. */
function victimsOf({ instances }: Fleet, round: number): Instance[] {
  const victims = [[0], [1], [0, 1]][round % 3] ?? []
  return instances.filter((_, at) => victims.includes(at))
}

it(`no acknowledged write is lost or applied twice: two instances, ${rounds} times kill -9 and a restart of PostgreSQL under load`, async () => {
  const { github, postgres, fleet } = await startStage()
  const random = randomFrom(seed)
  const repositories = [github.addRepository('one'), github.addRepository('two')]
  const loads = repositories.map((repository) => startLoad({ repository, urls: () => fleet.urls, random, ...pressure }))
  const progress = () => Promise.all(loads.map((load) => load.acknowledged(stretch / 2)))
  for (let round = 0; round < rounds; round++) {
    await progress()
    await Promise.all(victimsOf(fleet, round).map((instance) => instance.end('SIGKILL')))
    const started = Promise.all(fleet.instances.map((one) => (one.program() ? undefined : one.start())))
    // In some rounds PostgreSQL stops while the service starts.
    if (round % 2 === 0) await started
    await progress()
    await postgres.end((['SIGINT', 'SIGQUIT', 'SIGKILL'] as const)[round % 3] ?? 'SIGKILL')
    await postgres.start()
    await started
  }
  await progress()
  await expectNoViolations(loads, postgres.url, `seed ${seed}, ${rounds} rounds`)
}, 1_800_000)
