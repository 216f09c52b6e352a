import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Command } from 'commander'
import nock from 'nock'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Recorded } from '../../src/cli/api.ts'
import { waits } from '../../src/cli/commands/watch.ts'
import { programOf } from '../../src/cli/run.ts'
import type { CollisionsAnswer } from '../../src/core/schemas/overlap.ts'
import { cloneOf, colleagueOf, newDirectory, openClone, workOn } from '../support/command-line.ts'
import { observe } from '../support/observed.ts'
import { clientOf, startTestService, type TestService, work } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(async () => {
  nock.cleanAll()
  await service.stop()
})

describe('§14 list', () => {
  it('shows live work, and filters by account, branch, issue and status', async () => {
    const alice = clientOf(service)
    const bob = colleagueOf(service, alice)
    const clone = cloneOf(service, alice)
    expect((await clone.headsup(['list'])).out).toMatch(/^No such work is known\./)
    const make = async (client: typeof bob, more: object) =>
      (await client.post('/activity', { ...work, ...more })).body.activity.id as string
    const first = await make(alice, { branch: 'a', issues: [42], scope: { paths: ['src/auth/**'] } })
    const second = await make(bob, { branch: 'b', agent: 'codex', title: 'Evil \u202e” <b>' })
    await bob.patch(`/activity/${await make(bob, {})}`, { status: 'merged' })
    const shown = async (...args: string[]) =>
      (await clone.headsup(['list', ...args])).out.split('\n').map((line) => line.split(' ')[0])
    expect(await shown()).toEqual([second, first])
    expect(await shown('--mine')).toEqual([first])
    expect(await shown('--branch', 'b')).toEqual([second])
    expect(await shown('--issue', '42')).toEqual([first])
    expect(await shown('--status', 'merged')).toHaveLength(1)
    expect(await shown('--limit', '1')).toEqual([second, 'There'])
    const { out } = await clone.headsup(['list'])
    expect(out).toContain('“Evil " ‹b>”')
    expect(out).toContain('“Ana” with “codex” on “b”')
    expect(out).toContain('in “src/auth/**”')
    expect(await clone.json<{ items: unknown[] }>(['list'])).toMatchObject({ items: [{ id: second }, { id: first }] })
  })
})

