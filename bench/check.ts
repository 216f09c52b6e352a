import { measureByTurns } from './by-turns.ts'
import { countCandidates } from './candidates.ts'
import { cpuMeter } from './cpu.ts'
import { latency, type Shot, shown, spreadOf, throughput } from './measure.ts'
import { random, someGlobs } from './tree.ts'
import { analyze, type BenchWorld } from './world.ts'

const rounds = 5
const sizes = [10, 100, 1_000, 10_000]

interface Filled {
  size: number
  ids: string[]
  repository: ReturnType<BenchWorld['newRepository']>
}

/** Measures a check of 20 globs against live activities of 5 globs each, relative to the same with 100 activities. */
export async function benchCheck(
  world: BenchWorld,
  tree: readonly string[],
  { wild, million }: { wild: number; million: boolean },
) {
  const filled: Filled[] = []
  for (const size of sizes) {
    const repository = world.newRepository()
    const next = random(size)
    const scopes = Array.from({ length: size }, () => someGlobs(tree, 5, next, wild))
    filled.push({ size, repository, ids: await world.fill(repository, scopes) })
  }
  const next = random(99)
  const proposals = Array.from({ length: 100 }, () => someGlobs(tree, 20, next, 0))
  await analyze(world.pool)
  await countAll(world, filled, proposals)
  await measure(world, filled, proposals)
  const largest = filled.at(-1)
  if (largest) await measureTasks(world, largest, proposals)
  if (largest) await measureChanging(world, largest, proposals)
  if (!million) return
  const template = filled.find(({ size }) => size === 1_000)
  if (template) await copyRepository(world, template.repository.id, 1_000)
  await analyze(world.pool)
  console.log('\nThe same beside 1,000 other repositories of 1,000 live activities:\n')
  await measure(world, filled, proposals)
}

/** Prints how many rows the database returns for a check, and how many of them overlap. */
async function countAll({ pool }: BenchWorld, filled: Filled[], proposals: string[][]) {
  for (const { size, repository } of filled) {
    const { fetched, overlapping } = await countCandidates(pool, repository.id, proposals.slice(0, 30))
    const counts = `${shown(spreadOf(fetched), 0)} rows fetched, ${shown(spreadOf(overlapping), 0)} overlap`
    console.log(`${`check of 20 globs, ${size} live`.padEnd(52)} ${counts}`)
  }
}

function checks({ url }: BenchWorld, { repository: { owner, name, writer } }: Filled, proposals: string[][]) {
  return (n: number): Shot => ({
    method: 'POST',
    url: `${url}/api/v1/repos/${owner}/${name}/activity/check`,
    token: writer,
    body: { branch: 'mine', scope: { paths: proposals[n % proposals.length] } },
  })
}

async function measure(world: BenchWorld, filled: Filled[], proposals: string[][]) {
  const shotAt = (one: Filled) => checks(world, one, proposals)
  // Warm up, so that hot code is compiled.
  for (const one of filled) await throughput(500, shotAt(one), 16)
  const kinds = filled.map((one) => ({ size: one.size, shot: shotAt(one) }))
  await measureByTurns(world, 'check of 20 globs', kinds, rounds)
  for (const one of filled) {
    const rates = []
    for (let round = 0; round < rounds; round++) rates.push(await throughput(400, shotAt(one), 16))
    console.log(`${`the same, ${one.size} live`.padEnd(52)} ${shown(spreadOf(rates), 0)} checks/s   target ≥ 300`)
  }
}

/** Measures 50 tasks in one request, relative to one check: CPU time of service and PostgreSQL. */
async function measureTasks(world: BenchWorld, one: Filled, proposals: string[][]) {
  const check = checks(world, one, proposals)
  const tasks = (n: number): Shot => ({
    ...check(n),
    url: `${check(n).url}/batch`,
    body: { proposals: Array.from({ length: 50 }, (_, nth) => check(n + nth).body) },
  })
  const cpu = await cpuMeter(world)
  const costOf = async (count: number, shot: (n: number) => Shot) => {
    const before = cpu()
    await latency(count, shot)
    const after = cpu()
    return (after.service - before.service + after.postgres - before.postgres) / count
  }
  await costOf(5, tasks)
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) ratios.push((await costOf(10, tasks)) / (await costOf(200, check)))
  const name = `CPU of a check of 50 tasks, ${one.size} live`
  console.log(`${name.padEnd(52)} ${shown(spreadOf(ratios), 1)}× one check   target ≤ 15×`)
}

/** The service caches activities until they change. Measures checks while they change, and after all have changed. */
async function measureChanging(world: BenchWorld, one: Filled, proposals: string[][]) {
  const { url, pool } = world
  const { owner, name, writer } = one.repository
  const check = checks(world, one, proposals)
  const next = random(7)
  const heartbeat = (): Shot => ({
    method: 'POST',
    url: `${url}/api/v1/repos/${owner}/${name}/activity/${one.ids[Math.floor(next() * one.ids.length)]}/heartbeat`,
    token: writer,
  })
  const rates: number[] = []
  const known: number[] = []
  const changed: number[] = []
  for (let round = 0; round < rounds; round++) {
    rates.push(await throughput(400, (n) => (n % 10 === 9 ? heartbeat() : check(n)), 16))
    known.push(spreadOf(await latency(100, check)).median)
    await pool.query('update activities set heartbeat_at = now() where repository_id = $1', [one.repository.id])
    await pool.query('vacuum analyze activities')
    changed.push(spreadOf(await latency(20, (n) => check(20 * round + n))).median)
  }
  const against = shown(spreadOf(changed.map((time, round) => time / (known[round] ?? Number.NaN))))
  const changing = `${one.size} live, one request of ten a heartbeat`
  console.log(`${changing.padEnd(52)} ${shown(spreadOf(rates), 0)} requests/s`)
  console.log(`${`check of 20 globs, ${one.size} live, all just changed`.padEnd(52)} ${against}× of the same known`)
}

/** Copies the records of one repository into others. Ids are unique within a repository only. */
async function copyRepository({ pool }: BenchWorld, id: bigint, count: number) {
  const columns = (table: string) =>
    pool.query<{ list: string }>(
      `select string_agg(attname, ', ' order by attnum) as list from pg_attribute
        where attrelid = $1::regclass and attnum > 0 and attgenerated = '' and not attisdropped and attname <> 'repository_id'`,
      [table],
    )
  for (const table of ['activities', 'scope_keys']) {
    const { rows } = await columns(table)
    const list = rows[0]?.list ?? ''
    for (let from = 1; from <= count; from += 100) {
      await pool.query(
        `insert into ${table} (repository_id, ${list})
         select 9000000000 + n, ${list} from ${table}, generate_series($2::bigint, $3::bigint) as n where repository_id = $1`,
        [id, from, Math.min(from + 99, count)],
      )
    }
  }
}
