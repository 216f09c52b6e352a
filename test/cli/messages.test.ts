import { getEventListeners } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import nock from 'nock'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findToken } from '../../src/cli/token.ts'
import { type Clone, cloneOf, newDirectory, openClone, workOn } from '../support/command-line.ts'
import { githubApiUrl } from '../support/github.ts'
import { type Client, clientOf, startTestService, type TestService } from '../support/service.ts'

let service: TestService
let alice: Client
beforeAll(async () => {
  service = await startTestService()
  alice = clientOf(service)
})
afterAll(async () => {
  nock.cleanAll()
  await service.stop()
})

function newClone(): Clone {
  return workOn(service, alice, 'fix/login', [105])
}

/** A clone with other variables, or without some. */
async function failing(args: readonly string[], changed: NodeJS.ProcessEnv = {}, of = newClone()) {
  const ran = await of.headsup(args, { env: { ...of.env, ...changed } })
  expect(ran.out).toBe('')
  expect(ran.err).toMatch(/^headsup: /)
  return ran
}

/** A directory of programs, with git and this `gh`. */
function programs(gh: string): NodeJS.ProcessEnv {
  const directory = newDirectory()
  writeFileSync(join(directory, 'gh'), `#!/bin/sh\n${gh}\n`)
  chmodSync(join(directory, 'gh'), 0o755)
  return { PATH: `${directory}:${process.env.PATH}` }
}

describe('§14 the address of the service', () => {
  it('is never guessed, and the line that sets it is told', async () => {
    const ran = await failing(['check'], { HEADSUP_URL: '' })
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining('git config --global headsup.url') })
  })

  it('is that of --url, then of HEADSUP_URL, then of the settings of the user', async () => {
    const one = newClone()
    writeFileSync(join(one.env.HOME ?? '', '.gitconfig'), `[headsup]\nurl = ${service.url}\n`)
    const args = ['list', '--json']
    const noise = { ...one.env, HEADSUP_URL: 'http://127.0.0.1:1' }
    expect((await one.headsup(args, { env: { ...one.env, HEADSUP_URL: '' } })).code).toBe(0)
    expect((await one.headsup(args, { env: noise })).code).toBe(3)
    expect((await one.headsup([...args, '--url', service.url], { env: noise })).code).toBe(0)
  })

  it.each(['headsup.example.com', 'ftp://a.example', 'https://user:pass@a.example', 'not an address'])(
    'is refused as %s',
    async (url) => {
      expect(await failing(['check', '--url', url])).toMatchObject({ code: 2 })
    },
  )
})

describe('§14 the token', () => {
  it('is that of HEADSUP_TOKEN, then GITHUB_TOKEN, then GH_TOKEN, then of gh for the host', async () => {
    const one = newClone()
    const { HEADSUP_TOKEN: token = '', ...env } = one.env
    const bad = 'ghp_refused'
    const listed = async (more: NodeJS.ProcessEnv) => (await one.headsup(['list'], { env: { ...env, ...more } })).code
    expect(await listed({ HEADSUP_TOKEN: token, GITHUB_TOKEN: bad })).toBe(0)
    expect(await listed({ GITHUB_TOKEN: token, GH_TOKEN: bad })).toBe(0)
    expect(await listed({ GH_TOKEN: token, ...programs('exit 1') })).toBe(0)
    expect(await listed(programs(`[ "$*" = 'auth token --hostname github.com' ] && echo ${token}`))).toBe(0)
  })

  it('of another GitHub is no variable that is meant for github.com', async () => {
    const env = { GITHUB_TOKEN: 'a', GH_TOKEN: 'b', ...programs(`[ "$4" = github.example.com ] && echo c`) }
    const found = await findToken('github.example.com', { env, signal: new AbortController().signal })
    expect(found.token).toBe('c')
  })

  it('is missing: the message says how to get one', async () => {
    const ran = await failing(['check'], { HEADSUP_TOKEN: '', ...programs('exit 1') })
    expect(ran).toMatchObject({ code: 3, err: expect.stringMatching(/gh auth login.*HEADSUP_TOKEN/) })
  })

  it('has characters that no token has, and stays out of the message', async () => {
    const { err } = await failing(['check'], { HEADSUP_TOKEN: 'ghp_secret\nx' })
    expect(err).toContain('HEADSUP_TOKEN')
    expect(err).not.toContain('secret')
  })
})

