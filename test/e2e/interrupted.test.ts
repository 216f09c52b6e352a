import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { call } from '../support/client.ts'
import { endAtStart, startProgram } from '../support/program.ts'

/** The processes whose command names the directory. */
async function processesOf(directory: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'args='])
  return stdout.split('\n').filter((line) => line.includes(directory))
}

/** In the order in which initdb makes them. */
const moments = ['postgres.new', 'postgres.new/base/1', 'postgres.new/base/5']

it.each(moments)('Ctrl-C once there is %s ends the first start and its initdb; the next one works', async (moment) => {
  const directory = await mkdtemp(join(tmpdir(), 'headsup-e2e-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  // Where the tests run as root, PostgreSQL runs as another user, who has to reach its data.
  await chmod(directory, 0o755)
  const data = join(directory, 'data')
  const settings = { HEADSUP_DATA_DIR: data, GITHUB_API_URL: 'http://127.0.0.1:9' }
  const when = () => existsSync(join(data, moment))
  const ended = await endAtStart(settings, directory, { signal: 'SIGINT', when, toAll: true })
  expect(ended.printed).not.toMatch(/can not start|failed|is listening/)
  expect(ended).toMatchObject({ code: 0, by: null })
  expect(await processesOf(directory)).toEqual([])
  const program = await startProgram(settings, directory)
  onTestFinished(async () => void (await program.end()))
  expect((await call(`${program.url}/readyz`, {})).status).toBe(200)
})
