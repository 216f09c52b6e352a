import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { newDirectory, removeDirectories, sharedRepository } from '../support/command-line.ts'
import { startServiceStub } from '../support/service-stub.ts'

afterAll(removeDirectories)

const shared = sharedRepository('acme', 'widgets')

/** A clone whose remote is at this address, and a service of github.com. */
async function cloneOf(remote: string) {
  const stub = await startServiceStub()
  const clone = shared.clone('Alice', { GITHUB_TOKEN: 'ghp_token', HEADSUP_URL: stub.url })
  clone.git('remote', 'set-url', 'origin', remote)
  clone.git('checkout', '-q', '-b', 'feat/secret')
  clone.write('src/secret-plan.ts')
  const session = async (more: object = {}) => {
    const event = { session_id: 's1', cwd: clone.path, hook_event_name: 'SessionStart', ...more }
    return clone.headsup(['hook', 'claude'], { input: JSON.stringify(event) })
  }
  return { ...stub, clone, session }
}

/** A directory with an `ssh` that knows one alias. */
function sshWithAlias(alias: string, host: string): string {
  const directory = newDirectory()
  mkdirSync(directory, { recursive: true })
  const script = `#!/bin/sh\n[ "$1 $2" = "-G --" ] || exit 1\n[ "$3" = ${alias} ] && echo hostname ${host} || echo hostname "$3"\n`
  writeFileSync(join(directory, 'ssh'), script)
  chmodSync(join(directory, 'ssh'), 0o755)
  return `${directory}:${process.env.PATH}`
}

describe('a remote on another forge', () => {
  it('is refused before anything about the repository is sent', async () => {
    const { clone, requests } = await cloneOf('https://ghes.corp.example/acme/widgets.git')
    for (const args of [['check'], ['start'], ['list'], ['collisions'], ['notable', 'list']]) {
      const { code, err } = await clone.headsup(args)
      expect(code, args.join(' ')).toBe(3)
      expect(err).toContain('The remote is on ghes.corp.example, but http://127.0.0.1')
      expect(err).toContain('knows the repositories of github.com alone')
    }
    const doctor = await clone.headsup(['doctor'])
    expect(doctor.code).toBe(3)
    expect(doctor.out).toMatch(/^fail +repository +The remote is on ghes\.corp\.example, but /m)
    expect(doctor.out).toMatch(/^note +hooks /m)
    expect(requests).toEqual([])
  })

  it('fails in the doctor, who sends nothing about the repository either', async () => {
    const { clone, requests } = await cloneOf('https://ghes.corp.example/acme/widgets.git')
    const { code, out } = await clone.headsup(['doctor'])
    expect(code).toBe(3)
    expect(out).toMatch(/^fail {2}repository {5}The remote is on ghes\.corp\.example, but /m)
    expect(out).not.toMatch(/^ok {4}(?:repository|rights)/m)
    expect(requests).toEqual([])
  })

  it('is reported once by hooks, of git and of agents, which then stay quiet', async () => {
    const { clone, session, requests } = await cloneOf('ssh://git@ghes.corp.example:2222/acme/widgets')
    const { out } = await session()
    expect(JSON.parse(out).systemMessage).toContain('The remote is on ghes.corp.example')
    for (const hook_event_name of ['SessionStart', 'PreToolUse', 'PostToolUse']) {
      expect(await session({ hook_event_name, tool_input: { file_path: join(clone.path, 'src/a.ts') } })).toEqual({
        code: 0,
        out: '',
        err: '',
      })
    }
    expect(await clone.headsup(['hook', 'git', 'pre-push'])).toEqual({ code: 0, out: '', err: '' })
    expect(requests).toEqual([])
  })

  it.each([
    ['https://gitlab.com/acme/tools/widgets.git', 'gitlab.com'],
    ['git@bitbucket.org:acme/widgets.git', 'bitbucket.org'],
  ])('of a known other forge is reported once as well: %s', async (remote, host) => {
    const { clone, session, requests } = await cloneOf(remote)
    const message = `Headsup could not check: The remote is on ${host}, which is not GitHub.`
    expect(JSON.parse((await session()).out).systemMessage).toContain(message)
    expect(await session()).toEqual({ code: 0, out: '', err: '' })
    expect(await clone.headsup(['hook', 'git', 'pre-push'])).toEqual({ code: 0, out: '', err: '' })
    for (const args of [['check'], ['open', '--print']])
      expect(await clone.headsup(args)).toMatchObject({
        code: 3,
        err: expect.stringContaining(`The remote is on ${host}`),
      })
    const other = await cloneOf(remote)
    expect((await other.clone.headsup(['hook', 'git', 'pre-push'])).err).toContain(message)
    other.clone.git('config', 'headsup.repository', 'acme/widgets')
    expect((await other.clone.headsup(['hook', 'git', 'pre-push'])).err).toBe('')
    expect(other.sent('POST /activity/check')).toHaveLength(1)
    expect(requests).toEqual([])
  })

  it('may be a mirror: --repo and headsup.repository name a repository of the service', async () => {
    const { clone, sent } = await cloneOf('https://git.corp.example/mirror/widgets')
    expect(await clone.headsup(['list', '--repo', 'acme/widgets'])).toMatchObject({ code: 0 })
    expect(await clone.headsup(['list', '--repo', 'https://git.corp.example/a/b'])).toMatchObject({ code: 3 })
    clone.git('config', 'headsup.repository', 'acme/widgets')
    expect(await clone.headsup(['list'])).toMatchObject({ code: 0 })
    expect(sent('GET /activity').every(({ repository }) => repository === 'acme/widgets')).toBe(true)
  })
})

describe('a remote on the GitHub of the service', () => {
  it.each([
    'ssh://git@ssh.github.com:443/acme/widgets',
    'https://www.github.com/acme/widgets',
    'GitHub.com:acme/widgets',
  ])('may be written as %s', async (remote) => {
    const { clone } = await cloneOf(remote)
    expect(await clone.headsup(['list'])).toMatchObject({ code: 0 })
  })

  it('may be written with an alias of ssh', async () => {
    const { clone } = await cloneOf('git@work-alias:acme/widgets.git')
    const list = (host: string) => clone.headsup(['list'], { env: { PATH: sshWithAlias('work-alias', host) } })
    expect(await list('github.com')).toMatchObject({ code: 0 })
    expect(await list('ghes.corp.example')).toMatchObject({ code: 3 })
    // An address that ssh would take for an option is only a name.
    clone.git('config', 'remote.origin.url', '-oProxyCommand=touch:acme/widgets')
    expect(await list('github.com')).toMatchObject({ code: 3 })
  })
})
