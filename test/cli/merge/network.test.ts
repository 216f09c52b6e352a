import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Remote } from '../../../src/cli/merge/fetch-heads.ts'
import { fetchHeads } from '../../../src/cli/merge/fetch-heads.ts'
import { createStore, removeStore } from '../../../src/cli/merge/store.ts'
import { gitInStore } from '../../../src/cli/merge/store-git.ts'
import { certificateFile, serverToken } from './scene/git-server.ts'
import { candidateOf, lines, type TestClone, useScene } from './scene/scene.ts'

const scene = useScene()
const { PATH } = process.env
afterEach(() => {
  scene().server.answer = undefined
  process.env.PATH = PATH
})

function changedClone(): TestClone {
  const clone = scene().clone()
  clone.write('a.txt', lines({ 5: 'mine' }))
  return clone
}

/** Why a try of #1 failed. */
async function failureOf(clone: TestClone, remote?: Partial<Remote>, signal?: AbortSignal): Promise<string> {
  return clone.try([1], remote, signal).then(
    () => 'tried',
    (error: Error) => error.message,
  )
}

/** Asks the server as git does with the settings of the clone and of the user. */
async function askUnguarded({ top, home }: TestClone): Promise<void> {
  const env = { PATH, HOME: home, GIT_SSL_CAINFO: certificateFile, GIT_TERMINAL_PROMPT: '0' }
  await once(spawn('git', ['ls-remote', scene().server.url.href], { cwd: top, env, stdio: 'ignore' }), 'close')
}

