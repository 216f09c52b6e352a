/**
 * CPU time of requests, in ms of service and PostgreSQL. `npm run bench [-- DIRECTORY]`: side by side with another built checkout,
 * which takes turns with this one.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { median, type Subject, startGithub, startSubject } from './subject.ts'
import { globWriter, random, realTree } from './tree.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { live: { type: 'string', default: '10000' }, rounds: { type: 'string', default: '6' } },
})
const here = fileURLToPath(new URL('../..', import.meta.url))
const many = Number(values.live)
const rounds = Number(values.rounds)

const github = await startGithub()
const subjects = [await startSubject('this', here, github.url)]
if (positionals[0]) subjects.push(await startSubject('other', positionals[0], github.url))

const tree = realTree()
const work = { title: 'Some work', summary: 'What it is about.', actor: 'Ana' }

async function analyze(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('analyze')
  await client.end()
}

/** Creates live work, 6 requests at once, the same for each subject. */
async function fill(subject: Subject, repository: string, count: number): Promise<string> {
  const globs = globWriter(tree, random(1))
  const bodies = Array.from({ length: count }, (_, n) => ({ ...work, branch: `b-${n}`, scope: { paths: globs(5) } }))
  let id = ''
  const next = async () => {
    for (let body = bodies.pop(); body; body = bodies.pop()) {
      const { status, text } = await subject.request('POST', `${repository}/activity`, body)
      if (status !== 201) throw new Error(`${subject.name}: ${status} ${text}`)
      id = JSON.parse(text).activity.id
    }
  }
  await Promise.all(Array.from({ length: 6 }, next))
  return id
}

interface Measured {
  name: string
  batch: number
  run(subject: Subject, n: number): Promise<{ status: number }>
}

/** Medians over batches by turns, after one batch each to warm up. */
async function measure({ name, batch, run }: Measured): Promise<void> {
  const taken = new Map(subjects.map((subject) => [subject, [] as { service: number; postgres: number }[]]))
  for (let round = 0; round <= rounds; round++) {
    for (const [subject, times] of taken) {
      const before = subject.cpu()
      for (let n = 0; n < batch; n++) {
        const { status } = await run(subject, round * batch + n)
        if (status >= 300) throw new Error(`${name} of ${subject.name}: ${status}`)
      }
      const after = subject.cpu()
      const ms = (key: 'service' | 'postgres') => ((after[key] - before[key]) * 1000) / batch
      if (round > 0) times.push({ service: ms('service'), postgres: ms('postgres') })
    }
  }
  const columns = [...taken].map(([subject, times]) => {
    const [service, postgres] = [median(times.map((one) => one.service)), median(times.map((one) => one.postgres))]
    return { subject: subject.name, service, postgres, sum: service + postgres }
  })
  const text = columns.map(
    ({ subject, service, postgres, sum }) =>
      `${subject} ${service.toFixed(2)} + ${postgres.toFixed(2)} = ${sum.toFixed(2)}`,
  )
  const [mine, other] = columns
  const ratio = mine && other ? `  ${(mine.sum / other.sum).toFixed(2)}×` : ''
  console.log(`${name.padEnd(42)} ${text.join('   ')}${ratio}`)
}

const ids = new Map<string, string>()
const perSubject = async (repository: string, count: number) => {
  await Promise.all(subjects.map(async (subject) => ids.set(subject.name, await fill(subject, repository, count))))
  // As PostgreSQL does by itself within a minute.
  await Promise.all(subjects.map(({ databaseUrl }) => analyze(databaseUrl)))
}
const checks = (repository: string): Measured['run'] => {
  const globs = globWriter(tree, random(2))
  const bodies = Array.from({ length: 5_000 }, () => ({ branch: 'mine', scope: { paths: globs(20) } }))
  return (subject, n) => subject.request('POST', `${repository}/activity/check`, bodies[n % bodies.length])
}

await perSubject('acme/hundred', 100)
const one = (subject: Subject) => `acme/hundred/activity/${ids.get(subject.name)}`
await measure({ name: 'retrieve', batch: 300, run: (subject) => subject.request('GET', one(subject)) })
await measure({
  name: 'list of 50',
  batch: 200,
  run: (subject) => subject.request('GET', 'acme/hundred/activity?limit=50'),
})
await measure({ name: 'heartbeat', batch: 300, run: (subject) => subject.request('POST', `${one(subject)}/heartbeat`) })
await measure({ name: 'check of 20 globs beside 100', batch: 200, run: checks('acme/hundred') })
const globs = globWriter(tree, random(3))
await measure({
  name: 'create of 5 globs beside some hundred',
  batch: 100,
  run: (subject, n) =>
    subject.request('POST', 'acme/hundred/activity', { ...work, branch: `c-${n}`, scope: { paths: globs(5) } }),
})
for (let n = 0; n <= rounds; n++) await perSubject(`acme/pairs-${n}`, 500)
await measure({
  name: 'first /collisions of 500',
  batch: 1,
  run: (subject, n) => subject.request('GET', `acme/pairs-${n}/collisions`),
})
await perSubject('acme/many', many)
await measure({ name: `check of 20 globs beside ${many}`, batch: 100, run: checks('acme/many') })

for (const subject of subjects) await subject.stop()
github.stop()
