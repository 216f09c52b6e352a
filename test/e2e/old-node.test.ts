import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'headsup-node-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

/** Runs a script on a Node.js that gives itself out for this version. */
async function runOn(version: string, script: string): Promise<{ code: unknown; out: string; err: string }> {
  const old = join(directory, `${version}.mjs`)
  const versions = `{ ...process.versions, node: '${version}' }`
  await writeFile(old, `Object.defineProperty(process, 'versions', { value: ${versions} })\n`)
  return await new Promise((resolve) => {
    const args = ['--import', old, script, '--script']
    execFile(process.execPath, args, { timeout: 60_000 }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    )
  })
}

describe('an old Node.js', () => {
  it.each([
    ['start', '18.20.8', '20.19'],
    ['demo', '18.20.8', '20.19'],
    ['setup', '20.18.3', '20.19'],
    ['check-node', '22.1.0', '22.12'],
  ])('ends %s with one line that names the version that is needed', async (name, version, needed) => {
    expect(await runOn(version, `scripts/${name}.mjs`)).toEqual({
      code: 1,
      out: '',
      err: `Headsup needs Node.js ${needed} or newer, and this is ${version}.\n`,
    })
  })

  it('ends every build, and so npm test, before anything else', async () => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8'))
    expect(scripts.build).toMatch(/^node scripts\/check-node\.mjs && /)
    expect(scripts.test).toMatch(/^npm run --silent build && /)
  })

  it.each(['20.19.0', '22.12.0', '24.0.0', process.versions.node])('is not one of %s', async (version) => {
    expect(await runOn(version, 'scripts/check-node.mjs')).toEqual({ code: 0, out: '', err: '' })
  })
})
