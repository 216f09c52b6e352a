import { appendFileSync, chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import nock from 'nock'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Recorded } from '../../src/cli/api.ts'
import { type Clone, newDirectory, workOn } from '../support/command-line.ts'
import { runGit } from '../support/run-git.ts'
import { type Client, clientOf, startTestService, type TestService, work } from '../support/service.ts'

let service: TestService
let attacker: Server
let attackerUrl: string
let received: string[]
let client: Client
let alice: Clone
/** The attacker's commands make this file. */
let marker: string

beforeAll(async () => {
  service = await startTestService()
  attacker = createServer((request, response) => {
    received.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[]}')
  })
  await new Promise<void>((resolve) => attacker.listen(0, '127.0.0.1', resolve))
  attackerUrl = `http://127.0.0.1:${(attacker.address() as AddressInfo).port}`
})
afterAll(async () => {
  attacker.closeAllConnections()
  attacker.close()
  nock.cleanAll()
  await service.stop()
})
beforeEach(() => {
  received = []
  marker = join(newDirectory(), 'marker')
  client = clientOf(service)
  alice = workOn(service, client, 'feat/login', [105])
})

function expectNoAttack() {
  expect(received).toEqual([])
  expect(existsSync(marker)).toBe(false)
}

const commands = [['check', 'src/cart.ts'], ['start'], ['list'], ['notable', 'list'], ['doctor'], ['done']]

