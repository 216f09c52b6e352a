import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { createTestDatabase } from '../support/database.ts'
import { main, startProgram } from '../support/program.ts'

const Coverage = z.object({ result: z.array(z.object({ url: z.string() })) })

/** The files of packages that the built program has loaded by its end. */
async function loadedBy(settings: Record<string, string>): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'headsup-loaded-'))
  const database = await createTestDatabase()
  // V8 then lists every script that it has compiled, when the program ends.
  const listing = { NODE_V8_COVERAGE: join(directory, 'scripts') }
  const program = await startProgram(
    { DATABASE_URL: database.url, HOST: '127.0.0.1', ...listing, ...settings },
    directory,
    [process.execPath, main],
  )
  expect((await fetch(`${program.url}/readyz`)).status).toBe(200)
  expect(await program.end()).toBe(0)
  const urls: string[] = []
  for (const file of await readdir(listing.NODE_V8_COVERAGE)) {
    const { result } = Coverage.parse(JSON.parse(await readFile(join(listing.NODE_V8_COVERAGE, file), 'utf8')))
    urls.push(...result.map(({ url }) => url).filter((url) => url.includes('/node_modules/')))
  }
  await database.drop()
  await rm(directory, { recursive: true })
  return urls
}

/** Without and with the settings for both. */
let loadedByDefault: string[]
let loadedBySettings: string[]
beforeAll(async () => {
  loadedByDefault = await loadedBy({})
  loadedBySettings = await loadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', WEBHOOK_SECRET: 'secret' })
})

const ofOpenTelemetry = (urls: string[]) => urls.filter((url) => url.includes('@opentelemetry'))

it('the program loads nothing of OpenTelemetry, unless there is an endpoint for its traces', () => {
  expect(loadedByDefault.length).toBeGreaterThan(100)
  expect(ofOpenTelemetry(loadedByDefault)).toEqual([])
  expect(ofOpenTelemetry(loadedBySettings).length).toBeGreaterThan(20)
})

const ofProbot = (urls: string[]) => urls.filter((url) => /\/node_modules\/(probot|@octokit\/webhooks)\//.test(url))

it('the program loads nothing of Probot, unless there is a webhook secret', () => {
  expect(ofProbot(loadedByDefault)).toEqual([])
  expect(ofProbot(loadedBySettings).length).toBeGreaterThan(10)
})
