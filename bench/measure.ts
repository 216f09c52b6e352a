import { Agent, request } from 'node:http'

/** The minimum, median and maximum of the rounds. */
export interface Spread {
  min: number
  median: number
  max: number
}

export function spreadOf(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
  return { min: at(0), median: at(0.5), max: at(1) }
}

export function shown({ min, median, max }: Spread, digits = 2): string {
  return `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`
}

export interface Shot {
  method: string
  url: string
  token: string
  body?: unknown
}

/** Each measurement begins with new connections: the server may have closed the idle ones, and the next request would fail. */
const agent = new Agent({ keepAlive: true, maxSockets: 32 })

/** Sends a request and resolves with the length of the body. Throws for a status other than 200 and 201. */
function fire({ method, url, token, body }: Shot): Promise<number> {
  const sent = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${token}`,
    ...(sent === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
  }
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent }, (response) => {
      let length = 0
      response.on('data', (chunk: Buffer) => {
        length += chunk.length
      })
      response.on('end', () => {
        if (response.statusCode === 200 || response.statusCode === 201) resolve(length)
        else reject(new Error(`${method} ${url}: ${response.statusCode}`))
      })
    })
    asked.on('error', reject)
    asked.end(sent)
  })
}

/** Measures requests per second over a number of requests, with 32 connections. */
export async function throughput(count: number, shot: (n: number) => Shot, connections = 32): Promise<number> {
  agent.destroy()
  let next = 0
  const start = process.hrtime.bigint()
  const worker = async () => {
    while (next < count) await fire(shot(next++))
  }
  await Promise.all(Array.from({ length: connections }, worker))
  return count / (Number(process.hrtime.bigint() - start) / 1e9)
}

/** Measures the milliseconds of each of a number of requests, one after another. */
export async function latency(count: number, shot: (n: number) => Shot): Promise<number[]> {
  agent.destroy()
  const times: number[] = []
  for (let n = 0; n < count; n++) {
    const start = process.hrtime.bigint()
    await fire(shot(n))
    times.push(Number(process.hrtime.bigint() - start) / 1e6)
  }
  return times
}
