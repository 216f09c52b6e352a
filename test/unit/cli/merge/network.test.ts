import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { allGuards, type Guards } from '../../../../src/cli/merge/git/guards.ts'
import { tryMerges } from '../../../../src/cli/merge/try-merges.ts'
import { serverToken } from '../../../support/git-server.ts'
import { git } from '../../changes/git.ts'
import { lines, type MergeScene, prepareMergeScene, pull, type TestClone } from './merge-scene.ts'

let scene: MergeScene
const removals: (() => void | Promise<void>)[] = []
beforeAll(async () => {
  scene = await prepareMergeScene((remove) => removals.push(remove))
})
afterEach(() => {
  scene.server.answer = undefined
})
afterAll(async () => {
  for (const remove of removals) await remove()
})

const noIsolation: Guards = { ...allGuards, isolation: {} }

function changedClone(): TestClone {
  const clone = scene.clone()
  clone.write('a.txt', lines({ 5: 'mine' }))
  return clone
}

async function reasonOf(clone: TestClone, guards?: Guards, changes?: Parameters<TestClone['question']>[1]) {
  const { byNumber } = await clone.try([1], guards, changes)
  return byNumber[1]?.merge_reason
}

describe('a fetch of heads', () => {
  it('says so where the server is away, fails, or never answers, and leaves nothing', async () => {
    const clone = changedClone()
    const before = clone.listing()
    const { source } = clone.question([])
    if (source.transport !== 'https') throw new Error('The source is HTTP.')
    const away = { ...source, url: new URL('http://127.0.0.1:1/acme/app.git') }
    expect(await reasonOf(clone, allGuards, { source: away })).toBe('network')
    scene.server.answer = (_, response) => response.writeHead(503).end()
    expect(await reasonOf(clone)).toBe('network')
    scene.server.answer = (_, response) => response.writeHead(404).end()
    expect(await reasonOf(clone)).toBe('access')
    let isAsked = false
    const ended = new Promise<void>((resolve) => {
      scene.server.answer = (request) => {
        isAsked = true
        request.on('close', resolve)
      }
    })
    // On a slow machine, the time may be over before the server is asked.
    for (let milliseconds = 700; !isAsked; milliseconds *= 2)
      expect(await reasonOf(clone, allGuards, { limits: { milliseconds, heads: 20, bytes: 1e6 } })).toBe('time')
    // git's helper has ended, too.
    await ended
    expect(clone.listing()).toEqual(before)
  })

  it('ends where the caller gives up', async () => {
    const clone = changedClone()
    const abort = new AbortController()
    scene.server.answer = () => abort.abort()
    const { terminal } = clone.question([])
    expect(await reasonOf(clone, allGuards, { terminal: { ...terminal, signal: abort.signal } })).toBe('time')
  })

  it('asks nobody for a password: no helper, no program and no file of logins', async () => {
    const trying = async (guards: Guards) => {
      const clone = changedClone()
      clone.git('config', '--global', 'credential.helper', clone.trap('helper'))
      clone.git('config', 'credential.helper', clone.trap('helper'))
      clone.git('config', 'core.askPass', clone.trap('ask'))
      const { source, terminal } = clone.question([])
      const env = { ...terminal.env, GIT_ASKPASS: clone.trap('ask'), SSH_ASKPASS: clone.trap('ask'), DISPLAY: ':0' }
      const reason = await reasonOf(clone, guards, {
        source: { ...source, token: 'wrong' } as typeof source,
        terminal: { ...terminal, env },
      })
      return { reason, ran: clone.ran().length > 0 }
    }
    expect(await trying(allGuards)).toEqual({ reason: 'access', ran: false })
    expect(await trying(noIsolation)).toMatchObject({ ran: true })
    const { GIT_ASKPASS: _, SSH_ASKPASS: __, ...variables } = allGuards.variables
    expect(await trying({ ...allGuards, variables })).toMatchObject({ ran: true })
    // The header with our token comes before such a file in any case, so there is no guard to leave out.
    const withLogins = async (guards: Guards) => {
      const clone = changedClone()
      writeFileSync(join(clone.home, '.netrc'), `machine 127.0.0.1 login x-access-token password ${serverToken}\n`)
      const { source } = clone.question([])
      return reasonOf(clone, guards, { source: { ...source, token: 'wrong' } as typeof source })
    }
    expect(await withLogins(allGuards)).toBe('access')
  })

  it('sends the token to no other server: not by a redirect, nor by a setting that replaces addresses', async () => {
    const seen: (string | undefined)[] = []
    const other = createServer((request, response) => {
      seen.push(request.headers.authorization)
      response.writeHead(404).end()
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    removals.push(() => void other.close())
    const address = other.address()
    const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    scene.server.answer = (request, response) => response.writeHead(301, { Location: origin + request.url }).end()
    expect(await reasonOf(changedClone())).toBe('access')
    expect(seen).toEqual([])
    const { 'http.followRedirects': _, ...fetch } = allGuards.fetch
    await changedClone().try([1], { ...allGuards, fetch })
    expect(seen).not.toEqual([])
    scene.server.answer = undefined
    seen.length = 0
    const replaced = () => {
      const clone = changedClone()
      for (const scope of ['--global', '--local']) {
        clone.git('config', scope, `url.${origin}/.insteadOf`, `${scene.server.url.origin}/`)
      }
      return clone
    }
    expect(await reasonOf(replaced())).toBe(null)
    expect(seen).toEqual([])
    await replaced().try([1], noIsolation)
    expect(seen).not.toEqual([])
  })

  it('shows the token in no argument and in no file, and needs nine processes', async () => {
    const clone = changedClone()
    const { terminal } = clone.question([])
    const bin = join(clone.home, 'bin', 'git')
    const real = git('/', '--exec-path').out.trim()
    const log = join(clone.home, 'calls')
    clone.write(
      '../home-of-it/bin/git',
      [
        '#!/bin/sh',
        `printf '%s ' "$@" >>'${log}'; echo >>'${log}'`,
        `'${real}/git' "$@"; code=$?`,
        `grep -rlF -e '${serverToken}' -e '${Buffer.from(serverToken).toString('base64').slice(4, -4)}' '${clone.temporary}' '${clone.top}' >>'${log}'`,
        'exit $code',
        '',
      ].join('\n'),
    )
    chmodSync(bin, 0o755)
    const env = { ...terminal.env, PATH: `${join(clone.home, 'bin')}:${terminal.env.PATH}` }
    const { byNumber } = await clone.try([1, 2, 3, 4, 5], allGuards, { terminal: { ...terminal, env } })
    expect(byNumber[1]?.merge).toBe('conflicts')
    const calls = readFileSync(log, 'utf8').trim().split('\n')
    expect(calls).toHaveLength(9)
    expect(calls.join('\n')).not.toMatch(/server-token|x-access-token|Authorization|\/merge-/i)
  })

  it('fetches no missing object during a merge', async () => {
    const trying = async (guards: Guards) => {
      scene.server.requests.length = 0
      const clone = scene.clone()
      clone.write('big.txt', lines({ 5: 'mine' }))
      const { byNumber } = await clone.try([16], guards)
      return byNumber[16]
    }
    expect(await trying(allGuards)).toMatchObject({ merge: 'not_tried', merge_reason: 'too_large' })
    const lazily = () => scene.server.requests.filter(({ authorization }) => authorization === undefined)
    expect(lazily()).toEqual([])
    const { GIT_NO_LAZY_FETCH: _, ...variables } = allGuards.variables
    const { 'protocol.allow': __, ...merge } = allGuards.merge
    await trying({ ...allGuards, variables, merge })
    expect(lazily()).not.toEqual([])
    const fetchOptions = allGuards.fetchOptions.filter((option) => !option.startsWith('--filter'))
    expect(await trying({ ...allGuards, fetchOptions })).toMatchObject({ merge: 'conflicts' })
  })
})

it("takes the user's own ssh, told not to ask, where the source says so", async () => {
  const clone = changedClone()
  const log = join(clone.home, 'ssh-options')
  const program = join(clone.home, 'bin', 'ssh')
  const root = join(scene.server.directory, '../..')
  const script = ['#!/bin/sh', `echo "$@" >>'${log}'`, 'for last; do :; done', `cd '${root}' && eval "exec $last"`, '']
  clone.write('../home-of-it/bin/ssh', script.join('\n'))
  chmodSync(program, 0o755)
  clone.git('config', 'core.sshCommand', program)
  const source = { transport: 'ssh' as const, url: 'git@github.invalid:acme/app.git' }
  const { byNumber } = await clone.try([1], allGuards, { source })
  expect(byNumber[1]?.merge).toBe('conflicts')
  expect(readFileSync(log, 'utf8')).toMatch(/-o BatchMode=yes .*git@github\.invalid git-upload-pack/)
})

describe('a partial clone', () => {
  /** Without the files: the server has them. */
  function partialClone(): TestClone {
    const clone = scene.cloneWith('--filter=blob:none', '--no-checkout')
    clone.git('read-tree', 'HEAD')
    clone.git('config', 'core.autocrlf', 'true')
    clone.write('a.txt', lines({ 5: 'mine' }, '\r\n'))
    return clone
  }

  it('gets no object by a try, and says why its merges are not tried', async () => {
    const clone = partialClone()
    clone.git('config', 'core.autocrlf', 'false')
    expect(await reasonOf(clone)).toBe('partial')
    clone.git('config', 'core.autocrlf', 'true')
    const before = clone.listing()
    const { byNumber } = await clone.try([1])
    expect(byNumber[1]).toMatchObject({ merge: 'not_tried', merge_reason: 'partial' })
    expect(clone.listing()).toEqual(before)
  })

  it('would get some without the guard', async () => {
    const clone = partialClone()
    const before = clone.listing()
    const { GIT_NO_LAZY_FETCH: _, ...variables } = allGuards.variables
    const { 'protocol.allow': __, ...settings } = allGuards.clone
    await clone.try([1], { ...allGuards, variables, clone: settings, hasOwnObjects: false })
    expect(clone.listing()).not.toEqual(before)
  })
})

it('a branch of the target repository may have any name that git allows', async () => {
  const clone = changedClone()
  const { results } = await tryMerges(clone.question([{ ...pull(1), number: null, branch: '--upload-pack=touch;x' }]))
  expect(results[0]).toMatchObject({ merge: 'not_tried', merge_reason: 'head_gone' })
  expect(existsSync(join(clone.top, 'x'))).toBe(false)
})