describe('§14 the repository', () => {
  it('is missing outside of a clone', async () => {
    const ran = await openClone(service, alice, newDirectory()).headsup(['check'])
    expect(ran).toMatchObject({ code: 3, err: expect.stringContaining('--repo OWNER/NAME') })
  })

  it('can be named outside of a clone, where paths are from its top', async () => {
    const { owner, name } = alice.repository
    const outside = openClone(service, alice, newDirectory())
    expect(await outside.json(['check', 'src/a.ts', '--repo', `${owner}/${name}`])).toMatchObject({ clear: true })
    expect((await outside.headsup(['check', '../a.ts', '--repo', `${owner}/${name}`])).code).toBe(2)
  })

  it.each([
    ['git@gitlab.com:acme/shop.git', 'The remote is on gitlab.com'],
    ['/srv/git/shop.git', 'is a repository on GitHub'],
    ['https://github.example.com/acme/shop', 'knows the repositories of github.com alone'],
  ])('is not one of this GitHub: %s', async (url, text) => {
    const one = newClone()
    one.git('remote', 'set-url', 'origin', url)
    expect(await failing(['check'], {}, one)).toMatchObject({ code: 3, err: expect.stringContaining(text) })
  })

  it('is not on a remote of another name: those that could be meant are told', async () => {
    const one = newClone()
    one.git('remote', 'rename', 'origin', 'github')
    const { repository } = alice
    const { err } = await failing(['check'], {}, one)
    expect(err).toContain(`such as ${repository.owner}/${repository.name}`)
  })

  it('is not seen by the token', async () => {
    const token = 'ghp_stranger'
    const { owner, name } = alice.repository
    nock(githubApiUrl, { reqheaders: { authorization: (value) => value.includes(token) } })
      .get(`/repos/${owner}/${name}`)
      .reply(404, {})
    const outside = openClone(service, { ...alice, token }, newDirectory())
    const text = 'does not exist, or the token from HEADSUP_TOKEN does not see it'
    const { err, code } = await failing(['check', '--repo', `${owner}/${name}`], {}, outside)
    expect([code, err]).toEqual([3, expect.stringContaining(text)])
    // Each part of it fails for this.
    expect((await outside.headsup(['doctor', '--repo', `${owner}/${name}`])).out.split(text)).toHaveLength(2)
  })
})

describe('§14 what GitHub and the service refuse', () => {
  it('a token that may only read: what works without is told', async () => {
    const reader = clientOf(service, { repository: alice.repository, permission: 'pull', login: 'rita' })
    const one = workOn(service, reader, 'fix/login', [105])
    expect((await one.headsup(['check'])).code).toBe(0)
    expect(await failing(['start'], {}, one)).toMatchObject({
      code: 3,
      err: expect.stringContaining('not write to it. The token is from HEADSUP_TOKEN.'),
    })
  })

  it.each([
    [401, {}, 'GitHub does not accept this token. The token is from HEADSUP_TOKEN.'],
    [
      403,
      { 'x-github-sso': 'required; url=https://github.com/orgs/acme/sso?x=1' },
      'https://github.com/orgs/acme/sso?x=1',
    ],
    [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '4102444800' }, 'Try again in'],
    [500, {}, 'GitHub does not answer'],
  ])('answers of GitHub with %d and %j', async (status, headers, text) => {
    const client = clientOf(service)
    const { owner, name } = client.repository
    const token = `ghp_refused${status}${Object.keys(headers).length}${text.length}`
    nock(githubApiUrl, { reqheaders: { authorization: (value) => value.includes(token) } })
      .persist()
      .get(`/repos/${owner}/${name}`)
      .reply(status, {}, headers)
    expect(await failing(['check'], {}, workOn(service, { ...client, token }, 'x', [1]))).toMatchObject({
      code: 3,
      err: expect.stringContaining(text),
    })
  })

  it('what is wrong in a field, in the words of the service', async () => {
    const ran = await failing(['start', '--pr', 'https://example.com/x'])
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining('pr_url') })
    expect(await failing(['check', '--tag', '\t'])).toMatchObject({ err: expect.stringContaining('tags') })
  })

  it('a service that is away, is none, redirects, or never answers', async () => {
    const closed = createServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    expect((await failing(['check', '--url', `http://127.0.0.1:${port}`])).err).toContain('(ECONNREFUSED): check')
    expect((await failing(['check', '--url', 'http://no-such-host.invalid:80'])).code).toBe(2)
    expect((await failing(['check', '--url', 'https://no-such-host.invalid'])).err).toContain('can’t be reached')
    const other = createServer((request, response) => {
      if (request.url?.startsWith('/redirect')) response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()
      else if (request.url?.startsWith('/html')) response.end('<html>')
      else if (request.url?.startsWith('/json')) response.end('{}')
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      other.closeAllConnections()
      other.close()
    })
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    expect((await failing(['check', '--url', `${url}/redirect`])).err).toContain('redirects')
    expect((await failing(['check', '--url', `${url}/html`])).err).toContain('check the address')
    expect((await failing(['check', '--url', `${url}/json`])).err).toContain('no Headsup service')
    const late = new AbortController()
    const waiting = newClone().headsup(['check', '--url', url], { signal: late.signal })
    other.once('request', () => late.abort())
    expect(await waiting).toMatchObject({ code: 3, err: expect.stringContaining('in time') })
  })
})

