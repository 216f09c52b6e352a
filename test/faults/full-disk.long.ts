import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { call, errorOf } from '../support/client.ts'
import { startGithub } from '../support/github/start.ts'
import { query } from '../support/query.ts'
import { expectNoViolations } from './load/expect-no-violations.ts'
import { type RunningLoad, startLoad } from './load/start-load.ts'
import { randomFrom } from './stage/random.ts'
import { mayMount, type SmallDisk, startOnSmallDisk } from './stage/small-disk.ts'

const isPossible = mayMount()
const skipped = isPossible ? '' : ' (skipped: it needs root, and unshare of util-linux)'

async function start() {
  const github = await startGithub()
  onTestFinished(() => github.stop())
  const disk = await startOnSmallDisk({ GITHUB_API_URL: github.url })
  onTestFinished(() => disk.stop())
  const { url } = disk.program
  const load = startLoad({
    repository: github.addRepository('full'),
    urls: () => [url],
    random: randomFrom(1),
    clients: 4,
  })
  await load.acknowledged(200)
  const readiness = () => call(`${url}/readyz`)
  return { disk, load, readiness }
}

/** The service recovers without a restart, and has every acknowledged write. */
async function expectRecovery({ disk, load }: { disk: SmallDisk; load: RunningLoad }, ready: () => Promise<number>) {
  disk.empty()
  const begun = performance.now()
  await load.acknowledged(200)
  const msUntil200WereAcknowledgedAgain = performance.now() - begun
  expect(await ready()).toBe(200)
  await expectNoViolations([load], disk.databaseUrl, { msUntil200WereAcknowledgedAgain })
}

it.skipIf(!isPossible)(
  `while the disk has no room for data writes are 503 and reads are served, and nothing is lost${skipped}`,
  async () => {
    const { disk, load, readiness } = await start()
    disk.fill(0)
    while ((await readiness()).status === 200) await sleep(20)
    expect(errorOf(await readiness()).message).toContain('its disk is full')
    const { owner, name, writer } = load.load.repository
    const api = `${disk.program.url}/api/v1/repos/${owner}/${name}/activity`
    expect((await call(api, { token: writer })).status).toBe(200)
    const work = { title: 'T', summary: 'S', actor: 'A' }
    const refused = await call(api, { method: 'POST', token: writer, body: work })
    expect(refused.status).toBe(503)
    expect(errorOf(refused).message).toContain('accepts no writes')
    expect(disk.program.printed()).toContain('the database accepts no writes')
    await expectRecovery({ disk, load }, async () => (await readiness()).status)
  },
  300_000,
)

it.skipIf(!isPossible)(
  `while the disk has no room for the write-ahead log PostgreSQL ends, is started again until there is room, and nothing is lost${skipped}`,
  async () => {
    const { disk, load, readiness } = await start()
    disk.fill(8 * 2 ** 20)
    // The rest of each segment counts as written, so that the next one is needed soon.
    const nextSegment = () => query(disk.databaseUrl, 'select pg_switch_wal()').catch(() => {})
    while (!disk.program.printed().includes('starting it again')) await Promise.all([nextSegment(), sleep(50)])
    expect((await readiness()).status).toBe(503)
    expect(disk.program.printed()).toMatch(/"said":"[^"]*(?:\\"[^"]*)*No space left on device.*starting it again/)
    await expectRecovery({ disk, load }, async () => (await readiness()).status)
  },
  300_000,
)
