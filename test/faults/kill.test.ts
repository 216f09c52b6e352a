import { it } from 'vitest'
import { expectSound } from './load/expect-sound.ts'
import { startLoad } from './load/running.ts'
import type { Fleet, Instance } from './stage/fleet.ts'
import { randomFrom } from './stage/random.ts'
import { setStage } from './stage/set-stage.ts'

/** The ordinary run takes a few; `npm run test:faults` takes 20. */
const rounds = Number(process.env.FAULTS_ROUNDS ?? 3)
const seed = Number(process.env.FAULTS_SEED ?? Date.now() % 1_000_000)
/** How much is acknowledged before each fault. */
const stretch = rounds > 3 ? 400 : 60

/** One instance, the other, both: with both the load finds nobody. */
function victimsOf({ instances }: Fleet, round: number): Instance[] {
  const victims = [[0], [1], [0, 1]][round % 3] ?? []
  return instances.filter((_, at) => victims.includes(at))
}

it(`nothing acknowledged is lost and nothing is done twice: two instances, ${rounds} times kill -9 and a restart of PostgreSQL under load`, async () => {
  const { github, postgres, fleet } = await setStage()
  const random = randomFrom(seed)
  const repositories = [github.addRepository('one'), github.addRepository('two')]
  const loads = repositories.map((repository) =>
    startLoad({ repository, urls: () => fleet.urls, random, clients: rounds > 3 ? 4 : 2 }),
  )
  const progress = () => Promise.all(loads.map((load) => load.acknowledged(stretch / 2)))
  for (let round = 0; round < rounds; round++) {
    await progress()
    await Promise.all(victimsOf(fleet, round).map((instance) => instance.end('SIGKILL')))
    const started = Promise.all(fleet.instances.map((one) => (one.program() ? undefined : one.start())))
    // Now and then PostgreSQL goes while the service is coming up.
    if (round % 2 === 0) await started
    await progress()
    await postgres.end((['SIGINT', 'SIGQUIT', 'SIGKILL'] as const)[round % 3] ?? 'SIGKILL')
    await postgres.begin()
    await started
  }
  await progress()
  await expectSound(loads, postgres.url, `seed ${seed}, ${rounds} rounds`)
}, 1_800_000)
