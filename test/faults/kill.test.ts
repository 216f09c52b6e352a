import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Github, startGithub } from '../support/github/start.ts'
import { figuresOf } from './load/figures.ts'
import { startLoad } from './load/running.ts'
import { type Fleet, startFleet } from './stage/fleet.ts'
import { type Postgres, startPostgres } from './stage/postgres.ts'
import { randomFrom } from './stage/random.ts'
import { snapshotOf } from './stage/snapshot-of.ts'

/** The ordinary run takes a few; `npm run test:faults` takes 20. */
const rounds = Number(process.env.FAULTS_ROUNDS ?? 3)
const seed = Number(process.env.FAULTS_SEED ?? Date.now() % 1_000_000)
/** How much is acknowledged before each fault. */
const stretch = rounds > 3 ? 400 : 60

let github: Github
let postgres: Postgres
let fleet: Fleet

beforeAll(async () => {
  github = await startGithub()
  postgres = await startPostgres()
  fleet = await startFleet(2, { DATABASE_URL: postgres.url, GITHUB_API_URL: github.url })
})
afterAll(async () => {
  await fleet.stop()
  await postgres.remove()
  await github.stop()
})

/** One instance, the other, both: with both the load finds nobody. */
function victimsOf(round: number) {
  const victims = [[0], [1], [0, 1]][round % 3] ?? []
  return fleet.instances.filter((_, at) => victims.includes(at))
}

it(`nothing acknowledged is lost and nothing is done twice: two instances, ${rounds} times kill -9 and a restart of PostgreSQL under load`, async () => {
  const random = randomFrom(seed)
  const repositories = [github.addRepository('one'), github.addRepository('two')]
  const loads = repositories.map((repository) =>
    startLoad({ repository, urls: () => fleet.urls, random, clients: rounds > 3 ? 4 : 2 }),
  )
  const progress = () => Promise.all(loads.map((load) => load.acknowledged(stretch / 2)))
  for (let round = 0; round < rounds; round++) {
    await progress()
    await Promise.all(victimsOf(round).map((instance) => instance.end('SIGKILL')))
    const started = Promise.all(fleet.instances.map((one) => (one.program() ? undefined : one.start())))
    // Now and then PostgreSQL goes while the service is coming up.
    if (round % 2 === 0) await started
    await progress()
    await postgres.end((['SIGINT', 'SIGQUIT', 'SIGKILL'] as const)[round % 3] ?? 'SIGKILL')
    await postgres.begin()
    await started
  }
  await progress()
  for (const load of loads) await load.finish()
  console.log(`seed ${seed}, ${rounds} rounds`, figuresOf(loads))
  for (const [at, load] of loads.entries()) {
    const repository = repositories[at]
    const faults = repository ? load.faults(await snapshotOf(postgres.url, repository.id)) : []
    // Whole and at once: what the runner prints comes at its end, and is cut.
    if (faults.length > 0) console.log(faults.join('\n'))
    expect(faults, `seed ${seed}`).toEqual([])
  }
}, 1_800_000)