it('§14 a request leaves nothing behind at the signal that ends it: watch asks for days', async () => {
  const { signal } = new AbortController()
  expect((await newClone().headsup(['list'], { signal })).code).toBe(0)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

describe('§14 odd clones', () => {
  it('are said to be in the middle of a rebase, and count for its branch', async () => {
    const one = newClone()
    one.commit()
    one.git('switch', '-q', 'main')
    one.write('src/auth/login.ts', 'other\n')
    one.commit()
    expect(() => one.git('rebase', 'main', 'fix/login')).toThrow()
    expect(await one.headsup(['start'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('“fix/login”'),
      err: expect.stringContaining('rebase'),
    })
  })

  it('work without a commit, and with a detached head', async () => {
    const one = cloneOf(service, alice)
    one.git('switch', '-q', '--orphan', 'new')
    one.write('only.ts', 'x\n')
    expect((await one.headsup(['check'])).code).toBe(0)
    one.git('switch', '-q', '--detach', 'main')
    expect((await one.headsup(['check', 'src/cart.ts'])).code).toBe(0)
    expect((await failing(['done'], {}, one)).err).toContain('headsup start')
  })

  it('are work trees of their own where they are submodules', async () => {
    const one = newClone()
    const other = clientOf(service)
    const inner = cloneOf(service, other)
    one.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'lib')
    const lib = openClone(service, other, join(one.path, 'lib'))
    lib.git('remote', 'set-url', 'origin', inner.git('remote', 'get-url', 'origin'))
    lib.write('src/cart.ts', 'x\n')
    expect(await lib.headsup(['start'])).toMatchObject({ code: 0 })
    const { items } = (await other.get('/activity')).body
    expect(items).toMatchObject([{ branch: 'main', changes: { files_total: 1 } }])
  })

  it('are refused where git is missing, or refuses them itself', async () => {
    expect((await failing(['check'], { PATH: '/nowhere' })).err).toContain('git cannot be run')
    const one = newClone()
    one.write('.git/config', '[core')
    expect((await failing(['check'], {}, one)).err).toContain('git config --list')
  })
})

describe('§14 a wrong call', () => {
  it.each([
    [['frobnicate'], 'unknown command'],
    [['chekc'], 'Did you mean check?'],
    [['check', '--frob'], 'unknown option'],
    [['check', '--issue', 'x'], 'number of an issue'],
    [['check', '--issue', '4', '--no-issue'], 'write one of the two'],
    [['check', '--no-issue', '--issue', '4'], 'write one of the two'],
    [['done', '--issue', '4'], 'unknown option'],
    [['check', ''], 'A path is empty'],
    [['hook', 'install', '--json'], 'unknown option'],
    [['start', '--risk', 'huge'], 'Allowed choices'],
    [['update', '--status', 'expired'], 'Allowed choices'],
    [['notable', 'raise'], 'missing required argument'],
    [['list', '--repo', 'shop'], 'OWNER/NAME'],
    [['list', '--limit', '0'], 'a number from 1 on'],
  ])('of %j exits with 2', async (args, text) => {
    const ran = await cloneOf(service, alice).headsup(args)
    expect(ran).toMatchObject({ code: 2, out: '', err: expect.stringContaining(text) })
  })

  it('of nothing at all shows the help', async () => {
    expect(await newClone().headsup([])).toMatchObject({ err: expect.stringContaining('Usage: headsup') })
  })

  it('never exits with 1 after an unexpected error', async () => {
    const ran = await newClone().headsup(['check'], {
      now() {
        throw new TypeError('unforeseen')
      },
    })
    expect(ran).toMatchObject({ code: 3, err: expect.stringContaining('unforeseen') })
  })
})
