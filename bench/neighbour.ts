import { Agent } from 'node:http'
import type pg from 'pg'
import { newId } from '../src/service/lib/ids.ts'
import type { PrivateRepository } from '../test/support/github/start.ts'
import { type Fired, fire, percentile } from './flood.ts'
import type { Shot } from './measure.ts'
import { analyze, type BenchWorld, startWorld } from './world.ts'

/**
 * Measures the checks of one repository while another one is flooded: `node .bench/bench/neighbour.js 8`, seconds of each
 * flood. The flooding clients share the machine with the service and PostgreSQL.
 */
const seconds = Number(process.argv[2] ?? '8')
const [crowd, own] = [new Agent({ keepAlive: true, maxSockets: 256 }), new Agent({ keepAlive: true, maxSockets: 4 })]

const world = await startWorld({}, ['max_wal_size=8GB'])
try {
  await measure(world)
} finally {
  await world.stop()
}

async function measure(bench: BenchWorld) {
  const [flooded, calm] = [bench.newRepository(), bench.newRepository()]
  const pathOf = ({ owner, name }: PrivateRepository) => `${bench.url}/api/v1/repos/${owner}/${name}`
  await bench.fill(
    calm,
    Array.from({ length: 100 }, (_, n) => [`src/d${n}/**`, `docs/${n}.md`]),
  )
  await fillNotables(bench.pool, flooded.id, 500)
  await analyze(bench.pool)
  const quiet: Shot = {
    ...{ method: 'POST', url: `${pathOf(calm)}/activity/check`, token: calm.writer },
    body: { branch: 'mine', scope: { paths: ['src/a.ts', 'docs/**'] } },
  }
  await phase('alone', [], quiet)
  const list: Shot = { method: 'GET', url: `${pathOf(flooded)}/notables?limit=100`, token: flooded.reader }
  await phase('8 readers of pages of large notables', Array(8).fill(list), quiet)
  await bench.fill(
    flooded,
    Array.from({ length: 20_000 }, (_, n) => [`lib/${n}.ts`]),
  )
  await analyze(bench.pool)
  const search: Shot = {
    ...{ method: 'GET', url: `${pathOf(flooded)}/activity?actor=nobody`, token: flooded.reader },
  }
  await phase('60 searches that read 20,000 rows and find none', Array(60).fill(search), quiet)
  await phase('200 such searches', Array(200).fill(search), quiet)
  for (const [name, scopes, changed] of costly()) {
    await bench.pool.query('delete from scope_keys where repository_id = $1', [flooded.id])
    await bench.pool.query('delete from activities where repository_id = $1', [flooded.id])
    await bench.fill(flooded, scopes)
    await analyze(bench.pool)
    const check: Shot = {
      ...{ method: 'POST', url: `${pathOf(flooded)}/activity/check`, token: flooded.reader },
      body: { branch: 'mine', changes: { files: changed.map((path) => ({ path })) } },
    }
    await phase(`16 checks of 300 changed files among 300 scopes of ${name}`, Array(16).fill(check), quiet)
  }
}

/** Families of scopes and of changed files that are costly to compare. */
function costly(): [string, string[][], string[]][] {
  const times = (count: number, of: (n: number) => string) => Array.from({ length: count }, (_, n) => of(n))
  const scopes = (count: number, of: (place: string) => string) =>
    Array.from({ length: 300 }, (_, n) => times(count, (m) => of(`${n}x${m}`)))
  const deep = times(300, (n) => `${'a/'.repeat(60)}f${n}.ts`)
  const long = times(300, (n) => `${'a'.repeat(200)}${n}.ts`)
  return [
    ['stars', scopes(100, (place) => `${'*a'.repeat(60)}*${place}?`), long],
    ['double stars', scopes(75, (place) => `${'**/a/'.repeat(40)}b${place}*`), deep],
    ['brackets', scopes(75, (place) => `${'*[ab]'.repeat(40)}*${place}?`), long],
    ['braces', scopes(15, (place) => `**/{a,b,c,d}*{a,b,c,d}*{a,b,c,d}*${place}`), deep],
    ['files', scopes(100, (place) => `${'a/'.repeat(60)}g${place}.ts`), deep],
    ['wildcards', scopes(100, (place) => `**/*${place}*`), deep],
  ]
}

/** Sends these requests again and again for some seconds, each as soon as the last one is answered, beside the quiet checks. */
async function phase(name: string, shots: readonly Shot[], quiet: Shot) {
  const end = performance.now() + seconds * 1_000
  const [busy, calm]: [Fired[], Fired[]] = [[], []]
  const floods = shots.map(async (shot) => {
    while (performance.now() < end) busy.push(await fire(shot, crowd))
  })
  while (performance.now() < end) {
    calm.push(await fire(quiet, own))
    await new Promise((go) => setTimeout(go, 20))
  }
  await Promise.all(floods)
  console.log(`\n${name}`)
  if (shots.length > 0) console.log(`  flood            ${shown(busy)}`)
  console.log(`  other's checks   ${shown(calm)}`)
}

function shown(fired: readonly Fired[]): string {
  const at = (part: number) => percentile(fired, part).toFixed(0)
  const statuses = fired.map(({ status }) => status).filter((status) => status !== 200)
  const others = statuses.length > 0 ? `, ${statuses.length} answered ${[...new Set(statuses)].join(', ')}` : ''
  return `${fired.length} requests, median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(1)} ms${others}`
}

/** Inserts active notables of 245 kB each, as they could be stored before scopes had a limit in bytes. */
async function fillNotables(pool: pg.Pool, repositoryId: bigint, count: number) {
  for (let n = 0; n < count; n++) {
    const paths = Array.from({ length: 100 }, (_, m) => `src/${n}/${m}/${'é'.repeat(1_000)}`)
    const areas = Array.from({ length: 100 }, (_, m) => `${m}${'é'.repeat(90)}`)
    await pool.query(
      `insert into notables (repository_id, id, title, summary, category, importance, status, supersedes, areas, area_keys, paths, blocking, expires_at, created_at, updated_at)
       values ($1, $2, 'Mind', $3, 'warning', 'low', 'active', '{}', $4, $4, $5, false, now() + interval '5 days', now(), now())`,
      [repositoryId, newId('ntb'), 'é'.repeat(2_000), areas, paths],
    )
  }
}
