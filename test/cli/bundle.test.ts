import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import nock from 'nock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDirectory, workOn } from '../support/command-line.ts'
import { clientOf, startTestService, type TestService, work } from '../support/service.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const file = join(root, 'dist/headsup.mjs')

let service: TestService
beforeAll(async () => {
  execFileSync(process.execPath, ['scripts/bundle-cli.mjs'], { cwd: root })
  service = await startTestService()
})
afterAll(async () => {
  nock.cleanAll()
  await service.stop()
})

/** Runs the file as a process while this one answers for the service. */
function run(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<{ code: number | null; out: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [file, ...args], { env, cwd })
    let out = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text
    })
    child.stderr.resume()
    child.on('close', (code) => resolve({ code, out }))
  })
}

describe('§14 the one file', () => {
  it('comes from the service', async () => {
    const response = await fetch(`${service.url}/-/headsup.mjs`)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(readFileSync(file))
  })

  it('needs nothing beside it, under any name, and is at most 350 kB', () => {
    expect(statSync(file).size).toBeLessThan(350_000)
    const directory = newDirectory()
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    for (const name of ['headsup', 'headsup.mjs']) {
      copyFileSync(file, join(directory, name))
      expect(execFileSync(join(directory, name), ['--version'], { encoding: 'utf8' })).toBe(`${version}\n`)
    }
  })

  it('says in one sentence that Node is too old', () => {
    const pretend = `Object.defineProperty(process.versions, 'node', { value: '18.20.0' }); import(${JSON.stringify(file)})`
    const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', pretend], { encoding: 'utf8' })
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toBe('headsup needs Node 20 or newer, and this is Node 18.20.0.\n')
  })

  it('checks, and exits with 1 by --exit-code where work collides', async () => {
    const alice = clientOf(service)
    const clone = workOn(service, alice, 'fix/login', [105])
    await alice.post('/activity', { ...work, branch: 'their', scope: { paths: ['src/cart.ts'] } })
    expect(await run(['check'], clone.env, clone.path)).toMatchObject({ code: 0 })
    const found = await run(['check', 'src/cart.ts', '--exit-code'], clone.env, clone.path)
    expect(found).toMatchObject({ code: 1, out: expect.stringContaining('src/cart.ts') })
  })

  it('installs hooks once, with the command that runs it, and takes them away without a trace', async () => {
    const clone = workOn(service, clientOf(service), 'fix/login')
    const hook = (...args: string[]) => run(['hook', ...args, 'claude'], clone.env, clone.path)
    expect(await hook('install')).toMatchObject({ code: 0, out: expect.stringContaining('hooks installed') })
    const path = clone.git('ls-files', '--others')
    const installed = readFileSync(join(clone.path, path), 'utf8')
    expect(installed).toContain(`hook claude --url ${service.url}`)
    expect(await hook('install')).toMatchObject({ code: 0, out: expect.stringContaining('are there already') })
    expect(readFileSync(join(clone.path, path), 'utf8')).toBe(installed)
    expect(await hook('uninstall')).toMatchObject({ code: 0 })
    expect(clone.git('status', '--porcelain', '--ignored')).toBe('')
  })

  it('writes all of a long answer into a slow pipe, and ends in silence where its reader has gone', async () => {
    const alice = clientOf(service)
    const clone = workOn(service, alice, 'fix/login', [105])
    const summary = 'x'.repeat(2_000)
    for (let at = 0; at < 40; at++) await alice.post('/activity', { ...work, summary, branch: `b${at}` })
    const child = (script: string) =>
      new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
        const shell = spawn('sh', ['-c', script], { env: clone.env, cwd: clone.path })
        const texts = { out: '', err: '' }
        shell.stdout.on('data', (text) => {
          texts.out += text
        })
        shell.stderr.on('data', (text) => {
          texts.err += text
        })
        shell.on('close', (code) => resolve({ code, ...texts }))
      })
    const list = `'${process.execPath}' '${file}' list --json --limit 500`
    const whole = await child(`${list} | (read first; echo "$first"; cat)`)
    expect((JSON.parse(whole.out) as { items: unknown[] }).items).toHaveLength(40)
    const cut = await child(`{ ${list}; echo "status $?" >&2; } | head -c 10`)
    expect(cut.err).toBe('status 0\n')
    await alice.post('/activity', { ...work, branch: 'their', scope: { paths: ['src/cart.ts'] } })
    const check = `'${process.execPath}' '${file}' check src/cart.ts --exit-code`
    const unread = await child(`{ ${check}; echo "status $?" >&2; } | :`)
    expect(unread.err).toBe('status 1\n')
    clone.git('switch', '-qc', '42-login')
    const noted = await child(`{ ${check} 2>&1 >/dev/null; echo "status $?" >&3; } 3>&2 | :`)
    expect(noted.err).toBe('status 1\n')
    expect((await child(`${check} >/dev/full 2>&1`)).code).toBe(3)
  })
})
