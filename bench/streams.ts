import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { shown, spreadOf } from './measure.ts'
import { startWorld } from './world.ts'

/**
 * Measures streams of events: what idle ones cost in memory and CPU time, and how long a change takes to reach all of them.
 * `node .bench/bench/streams.js 1000`. The clients and PostgreSQL share the machine with the service.
 */
const streams = Number(process.argv[2] ?? '1000')
const idleSeconds = 20
const perToken = 10

const world = await startWorld({ HEADSUP_MAX_STREAMS: String(streams) })
const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY })

/** Resident memory, in MB, and CPU time, in ms. */
function usage(): { memory: number; cpu: number } {
  const status = readFileSync(`/proc/${world.pid}/status`, 'utf8')
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(status) ?? []
  const stat = readFileSync(`/proc/${world.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return { memory: Number(kilobytes) / 1024, cpu: 10 * (Number(stat[11]) + Number(stat[12])) }
}

interface Reader {
  /** When each event of this kind arrived, in ms. */
  arrived: number[]
}

function open(url: string, token: string): Promise<Reader> {
  const reader: Reader = { arrived: [] }
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`))
      response.on('data', (chunk: Buffer) => {
        const text = chunk.toString()
        if (text.includes('event: snapshot')) resolve(reader)
        if (text.includes('event: activity')) reader.arrived.push(performance.now())
      })
      response.on('error', () => {})
    })
    request.on('error', reject)
  })
}

try {
  const repository = world.newRepository()
  const base = `${world.url}/api/v1/repos/${repository.owner}/${repository.name}`
  const tokens = Array.from({ length: Math.ceil(streams / perToken) }, () => world.newReader(repository))
  const create = async (title: string) => {
    const began = performance.now()
    const response = await fetch(`${base}/activity`, {
      method: 'POST',
      headers: { authorization: `Bearer ${repository.writer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title, summary: 'x', actor: 'bench', scope: { paths: ['src/**'] } }),
    })
    if (response.status !== 201) throw new Error(`status ${response.status}`)
    return began
  }
  await create('before')
  await sleep(2_000)
  const before = usage()
  const readers: Reader[] = []
  for (let n = 0; n < streams; n++) readers.push(await open(`${base}/events`, tokens[Math.floor(n / perToken)] ?? ''))
  await sleep(3_000)
  const opened = usage()
  await sleep(idleSeconds * 1_000)
  const idle = usage()
  console.log(`${streams} idle streams: ${(idle.memory - before.memory).toFixed(0)} MB`)
  console.log(`CPU while idle: ${((idle.cpu - opened.cpu) / (10 * idleSeconds)).toFixed(1)} % of a core`)
  const delays: number[] = []
  for (let n = 0; n < 10; n++) {
    const began = await create(`change ${n}`)
    await sleep(2_500)
    delays.push(...readers.map(({ arrived }) => (arrived[n] ?? Number.NaN) - began))
  }
  const lost = delays.filter(Number.isNaN).length
  console.log(
    `from the request to each stream: ${shown(spreadOf(delays.filter((ms) => !Number.isNaN(ms))), 0)} ms, ${lost} lost`,
  )
} finally {
  agent.destroy()
  await world.stop()
}
