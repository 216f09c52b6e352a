import { readFileSync } from 'node:fs'
import { freePort } from '../test/faults/stage/free-port.ts'
import { crowdOf, type Fired, fire, flood, percentile, probe } from './flood.ts'
import type { Shot } from './measure.ts'
import { random, realTree, someGlobs } from './tree.ts'
import { analyze, type BenchWorld, startWorld } from './world.ts'

/**
 * Measures the service at four times the load that it can handle. `node .bench/bench/overload.js 20` sends that load for
 * 20 s. A second argument is the largest number of connections, by default 300. The clients, PostgreSQL and the service
 * share the machine.
 */
const seconds = Number(process.argv[2] ?? '20')

const probePort = await freePort()
const world = await startWorld({ METRICS_PORT: String(probePort) })
try {
  await measure(world)
} finally {
  await world.stop()
}

async function measure(bench: BenchWorld) {
  const shot = await traffic(bench)
  const memory = watchMemory(bench.pid)
  await phase('warming up', bench, () => closed(16, 5, shot))
  const { rate } = await phase('as fast as it goes, 32 clients', bench, () => closed(32, 10, shot))
  memory.note('before')
  await phase('4× as many a second, nobody heeds Retry-After', bench, () => flood(4 * rate, seconds, shot))
  memory.note('after the flood')
  await recovery(rate, shot)
  await phase('600 clients, all heed Retry-After', bench, () => crowdOf(600, seconds, shot))
  memory.note('after the crowd')
  await recovery(rate, shot)
  await phase('4× as many a second, once more', bench, () => flood(4 * rate, seconds, shot))
  memory.note('after the second flood')
  await recovery(rate, shot)
  memory.note('at rest')
  memory.stop()
}

/** Of ten requests, five read an activity, two list 50, two are heartbeats and one checks 20 globs. */
async function traffic({ url, newRepository, fill, pool }: BenchWorld): Promise<(n: number) => Shot> {
  const tree = realTree()
  const next = random(3)
  const repository = newRepository()
  const ids = await fill(
    repository,
    Array.from({ length: 500 }, () => someGlobs(tree, 5, next, 0)),
  )
  await analyze(pool)
  const base = `${url}/api/v1/repos/${repository.owner}/${repository.name}/activity`
  const bodies = Array.from({ length: 50 }, () => ({ branch: 'mine', scope: { paths: someGlobs(tree, 20, next, 0) } }))
  return (n) => {
    const id = ids[n % ids.length] ?? ''
    const kind = n % 10
    if (kind < 5) return { method: 'GET', url: `${base}/${id}`, token: repository.writer }
    if (kind < 7) return { method: 'GET', url: base, token: repository.writer }
    if (kind < 9) return { method: 'POST', url: `${base}/${id}/heartbeat`, token: repository.writer }
    return { method: 'POST', url: `${base}/check`, token: repository.writer, body: bodies[n % bodies.length] }
  }
}

/** Runs clients that each send one request after another. */
async function closed(clients: number, duration: number, shot: (n: number) => Shot): Promise<Fired[]> {
  const fired: Fired[] = []
  const end = performance.now() + duration * 1_000
  let next = 0
  const client = async () => {
    while (performance.now() < end) fired.push(await fire(shot(next++)))
  }
  await Promise.all(Array.from({ length: clients }, client))
  return fired
}

async function phase(name: string, { url }: BenchWorld, run: () => Promise<Fired[]>): Promise<{ rate: number }> {
  const [alive, ready] = [probe(`${url}/healthz`), probe(`${url}/readyz`)]
  const apart = probe(`http://127.0.0.1:${probePort}/healthz`)
  const start = performance.now()
  const fired = await run()
  const took = (performance.now() - start) / 1_000
  const of = (isIt: (status: number) => boolean) => fired.filter(({ status }) => isIt(status))
  const [good, refused] = [of((status) => status === 200 || status === 201), of((status) => status === 503)]
  const other = fired.length - good.length - refused.length
  console.log(`\n${name}: ${fired.length} requests in ${took.toFixed(1)} s`)
  row('served', good, fired.length, `${(good.length / took).toFixed(0)}/s`)
  row('503', refused, fired.length, `Retry-After ${retries(refused)}`)
  if (other > 0) console.log(`  no response, or other status  ${other}`)
  probes('/healthz', await alive())
  probes('/readyz', await ready())
  probes('apart', await apart())
  return { rate: good.length / took }
}

function row(name: string, fired: readonly Fired[], all: number, rest: string) {
  if (fired.length === 0) return
  const share = ((100 * fired.length) / all).toFixed(1)
  console.log(`  ${name.padEnd(9)} ${share.padStart(5)} %  ${times(fired)}  ${rest}`)
}

function probes(name: string, fired: readonly Fired[]) {
  const failed = fired.filter(({ status }) => status !== 200).length
  console.log(`  ${name.padEnd(9)} ${String(failed).padStart(4)} of ${fired.length} failed  ${times(fired)}`)
}

function times(fired: readonly Fired[]): string {
  const at = (part: number) => percentile(fired, part).toFixed(0)
  return `median ${at(0.5)} ms, 99 % ${at(0.99)} ms, longest ${at(1)} ms`
}

function retries(refused: readonly Fired[]): string {
  const told = refused.map(({ retryAfterSeconds }) => retryAfterSeconds ?? Number.NaN)
  return `${Math.min(...told)} to ${Math.max(...told)} s`
}

/** Measures each second after the flood, as a share of full speed. */
async function recovery(rate: number, shot: (n: number) => Shot) {
  const shares: string[] = []
  for (let second = 0; second < 6; second++) {
    const served = (await closed(32, 1, shot)).filter(({ status }) => status === 200).length
    shares.push((served / rate).toFixed(2))
  }
  console.log(`\nafter it, of full speed, second by second: ${shares.join('  ')}`)
}

/** The memory of the process in megabytes, and its maximum since the last note. */
function watchMemory(pid: number) {
  let most = 0
  const look = () => {
    most = Math.max(most, residentMegabytes(pid))
  }
  const timer = setInterval(look, 200)
  return {
    note(when: string) {
      look()
      console.log(
        `\nmemory ${when}: ${residentMegabytes(pid).toFixed(0)} MB, at most ${most.toFixed(0)} MB since the last note`,
      )
      most = 0
    },
    stop: () => clearInterval(timer),
  }
}

function residentMegabytes(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes ?? Number.NaN) / 1024
}