describe('§14 a fetch of heads', () => {
  it('says why it failed, never reads a failure as success, and leaves nothing', async () => {
    const { server } = scene()
    const clone = changedClone()
    const before = clone.listing()
    const noAccess = 'the token may not read the contents of the repository'
    expect(await failureOf(clone, { url: new URL('https://127.0.0.1:1/acme/app.git') })).toBe(
      'the heads could not be fetched',
    )
    expect(await failureOf(clone, { token: 'wrong' })).toBe(noAccess)
    expect(await failureOf(clone, { target: 'gone' })).toBe('the remote has no such target branch')
    server.answer = (_, response) => response.writeHead(503).end()
    expect(await failureOf(clone)).toBe('the heads could not be fetched')
    server.answer = (_, response) => response.writeHead(404).end()
    expect(await failureOf(clone)).toBe(noAccess)
    server.answer = (_, response) => response.end('<html>Welcome</html>')
    expect(await failureOf(clone)).toMatch(/could not be fetched|no such target branch/)
    expect(clone.listing()).toEqual(before)
  })

  it('ends git and its helpers where the time is over', async () => {
    const clone = changedClone()
    const before = clone.listing()
    const over = new AbortController()
    const ended = new Promise<void>((resolve) => {
      scene().server.answer = (request) => {
        request.on('close', resolve)
        over.abort()
      }
    })
    expect(await failureOf(clone, {}, over.signal)).toBe('it took too long')
    await ended
    expect(clone.listing()).toEqual(before)
  })

  it('asks nobody for a password: no helper, no program and no file of logins', async () => {
    const clone = changedClone()
    clone.git('config', '--global', 'credential.helper', clone.trap('helper'))
    clone.git('config', 'credential.helper', clone.trap('helper'))
    clone.git('config', 'core.askPass', clone.trap('ask'))
    writeFileSync(join(clone.home, '.netrc'), `machine 127.0.0.1 login x-access-token password ${serverToken}\n`)
    const home = process.env.HOME
    process.env.HOME = clone.home
    expect(await failureOf(clone, { token: 'wrong' })).toMatch(/may not read/)
    process.env.HOME = home
    expect(clone.ran()).toEqual([])
    // So git by itself asks them, once the file of logins is gone.
    rmSync(join(clone.home, '.netrc'))
    await askUnguarded(clone)
    expect(clone.ran()).not.toEqual([])
  })

  it('sends the token to no other server: not by a redirect, nor by a setting that replaces addresses', async () => {
    const { server } = scene()
    const seen: (string | undefined)[] = []
    const other = createServer((request, response) => {
      seen.push(request.headers.authorization)
      response.writeHead(404).end()
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    const clone = changedClone()
    const replacing = [`url.${origin}/.insteadOf`, `${server.url.origin}/`] as const
    clone.git('config', '--global', ...replacing)
    clone.git('config', ...replacing)
    expect(await failureOf(clone)).toBe('tried')
    expect(seen).toEqual([])
    server.answer = (request, response) => response.writeHead(301, { Location: origin + request.url }).end()
    expect(await failureOf(changedClone())).toMatch(/may not read|could not be fetched/)
    expect(seen).toEqual([])
    // So git by itself follows.
    await askUnguarded(changedClone())
    expect(seen).not.toEqual([])
    other.close()
  })

  it('shows the token in no argument and in no file', async () => {
    const clone = changedClone()
    const real = spawnSync('git', ['--exec-path'], { encoding: 'utf8' }).stdout.trim()
    const [bin, log] = [join(clone.home, 'bin'), join(clone.home, 'calls')]
    const secrets = [serverToken, Buffer.from(serverToken).toString('base64').slice(4, -4)]
    mkdirSync(bin)
    writeFileSync(
      join(bin, 'git'),
      [
        '#!/bin/sh',
        `echo "$@" >>'${log}'`,
        `'${real}/git' "$@"; code=$?`,
        `grep -rlF ${secrets.map((secret) => `-e '${secret}'`).join(' ')} '${process.env.TMPDIR}' '${clone.top}' >>'${log}'`,
        'exit $code\n',
      ].join('\n'),
    )
    chmodSync(join(bin, 'git'), 0o755)
    process.env.PATH = `${bin}:${PATH}`
    expect(await clone.try([1, 2, 3])).toMatchObject({ 1: { conflicts: ['a.txt'] } })
    const calls = readFileSync(log, 'utf8').trim().split('\n')
    // read-tree, update-index, write-tree, fetch with its listing of the clone's refs, and two batches of merges.
    expect(calls.length).toBeGreaterThanOrEqual(6)
    expect(calls.join('\n')).not.toMatch(/server-token|x-access-token|Authorization|\/headsup-merge-[^ ]*\/(?!$)/i)
  })

  it('fetches no missing file during a merge', async () => {
    const { server } = scene()
    server.requests.length = 0
    const clone = scene().clone()
    clone.write('big.txt', lines({ 5: 'mine' }))
    expect(await clone.try([16])).toMatchObject({ 16: { conflicts: null } })
    // The first one of git asks without a token, if it may.
    const lazily = () => server.requests.filter(({ authorization }) => authorization === undefined)
    expect(lazily()).toEqual([])
    const store = createStore(join(clone.top, '.git/objects'), 'sha1')
    const git = gitInStore(store, AbortSignal.timeout(60_000))
    const { head_sha } = candidateOf(server, 16)
    await fetchHeads(git, { url: server.url, token: serverToken, target: 'main' }, [head_sha])
    const env = { GIT_NO_LAZY_FETCH: '0' }
    await expect(git.run(['cat-file', '-p', `${head_sha}:big.txt`], { env })).rejects.toThrow()
    removeStore(store)
    expect(lazily()).not.toEqual([])
  })

  it('brings no file into a partial clone', async () => {
    const clone = scene().cloneWith('--filter=blob:none', '--no-checkout')
    clone.git('config', 'core.autocrlf', 'true')
    clone.git('read-tree', 'HEAD')
    clone.write('a.txt', lines({ 5: 'mine' }, '\r\n'))
    const before = clone.listing()
    await clone.try([1]).then(
      (tried) => expect(tried[1]?.conflicts).toBe(null),
      (error: Error) => expect(error.message).toMatch(/git|lacks/),
    )
    expect(clone.listing()).toEqual(before)
    clone.git('status')
    expect(clone.listing()).not.toEqual(before)
  })
})
