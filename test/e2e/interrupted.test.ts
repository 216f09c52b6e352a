import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { call } from '../support/client.ts'
import { endAtStart, startProgram } from '../support/program.ts'
import { scratch } from '../support/scratch.ts'

/** The processes whose command names the directory. */
async function processesOf(directory: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'args='])
  return stdout.split('\n').filter((line) => line.includes(directory))
}

/** In the order in which initdb makes them. */
const moments = ['postgres.new', 'postgres.new/base/1', 'postgres.new/base/5']

it('Ctrl-C at any moment of the first start ends it and its initdb, and the next start works', async () => {
  const directory = await scratch()
  const startIn = (data: string) => ({ HEADSUP_DATA_DIR: data, GITHUB_API_URL: 'http://127.0.0.1:9' })
  let data = ''
  for (const [index, moment] of moments.entries()) {
    data = join(directory, String(index))
    // A busy machine may miss the last moment. The data then has its final name.
    const when = () => existsSync(join(data, moment)) || existsSync(join(data, 'postgres'))
    const ended = await endAtStart(startIn(data), directory, { signal: 'SIGINT', when, toAll: true })
    expect(ended.printed).not.toMatch(/can not start|failed|is listening/)
    expect(ended).toMatchObject({ code: 0, by: null })
    expect(await processesOf(directory)).toEqual([])
  }
  const program = await startProgram(startIn(data), directory)
  onTestFinished(async () => void (await program.end()))
  expect((await call(`${program.url}/readyz`, {})).status).toBe(200)
})
