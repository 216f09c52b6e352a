import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientFileRouter } from '../../src/http/routes/client-file.ts'
import { environment, newDirectory, removeDirectories, run } from '../support/command-line.ts'
import { startTestService, type TestRepository, type TestService } from '../support/service.ts'

const built = new URL('../../dist/', import.meta.url)
const bundle = fileURLToPath(new URL('headsup.mjs', built))

let service: TestService
let repository: TestRepository
let home: string
let file: string

beforeAll(async () => {
  service = await startTestService({ clientFile: clientFileRouter(new URL('headsup.mjs', built)) })
  repository = service.newRepository()
  home = newDirectory()
  file = join(home, 'bin/headsup')
  const response = await fetch(`${service.url}/-/headsup.mjs`)
  expect(response.headers.get('content-type')).toContain('text/javascript')
  mkdirSync(join(home, 'bin'))
  writeFileSync(file, await response.text())
  chmodSync(file, 0o755)
})
afterAll(async () => {
  removeDirectories()
  await service.stop()
})

const headsup = (args: string[], env: Record<string, string> = {}) =>
  run(file, args, { cwd: home, env: { ...environment(home), GITHUB_TOKEN: repository.writer, ...env }, input: '' })
const version: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version

describe('the command line as one file', () => {
  it('knows the service that handed it out, without any setting', async () => {
    const { code, out, err } = await headsup(['list', '--repo', `${repository.owner}/${repository.name}`])
    expect({ code, out, err }).toEqual({ code: 0, out: 'There is no live work.\n', err: '' })
  })

  it('says its version', async () => {
    expect(await headsup(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' })
  })

  it('runs every command that the package has', async () => {
    const { out } = await headsup(['help'])
    expect(out).toContain('watch')
    for (const [, name = ''] of out.matchAll(/^ {2}headsup ([a-z]+(?: [a-z]+)?) {2,}/gm)) {
      expect(await headsup(['help', ...name.split(' ')])).toMatchObject({ code: 0, err: '' })
    }
  })

  it('says which Node it needs where this one is too old', async () => {
    const old = join(home, 'old.mjs')
    writeFileSync(
      old,
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })\n",
    )
    expect(await headsup(['list'], { NODE_OPTIONS: `--import ${old}` })).toEqual({
      code: 2,
      out: '',
      err: 'headsup needs Node 20.19 or newer, and this is 18.20.4.\n',
    })
  })

  it('replaces itself by the newest, and stays executable', async () => {
    const before = readFileSync(file, 'utf8')
    writeFileSync(file, `${before}// older\n`)
    const { code, out } = await headsup(['upgrade'])
    expect({ code, out }).toEqual({ code: 0, out: `${file}: replaced by the file of ${service.url}.\n` })
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(statSync(file).mode & 0o111).toBe(0o111)
  })

  it('takes a newer file neither from an address of the environment nor from one without https', async () => {
    const before = readFileSync(file, 'utf8')
    expect(await headsup(['upgrade'], { HEADSUP_URL: 'http://127.0.0.1:9' })).toMatchObject({ code: 0 })
    expect(await headsup(['upgrade', '--url', 'http://headsup.example'])).toMatchObject({ code: 2 })
    expect(await headsup(['upgrade', '--url', `${service.url}/docs`])).toMatchObject({ code: 3 })
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  it('is a package of its own, small and without dependencies', () => {
    const output = execFileSync('npm', ['pack', '--dry-run', '--json'], {
      cwd: new URL('package', built),
      encoding: 'utf8',
    })
    const [packed] = JSON.parse(output)
    expect(packed.size).toBeLessThan(300_000)
    expect(packed.files.map(({ path }: { path: string }) => path).sort()).toEqual([
      'LICENSE',
      'README.md',
      'headsup.mjs',
      'package.json',
    ])
    const manifest: unknown = JSON.parse(readFileSync(new URL('package/package.json', built), 'utf8'))
    expect(manifest).not.toHaveProperty('dependencies')
    expect(statSync(bundle).size).toBeLessThan(300_000)
  })
})
