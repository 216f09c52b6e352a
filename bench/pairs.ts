import { get } from 'node:http'
import pg from 'pg'
import { cpuMeter } from './cpu.ts'
import { fillPartlyObserved } from './observed.ts'
import { realTree } from './tree.ts'
import { analyze, startWorld } from './world.ts'

/**
 * Measures the table of colliding pairs: the first load of a stream after the service's start, and a poll in which 50 activities
 * have changed. 30 % of the activities are pull requests with changed files. `node .bench/bench/pairs.js 150 500`.
 */
const sizes = process.argv.slice(2).map(Number)
const changedCount = 50
const tree = realTree()

interface Stream {
  firstMs: number
  close(): void
  waitFor(event: string): Promise<void>
}

function openStream(url: string, token: string): Promise<Stream> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    let text = ''
    let wake = () => {}
    const request = get(url, { agent: false, headers: { authorization: `Bearer ${token}` } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`))
      response.on('error', () => {})
      response.on('data', (chunk: Buffer) => {
        const before = text
        text += chunk.toString()
        if (!before.includes('event: snapshot') && text.includes('event: snapshot'))
          resolve({
            firstMs: performance.now() - began,
            close: () => request.destroy(),
            waitFor: async (event) => {
              while (!text.includes(event))
                await new Promise<void>((done) => {
                  wake = done
                })
            },
          })
        wake()
      })
    })
    request.on('error', () => {})
  })
}

for (const size of sizes) {
  const world = await startWorld({}, [
    'shared_preload_libraries=pg_stat_statements',
    'pg_stat_statements.track_planning=on',
  ])
  world.pool.on('error', () => {})
  const admin = new pg.Client(world.pool.options.connectionString)
  await admin.connect()
  try {
    await admin.query('create extension if not exists pg_stat_statements')
    const { repository, ids } = await fillPartlyObserved(world, tree, { size, mostFiles: 30, seed: 7 })
    await analyze(world.pool)
    const other = world.newRepository()
    const base = (one: typeof repository) => `${world.url}/api/v1/repos/${one.owner}/${one.name}`
    await fetch(`${base(other)}/activity`, { headers: { authorization: `Bearer ${other.writer}` } })
    const readCpu = await cpuMeter(world)
    const usage = async () => {
      await new Promise((done) => setTimeout(done, 1100))
      return readCpu()
    }
    const report = async (name: string, before: Awaited<ReturnType<typeof usage>>, wall: number) => {
      const after = await usage()
      const found = await admin.query<{ calls: string; ms: number; query: string }>(
        `select calls, total_plan_time + total_exec_time as ms, left(regexp_replace(query, '\\s+', ' ', 'g'), 90) as query from pg_stat_statements order by 2 desc`,
      )
      const calls = found.rows.reduce((all, { calls }) => all + Number(calls), 0)
      console.log(
        `${size} live, ${name}: ${wall.toFixed(0)} ms wall, CPU node ${after.service - before.service} + PG ${after.postgres - before.postgres} ms, ${calls} statements`,
      )
      for (const { calls, ms, query } of found.rows.slice(0, 9))
        console.log(`   ${calls.padStart(6)} ${ms.toFixed(0).padStart(6)} ms  ${query}`)
    }
    let before = await usage()
    await admin.query('select pg_stat_statements_reset()')
    const stream = await openStream(`${base(repository)}/events`, repository.writer)
    await report('first load', before, stream.firstMs)
    for (let round = 0; round < 1; round++) {
      before = await usage()
      await admin.query('select pg_stat_statements_reset()')
      const title = `changed ${size} ${round}`
      await admin.query(`update activities set title = $2 where repository_id = $1 and id = any($3)`, [
        repository.id,
        title,
        ids.slice(0, changedCount),
      ])
      await stream.waitFor(title)
      await report(`poll of ${changedCount} changed`, before, 0)
    }
    stream.close()
  } finally {
    await admin.end()
    await world.stop()
  }
}