describe('§14 it trusts no repository', () => {
  /** Commits the directory `docs`, which is itself a git repository, as a clone can hold one. */
  function embed(worktree: string) {
    alice.write('docs/HEAD', 'ref: refs/heads/main\n')
    alice.write(
      'docs/config',
      [
        `[core]\nrepositoryformatversion = 0\nbare = false\nworktree = ${worktree}`,
        `fsmonitor = "touch '${marker}'; false"\n[headsup]\nurl = ${attackerUrl}`,
        `[remote "origin"]\nurl = ${alice.git('remote', 'get-url', 'origin')}\n`,
      ].join('\n'),
    )
    for (const name of ['objects/.keep', 'refs/heads/.keep', 'deep/guide.md', 'guide.md'])
      alice.write(`docs/${name}`, '')
    alice.commit()
  }

  it.each(['.', '..'])('and runs no git in a directory that is itself a repository: work tree %s', async (worktree) => {
    embed(worktree)
    for (const args of commands) {
      for (const cwd of ['docs', 'docs/deep']) {
        const ran = await alice.headsup(args, { cwd: join(alice.path, cwd) })
        expect(ran).toMatchObject({ code: 3 })
        expect(ran.out + ran.err).toContain(`${join(alice.path, 'docs')} is itself a git directory`)
      }
    }
    expectNoAttack()
    // So the attack works where git runs by itself.
    runGit(join(alice.path, 'docs'), '-c', 'safe.bareRepository=all', 'status')
    expect(existsSync(marker)).toBe(true)
  })

  /** A directory of programs with a `git` that runs this before the real one. */
  function gitAfter(script: string): string {
    const programs = newDirectory()
    const real = (process.env.PATH ?? '').split(':').find((path) => existsSync(join(path, 'git')))
    writeFileSync(join(programs, 'git'), `#!/bin/sh\n${script}\nexec '${real}/git' "$@"\n`)
    chmodSync(join(programs, 'git'), 0o755)
    return `${programs}:${process.env.PATH}`
  }

  it('and runs git at the top of the work tree alone, with safe settings', async () => {
    const log = join(newDirectory(), 'log')
    const PATH = gitAfter(`printf '%s: %s\\n' "$PWD" "$*" >>'${log}'`)
    const env = { ...alice.env, PATH, GIT_DIR: '/nowhere', GIT_WORK_TREE: '/' }
    for (const args of commands) {
      expect(await alice.headsup(args, { env, cwd: join(alice.path, 'src/auth') })).toMatchObject({ code: 0 })
    }
    const calls = readFileSync(log, 'utf8').trim().split('\n')
    const safe = `${alice.path}: -c safe.bareRepository=explicit -c core.fsmonitor=false `
    expect(calls.length).toBeGreaterThan(25)
    expect(calls.filter((call) => !call.startsWith(safe))).toEqual([])
  })

  it('and runs no program that the settings of a clone name, and asks no address of theirs', async () => {
    const program = `touch ${marker}`
    appendFileSync(
      join(alice.path, '.git/config'),
      [
        `[core]\nfsmonitor = ${program}\nhooksPath = .hooks\nsshCommand = ${program}\nalternateRefsCommand = ${program}\npager = ${program}`,
        `[filter "x"]\nclean = ${program}\nsmudge = ${program}\nprocess = ${program}\nrequired = true`,
        `[diff]\nexternal = ${program}\n[diff "x"]\ntextconv = ${program}\ncommand = ${program}`,
        `[credential]\nhelper = "!${program}"\n[merge "x"]\ndriver = ${program}\n[gpg]\nprogram = ${program}`,
        `[headsup]\nurl = ${attackerUrl}\n`,
      ].join('\n'),
    )
    alice.write('.gitattributes', '* filter=x diff=x merge=x\n')
    alice.write('.hooks/post-index-change', `#!/bin/sh\n${program}\n`)
    chmodSync(join(alice.path, '.hooks/post-index-change'), 0o755)
    for (const args of commands) expect((await alice.headsup(args)).code).toBe(0)
    const { HEADSUP_URL: _, ...env } = alice.env
    expect(await alice.headsup(['check'], { env })).toMatchObject({ code: 2 })
    expectNoAttack()
  })

  it('and sends no token where the kept state of a clone says that GitHub is', async () => {
    const { repository, post } = client
    const changes = { head_sha: 'a'.repeat(40), files: [{ path: 'src/auth/login.ts', lines: [[105, 105]] }] }
    await post('/activity', { ...work, branch: 'their', changes })
    const name = `${repository.owner}/${repository.name}`
    alice.git('remote', 'set-url', 'origin', `${attackerUrl}/${name}.git`)
    const facts = { service: `${service.url}/`, githubServerUrl: attackerUrl, repository: name, readAt: Date.now() }
    const kept = { ...facts, defaultBranch: 'main', parent: null, isPublic: false }
    const hooks = { lastSent: null, awayUntil: 0, told: [] }
    alice.write('.git/headsup/state.json', JSON.stringify({ form: 3, records: [], repositoryFacts: [kept], hooks }))
    expect(await alice.json(['check'])).toMatchObject({ merges: [{ conflicts: null }] })
    expectNoAttack()
  })

  it('and reads no other directory that the settings of a clone name as the work tree', async () => {
    const other = newDirectory()
    writeFileSync(join(other, 'secret.txt'), '')
    appendFileSync(join(alice.path, '.git/config'), `[core]\nworktree = ${other}\n`)
    const { activity } = await alice.json<Recorded>(['start'])
    expect(activity.changes).toMatchObject({ files_total: 1 })
  })

  it.each([
    ['ignores the settings in variables', 'unset GIT_CONFIG_COUNT'],
    ['does not show scopes', 'echo "error: unknown option `show-scope" >&2; exit 129'],
  ])('and runs nothing with a git that is so old that it %s', async (_, script) => {
    // The clone says itself what an old git does not.
    const settings = `[core]\nhooksPath = /dev/null\n[filter "x"]\nclean = touch ${marker}\n`
    appendFileSync(join(alice.path, '.git/config'), settings)
    alice.write('.gitattributes', '* filter=x\n')
    const ran = await alice.headsup(['check'], { env: { ...alice.env, PATH: gitAfter(script) } })
    expect(ran).toMatchObject({ code: 3, out: '', err: expect.stringContaining('git 2.31 or newer') })
    expectNoAttack()
  })

  it('and sends a token over https or to this machine alone', async () => {
    const url = service.url.replace('127.0.0.1', '0.0.0.0')
    for (const ran of [
      await alice.headsup(['check', '--url', url]),
      await alice.headsup(['list'], { env: { ...alice.env, HEADSUP_URL: url } }),
    ])
      expect(ran).toMatchObject({ code: 2, out: '', err: expect.stringContaining('use https') })
  })
})
