import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'
import { type Shot, shown, spreadOf, throughput } from './measure.ts'
import { random, realTree, someGlobs } from './tree.ts'
import { analyze, startWorld } from './world.ts'

/**
 * Measures what the triggers that write the history cost: each round sends the same requests with and without them, and prints
 * the ratios of the CPU time in PostgreSQL and of the requests per second, and how much more is written.
 */
const rounds = 8
const count = 100
const triggers = ['activities_note_history_insert', 'activities_note_history_update', 'activities_delete_history']

/** The CPU time of each connection so far, in ticks. A connection may end during a measurement. */
const ticksOf = new Map<string, number>()

interface Round {
  /** In ticks, in PostgreSQL. */
  cpu: number
  /** Bytes for each request. */
  wal: number
  /** Requests per second. */
  rate: number
}

const tree = realTree()
const next = random(11)
const world = await startWorld()
try {
  await measure()
} finally {
  await world.stop()
}

async function measure(): Promise<void> {
  const { url, newRepository, fill, pool } = world
  const repository = newRepository()
  const globs = Array.from({ length: 1_000 + 2 * count * (rounds + 1) }, () => someGlobs(tree, 5, next, 0))
  const ids = await fill(repository, globs)
  await analyze(pool)
  const base = `${url}/api/v1/repos/${repository.owner}/${repository.name}/activity`
  const token = repository.writer
  const postmaster = await postmasterOf(pool)
  const body = (n: number) => ({ title: `Work ${n}`, summary: 'What it is about, in a line or two.', actor: 'Alice' })
  const requests: Record<string, (n: number) => Shot> = {
    update: (n) => ({ method: 'PATCH', url: `${base}/${ids[n % 1_000]}`, token, body: { title: `Work ${n}` } }),
    heartbeat: (n) => ({ method: 'POST', url: `${base}/${ids[n % 1_000]}/heartbeat`, token }),
    archive: (n) => ({ method: 'POST', url: `${base}/${ids[1_000 + n]}/archive`, token }),
    create: (n) => ({ method: 'POST', url: base, token, body: { ...body(n), branch: `feat/${n}` } }),
  }
  for (const [name, shot] of Object.entries(requests)) {
    let sent = 0
    const run = async (isOn: boolean) => {
      for (const trigger of triggers)
        await pool.query(`alter table activities ${isOn ? 'enable' : 'disable'} trigger ${trigger}`)
      // The first requests plan their statements anew.
      const from = sent
      sent += count
      await throughput(20, (n) => shot(from + n), 4)
      const [cpu, wal] = [cpuOf(postmaster), await walOf(pool)]
      const rate = await throughput(count - 20, (n) => shot(from + 20 + n), 4)
      const [cpuAfter, walAfter] = [cpuOf(postmaster), await walOf(pool)]
      return { cpu: cpuAfter - cpu, wal: (walAfter - wal) / (count - 20), rate }
    }
    await run(true)
    const pairs: { on: Round; off: Round }[] = []
    for (let round = 0; round < rounds; round++) {
      const isFirst = round % 2 === 0
      const first = await run(isFirst)
      const second = await run(!isFirst)
      pairs.push(isFirst ? { on: first, off: second } : { on: second, off: first })
    }
    const sum = (of: (pair: { on: Round; off: Round }) => number) => pairs.reduce((all, pair) => all + of(pair), 0)
    const cpu = sum(({ on }) => on.cpu) / sum(({ off }) => off.cpu)
    const rate = spreadOf(pairs.map(({ on, off }) => on.rate / off.rate))
    const wal = spreadOf(pairs.map(({ on, off }) => on.wal - off.wal)).median
    console.log(
      `${name.padEnd(20)} CPU of PostgreSQL ${cpu.toFixed(2)}×, requests/s ${shown(rate)}×, ${wal.toFixed(0)} bytes more WAL`,
    )
  }
}

async function postmasterOf(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  return Number(statOf(rows[0]?.pid ?? 0)[1])
}

async function walOf(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>(`select pg_current_wal_lsn() - '0/0' as bytes`)
  return Number(rows[0]?.bytes)
}

/** The fields of a process from its state on: the second is its parent. */
function statOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

/** The CPU time of all connections together, in ticks. */
function cpuOf(postmaster: number): number {
  for (const pid of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const stat = statOf(Number(pid))
      const isConnection =
        Number(stat[1]) === postmaster && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('127.0.0.1')
      if (isConnection) ticksOf.set(pid, Number(stat[11]) + Number(stat[12]))
    } catch {
      // The process has ended.
    }
  }
  return [...ticksOf.values()].reduce((all, ticks) => all + ticks, 0)
}