describe('§14 collisions and watch', () => {
  async function scene() {
    const alice = clientOf(service)
    const bob = colleagueOf(service, alice)
    const clone = workOn(service, alice, 'fix/login', [105])
    const start = async (of: typeof clone) => (await of.json<Recorded>(['start'])).activity.id
    return { alice, bob, clone, start }
  }

  it('list the pairs, all or those of one’s own', async () => {
    const { alice, bob, clone, start } = await scene()
    await clone.headsup(['check'])
    expect((await clone.headsup(['collisions'])).out).toBe('Nothing collides.')
    const others = [workOn(service, bob, 'b', [5]), workOn(service, colleagueOf(service, alice, 'carla'), 'c', [5])]
    for (const other of others) await start(other)
    const { out } = await clone.headsup(['collisions'])
    expect(out).toMatch(/^high: .*login\.ts/)
    expect((await clone.headsup(['collisions', '--mine'])).out).toBe('Nothing collides.')
  })

  it('say that nothing is known to collide where the pull requests are not read', async () => {
    const clone = cloneOf(service, clientOf(service))
    expect((await clone.headsup(['collisions'])).out).toBe(
      'No collision is known.\nThe open pull requests are being read.',
    )
    const answer = await clone.json<CollisionsAnswer>(['collisions'])
    expect(answer).toEqual({ items: [], truncated: false, observed: expect.objectContaining({ unread: 0 }) })
  })

  it('print each pair that was not there before, until one stops', async () => {
    const { bob, clone, start } = await scene()
    await start(clone)
    const stop = new AbortController()
    const printed: string[] = []
    let isBegun = () => {}
    const begun = new Promise<void>((resolve) => {
      isBegun = resolve
    })
    const watching = clone.headsup(['watch', '--mine', '--json'], {
      signal: stop.signal,
      err: () => isBegun(),
      out(line) {
        printed.push(line)
        stop.abort()
      },
    })
    await begun
    const id = await start(workOn(service, bob, 'feat/bob', [105]))
    expect(await watching).toMatchObject({ code: 0 })
    expect(printed.map((line) => JSON.parse(line))).toMatchObject([{ activity_ids: [id, expect.any(String)] }])
    expect(printed.join()).not.toContain('\n')
  })

  it('end at an error that time does not mend', async () => {
    const { bob, clone, start } = await scene()
    await start(clone)
    const watching = clone.headsup(['watch'], {
      out() {
        throw new TypeError('unforeseen')
      },
      err: (line) => void (line.startsWith('Watching') && start(workOn(service, bob, 'feat/bob', [105]))),
    })
    expect(await watching).toMatchObject({ code: 3 })
  })

  it('say once that the service is away, however long that lasts', async () => {
    const { clone } = await scene()
    const stop = new AbortController()
    let asked = 0
    const proxy = createServer(async ({ url = '', headers: { authorization = '' } }, response) => {
      if (!url.endsWith('/events'))
        response.end(await (await fetch(service.url + url, { headers: { authorization } })).text())
      else {
        asked += 1
        if (asked > 3) stop.abort()
        response.writeHead(503).end('{"error": {"code": "unavailable", "message": "No room"}}')
      }
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const { retry } = waits
    Object.assign(waits, { retry: 1 })
    onTestFinished(() => {
      Object.assign(waits, { retry })
      proxy.close()
    })
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const { err } = await clone.headsup(['watch', '--url', url], { signal: stop.signal })
    expect(err.split('\n')).toEqual([expect.stringMatching(/^Watching/), 'No room.'])
  })
})

describe('§14 notable', () => {
  it('is raised, listed and archived', async () => {
    const alice = clientOf(service)
    const clone = workOn(service, alice, 'fix/login', [105])
    const args = ['--category', 'release', '--importance', 'critical', '--until', '2199-12-01', '--path', 'auth']
    const raised = await clone.headsup(['notable', 'raise', 'Release freeze', ...args], {
      cwd: join(clone.path, 'src'),
    })
    expect(raised).toMatchObject({ code: 0, err: expect.stringContaining('is public: everybody can read') })
    const { items } = (await alice.get('/notables')).body
    expect(items).toMatchObject([
      { title: 'Release freeze', scope: { paths: ['src/auth/'] }, applies_until: '2199-12-01T23:59:59.000Z' },
    ])
    const [{ id }] = items
    expect((await clone.headsup(['notable', 'list'])).out).toContain(id)
    expect((await clone.headsup(['check'])).out).toContain('Release freeze')
    expect(await clone.headsup(['notable', 'done', id])).toMatchObject({ code: 0, out: `Archived: ${id}` })
    expect((await clone.headsup(['notable', 'list'])).out).toBe('There is no such notable.')
  })

  it('says nothing of readers in a private repository, and what is wrong with a date or an id', async () => {
    const { repository } = clientOf(service)
    const client = clientOf(service, {
      repository: { ...repository, id: repository.id + 70_000, name: `p-${repository.name}`, isPrivate: true },
    })
    const clone = cloneOf(service, client)
    expect(await clone.headsup(['notable', 'raise', 'Slow tests'])).toMatchObject({ code: 0, err: '' })
    const gone = await clone.headsup(['notable', 'done', 'ntb_01h455vb4pex5vsknk084sn02q'])
    expect(gone).toMatchObject({ code: 3, err: expect.stringContaining('no such record') })
    const until = (date: string) => clone.headsup(['notable', 'raise', 'Freeze', '--until', date])
    expect(await until('yesterday')).toMatchObject({ code: 2, err: expect.stringContaining('--until must be a day') })
    expect(await until('2020-01-01')).toMatchObject({ code: 0, err: expect.stringContaining('matches nothing') })
    const mistyped = await clone.headsup(['notable', 'done', 'freeze'])
    expect(mistyped).toMatchObject({ code: 2, err: expect.stringContaining('headsup notable list') })
  })
})

describe('§14 open', () => {
  it('prints the address of the page', async () => {
    const alice = clientOf(service)
    const { owner, name } = alice.repository
    const ran = await cloneOf(service, alice).headsup(['open'])
    expect(ran).toEqual({ code: 0, out: `${service.url.replace(/\/?$/, '/')}${owner}/${name}`, err: '' })
  })
})

describe('§14 doctor', () => {
  it('says what works, each thing once', async () => {
    const clone = workOn(service, clientOf(service), 'fix/login', [105])
    clone.write('.claude/settings.json', '{}')
    const { code, out } = await clone.headsup(['doctor'])
    expect(out.split('\n').filter((line) => !line.startsWith('ok  '))).toEqual([])
    expect(code).toBe(0)
    const texts = [
      'git 2.',
      'on fix/login',
      'A token from HEADSUP_TOKEN',
      'read and write',
      'Changed files: 1 since origin/main',
    ]
    for (const text of texts) expect(out.split(text)).toHaveLength(2)
  })

  it('says what to do where something does not work, and goes on', async () => {
    const alice = clientOf(service)
    const reader = clientOf(service, { repository: alice.repository, permission: 'pull', login: 'rita' })
    const clone = workOn(service, reader, 'fix/login', [105])
    clone.git('update-ref', '-d', 'refs/remotes/origin/main')
    const observation = observe(service.databaseUrl, alice.repository)
    await observation.read([{ number: 12, files: { 'src/cart.ts': [[3, 3]] } }])
    await observation.stop()
    const { code, out } = await clone.headsup(['doctor'])
    expect(code).toBe(3)
    const ill = ['not write to it', 'does not have main', 'Not tried: #12']
    const found = out.split('\n').filter((line) => line.startsWith('!!  '))
    expect(found).toEqual(ill.map((text) => expect.stringContaining(text)))
    const without = await clone.headsup(['doctor'], { env: { ...clone.env, HEADSUP_URL: '' } })
    expect(without).toMatchObject({ code: 3, out: expect.stringContaining('git config --global headsup.url') })
  })
})

describe('§13 hook install', () => {
  it('says whom the hooks are for, and who gets them, where git does not ignore their file', async () => {
    const clone = workOn(service, clientOf(service), 'fix/login')
    const first = await clone.headsup(['hook', 'install'])
    expect(first.out).toMatch(/^No agent has settings in .* Name another: claude, codex, gemini, opencode\./)
    expect(first.out).toContain('git does not ignore this file')
    clone.write('.gitignore', '.codex/\n')
    const second = await clone.headsup(['hook', 'install', 'codex'])
    expect(second.out).not.toMatch(/No agent has settings|git does not ignore/)
    expect(second.out).toContain('at “Hooks need review” choose “Trust all and continue”')
    expect(second.err).toContain('is public: everybody can read what is recorded.')
  })
})

it('§14 --help teaches each command', async () => {
  const clone = openClone(service, clientOf(service), newDirectory())
  const aboutWork = ['check', 'start', 'update']
  const others = ['done', 'doctor', 'list', 'collisions', 'watch', 'open']
  others.push(...['list', 'raise', 'done'].map((name) => `notable ${name}`))
  for (const name of [...aboutWork, ...others]) {
    const { code, out } = await clone.headsup([...name.split(' '), '--help'])
    expect(code).toBe(0)
    expect(out).toContain(`Usage: headsup ${name}`)
    for (const flag of ['--repo', '--url', '--json']) expect(out).toContain(flag)
    if (aboutWork.includes(name)) for (const flag of ['--branch', '--base', '--issue']) expect(out).toContain(flag)
  }
})

describe('§14 each command that is shown can be called so', () => {
  /** The program, of which no command does anything. */
  function idleProgram(): { program: Command; all: Command[]; printed: string[] } {
    const printed: string[] = []
    const print = (line: string) => void printed.push(line)
    const program = programOf({
      ...{ cwd: '/', env: {}, now: () => 0, out: print, err: print },
      ...{ isInteractive: false, signal: new AbortController().signal, exitCode: 0 },
    })
    const all: Command[] = []
    const visit = (command: Command) => {
      all.push(command)
      if (command.commands.length === 0) command.action(() => {})
      command.commands.forEach(visit)
    }
    visit(program)
    return { program, all, printed }
  }

  function textOf(source: string): string {
    if (source !== '--help') return readFileSync(new URL(`../../${source}`, import.meta.url), 'utf8')
    const { all, printed } = idleProgram()
    for (const command of all) command.outputHelp()
    return printed.join('\n')
  }

  /** What begins a line or stands after a quotation mark, without what comments on it. */
  function shownIn(text: string): string[] {
    const found = text.match(/(?<=[`']|^ *)headsup [a-z](?:"[^"\n]*"|[^`'"\n])*/gm) ?? []
    return found.map((one) => one.split(/ {2,}| \|| #/)[0] ?? '')
  }

  it.each(['README.md', 'docs/using.md', 'docs/overlap.md', 'src/page/commands.tsx', '--help'])('in %s', (source) => {
    const shown = shownIn(textOf(source))
    expect(shown).not.toEqual([])
    for (const text of shown) {
      const { program, all, printed } = idleProgram()
      const words = (text.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''))
      expect(() => program.parse(words.slice(1), { from: 'user' }), `${text}: ${printed}`).not.toThrow()
      // A title where a path is meant.
      const paths = all.flatMap(({ registeredArguments: [first], args }) => (first?.name() === 'path' ? args : []))
      expect(
        paths.filter((path) => path.includes(' ')),
        text,
      ).toEqual([])
    }
  })
})
