/**
 * How long it takes until a follower knows of a new pair: `npm run bench:live`. Two instances on one PostgreSQL, one follower on each,
 * 100 pairs whose halves are made on different instances. A follower reads at most every 2 s, as a tab does.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { type Subject, startGithub, startSubject } from './subject.ts'

const here = fileURLToPath(new URL('../..', import.meta.url))
const repository = 'acme/live'
const pairs = 100
const betweenReadingsMs = 2_000

const Created = z.looseObject({ activity: z.looseObject({ id: z.string() }) })
const Collisions = z.looseObject({ items: z.array(z.looseObject({ activity_ids: z.array(z.string()) })) })

const github = await startGithub()
const first = await startSubject('first', here, github.url)
const second = await startSubject('second', here, github.url, first.databaseUrl)
const isOver = new AbortController()

/** When each follower saw a pair first. The key is both ids. */
const seen = new Map([first, second].map((subject) => [subject, new Map<string, number>()]))

/** As the page: a version says that something changed, then the list is read. */
async function follow(subject: Subject): Promise<void> {
  const { body } = await fetch(`${subject.url}/api/v1/repos/${repository}/events`, {
    headers: { authorization: 'Bearer ghp_bench' },
    signal: isOver.signal,
  })
  if (!body) throw new Error('no stream')
  let isDue = false
  const readAll = async () => {
    while (!isOver.signal.aborted) {
      if (isDue) {
        isDue = false
        await look(subject)
        await sleep(betweenReadingsMs)
      } else await sleep(20)
    }
  }
  const reading = readAll()
  for await (const chunk of body) if (Buffer.from(chunk).includes('data:')) isDue = true
  await reading
}

async function look(subject: Subject): Promise<void> {
  const { text } = await subject.request('GET', `${repository}/collisions`)
  const now = Date.now()
  for (const { activity_ids } of Collisions.parse(JSON.parse(text)).items) {
    const key = activity_ids.toSorted().join(' ')
    if (!seen.get(subject)?.has(key)) seen.get(subject)?.set(key, now)
  }
}

async function create(subject: Subject, n: number, side: string): Promise<string> {
  const work = { title: 'Some work', summary: 'What it is about.', actor: side, branch: `${side}-${n}` }
  const body = { ...work, scope: { paths: [`src/module-${n}/file.ts`] } }
  const { status, text } = await subject.request('POST', `${repository}/activity`, body)
  if (status !== 201) throw new Error(`${status} ${text}`)
  return Created.parse(JSON.parse(text)).activity.id
}

const following = [first, second].map((subject) => follow(subject).catch(() => {}))
await sleep(1_000)
const made = new Map<string, number>()
for (let n = 0; n < pairs; n++) {
  const ids = await Promise.all([create(first, n, 'ana'), create(second, n, 'ben')])
  made.set(ids.toSorted().join(' '), Date.now())
  await sleep(100)
}
await sleep(8_000)
isOver.abort()
await Promise.all(following)

for (const [subject, pairsSeen] of seen) {
  const delays = [...made]
    .map(([key, at]) => (pairsSeen.get(key) ?? Number.POSITIVE_INFINITY) - at)
    .sort((a, b) => a - b)
  const [median, last] = [delays[Math.floor(delays.length / 2)], delays.at(-1)]
  console.log(`${subject.name}: ${delays.length} pairs, median ${median} ms, at most ${last} ms`)
}
await second.stop()
await first.stop()
github.stop()
