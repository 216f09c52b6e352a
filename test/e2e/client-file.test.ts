import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installable } from '../../src/cli/agents/install/hook-files.ts'
import { commands } from '../../src/cli/commands.ts'
import { clientFileRouter } from '../../src/service/api/http/routes/client-file.ts'
import { environment, newDirectory, removeDirectories, run, sharedRepository } from '../support/command-line.ts'
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

  it('runs every command', async () => {
    const env = { GITHUB_TOKEN: repository.writer, HEADSUP_HOOK_LIMIT_MS: '25000' }
    const clone = sharedRepository(repository.owner, repository.name).clone('Alice', env)
    clone.git('checkout', '-q', '-b', 'feat/login')
    const ran = new Set<string>()
    const run = async (name: string, more = '', input = '') => {
      ran.add(name)
      const { code, out, err } = await clone.shell(`'${file}' ${name} ${more}`, input)
      expect({ name, code, err }).toEqual({ name, code: 0, err: '' })
      return out
    }
    for (const agent of installable) {
      const event = (name: string) =>
        readFileSync(new URL(`../fixtures/agents/${agent}/${name}.json`, import.meta.url), 'utf8').replaceAll(
          '/home/alice/shop',
          clone.path,
        )
      // Copilot's model reads nothing at the start of a session.
      const told =
        (await run(`hook ${agent}`, '', event('session-start'))) ||
        (await run(`hook ${agent}`, '', event('after-tool')))
      expect(told, agent).toContain('recorded as')
    }
    expect(await run('start', 'src/auth')).toContain('Resumed.')
    expect(await run('beat')).toContain('act_')
    expect(await run('update', 'docs')).toContain('docs')
    expect(await run('status')).toContain('feat/login')
    expect(await run('check')).toContain('No overlap.')
    expect(await run('hook git', 'pre-push')).toBe('')
    expect(await run('list')).toContain('Alice')
    expect(await run('collisions')).toContain('No live work collides.')
    expect(await run('watch', '--once')).toContain('1 piece of live work')
    expect(await run('done')).toContain('is archived')
    const [id = ''] = /ntb_\w+/.exec(await run('notable raise', '--title Freeze --json')) ?? []
    expect(await run('notable list')).toContain('Freeze')
    expect(await run('notable show', id)).toContain('Freeze')
    expect(await run('notable update', `${id} --importance low --json`)).toContain('"low"')
    expect(await run('notable done', id)).toContain(id)
    expect(await run('hook install', 'git')).toContain('pre-push: installed.')
    expect(await run('doctor')).toMatch(/^ok {4}hooks +installed here for git\.$/m)
    expect(await run('hook uninstall', 'git')).toContain('uninstalled')
    expect(await run('upgrade')).toContain(`replaced by the file of ${service.url}`)
    ran.add('open')
    const opened = await clone.shell(`'${file}' open --print`)
    expect(opened).toMatchObject({ code: 0, out: expect.stringMatching(/^http\S+\n$/) })
    expect(await run('uninstall', '--keep-program')).toContain('headsup.*')
    expect([...ran].sort()).toEqual(Object.keys(commands).sort())
  })

  it.each([
    ['too old', '18.20.4', '20.19'],
    ['too early in its major version, with the release that is needed', '22.1.0', '22.12'],
  ])('says which Node it needs where this one is %s', async (_, version, needed) => {
    const old = join(home, `node-${version}.mjs`)
    writeFileSync(
      old,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })\n`,
    )
    expect(await headsup(['list'], { NODE_OPTIONS: `--import ${old}` })).toEqual({
      code: 2,
      out: '',
      err: `headsup needs Node ${needed} or newer, and this is ${version}.\n`,
    })
  })

  it('can be parsed as CommonJS, as old versions of Node do with a file without extension', () => {
    expect(() => new Script(readFileSync(file, 'utf8'))).not.toThrow()
  })

  it('runs under a name that ends in .mjs', async () => {
    const module = join(home, 'headsup.mjs')
    writeFileSync(module, readFileSync(file))
    const { code, out } = await run(process.execPath, [module, '--version'], {
      cwd: home,
      env: environment(home),
      input: '',
    })
    expect({ code, out }).toEqual({ code: 0, out: `${version}\n` })
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
    expect(statSync(bundle).size).toBeLessThan(370_000)
  })
})
