import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Clone, newDirectory, removeDirectories, sharedRepository, workTree } from '../support/command-line.ts'
import { startTestService, type TestRepository, type TestService } from '../support/service.ts'

let service: TestService
let attacker: Server
let attackerUrl: string
let received: string[]
let repository: TestRepository
let alice: Clone
/** The attacker's commands create this file. */
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
  removeDirectories()
  await service.stop()
})
beforeEach(() => {
  received = []
  marker = join(newDirectory(), 'marker')
  repository = service.newRepository()
  const env = { GITHUB_TOKEN: repository.writer, HEADSUP_HOOK_LIMIT_MS: '25000' }
  // The address comes from a setting of git, as in the attack.
  alice = sharedRepository(repository.owner, repository.name).clone('Alice', env, 'feat/login')
  alice.git('config', 'headsup.url', service.url)
})

function expectNoAttack() {
  expect(received).toEqual([])
  expect(existsSync(marker)).toBe(false)
}

/** The settings of a repository that sends tokens to the attacker and runs a command. */
function hostileSettings(worktree: string) {
  return [
    '[core]',
    'repositoryformatversion = 0',
    'bare = false',
    `worktree = ${worktree}`,
    `fsmonitor = "touch '${marker}'; false"`,
    'hooksPath = ../planted',
    `[headsup]\nurl = ${attackerUrl}`,
    `[remote "origin"]\nurl = https://github.com/${repository.owner}/${repository.name}.git`,
    '',
  ].join('\n')
}

/** Commits the directory `docs`, which is itself a git repository, as it could be in a clone. */
function embed(clone: Clone, worktree: string) {
  clone.write('docs/HEAD', 'ref: refs/heads/main\n')
  clone.write('docs/config', hostileSettings(worktree))
  clone.write('docs/objects/.gitkeep', '')
  clone.write('docs/refs/heads/.gitkeep', '')
  clone.write('docs/deep/guide.md')
  clone.write('docs/guide.md')
  clone.commit()
}

const directories = ['docs', 'docs/deep']
const worktrees = ['.', '..']

describe('a directory that is itself a git repository', () => {
  it.each(worktrees)('has settings that git itself would obey: work tree %s', (worktree) => {
    embed(alice, worktree)
    alice.git('-C', 'docs', '-c', 'safe.bareRepository=all', 'status')
    expect(existsSync(marker)).toBe(true)
  })

  it.each([
    { args: ['check'], cwd: 'docs', worktree: '.' },
    { args: ['check', 'guide.md'], cwd: 'docs/deep', worktree: '..' },
    { args: ['start'], cwd: 'docs', worktree: '..' },
    { args: ['update', 'guide.md'], cwd: 'docs/deep', worktree: '.' },
    { args: ['beat'], cwd: 'docs', worktree: '.' },
    { args: ['done'], cwd: 'docs/deep', worktree: '..' },
    { args: ['list'], cwd: 'docs', worktree: '..' },
    { args: ['notable', 'list'], cwd: 'docs/deep', worktree: '.' },
    { args: ['hook', 'install'], cwd: 'docs', worktree: '..' },
    { args: ['hook', 'uninstall'], cwd: 'docs/deep', worktree: '.' },
  ])('is refused by $args in $cwd: work tree $worktree', async ({ args, cwd, worktree }) => {
    embed(alice, worktree)
    expect(await alice.headsup(args, { cwd })).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringContaining(join(alice.path, 'docs')),
    })
    expectNoAttack()
    expect(existsSync(join(alice.path, 'planted'))).toBe(false)
    expect(existsSync(join(alice.path, '.claude'))).toBe(false)
  })

  it.each(directories)('gives no settings to a command in %s that names the repository', async (cwd) => {
    embed(alice, '.')
    alice.git('config', '--global', 'headsup.url', service.url)
    const named = ['list', '--repo', `${repository.owner}/${repository.name}`]
    expect(await alice.headsup(named, { cwd })).toEqual({ code: 0, out: 'There is no live work.\n', err: '' })
    expectNoAttack()
  })

  it.each([
    { args: ['post-checkout', 'a', 'b', '1'], cwd: 'docs', worktree: '..' },
    { args: ['post-checkout', 'a', 'b', '1'], cwd: 'docs/deep', worktree: '.' },
    { args: ['pre-push', 'backup', '../backup'], cwd: 'docs', worktree: '.' },
    { args: ['pre-push', 'backup', '../backup'], cwd: 'docs/deep', worktree: '..' },
  ])('is ignored by the git hook $args in $cwd: work tree $worktree', async ({ args, cwd, worktree }) => {
    embed(alice, worktree)
    expect(await alice.headsup(['hook', 'git', ...args], { cwd })).toEqual({ code: 0, out: '', err: '' })
    expectNoAttack()
  })

  it('is ignored by a git hook that git itself runs in it', async () => {
    embed(alice, '..')
    await alice.headsup(['hook', 'install', 'git'])
    const hooks = join(alice.path, '.git/hooks')
    alice.git('-C', 'docs', 'config', '-f', 'config', '--unset', 'core.fsmonitor')
    for (const GIT_DIR of ['docs', join(alice.path, 'docs')]) {
      const env = { GIT_DIR, GIT_WORK_TREE: alice.path }
      expect(await alice.headsup(['hook', 'git', 'pre-push'], { env })).toEqual({ code: 0, out: '', err: '' })
      expect(await alice.headsup(['check'], { env })).toMatchObject({
        code: 3,
        err: expect.stringContaining('GIT_DIR'),
      })
    }
    const git = `git -c safe.bareRepository=all -c core.hooksPath='${hooks}'`
    const checkout = await alice.shell(
      `cd docs && ${git} checkout -q --orphan other && ${git} checkout -q --orphan main`,
    )
    expect(checkout).toMatchObject({ code: 0, err: '' })
    expectNoAttack()
  })

  describe('in a session of Claude Code', () => {
    const runHook = async (name: string, more: object = {}) => {
      const event = { session_id: 's1', cwd: alice.path, hook_event_name: name, ...more }
      const { code, out, err } = await alice.headsup(['hook', 'claude'], { input: JSON.stringify(event) })
      expect({ code, err }).toEqual({ code: 0, err: '' })
      return out
    }
    const edit = (file: string) => ({
      tool_name: 'Edit',
      tool_input: { file_path: join(alice.path, file), old_string: 'a', new_string: 'b' },
    })

    it.each(worktrees)('is not obeyed at the edit of a file in it: work tree %s', async (worktree) => {
      embed(alice, worktree)
      const { activity } = await repository.created('/activity', {
        title: 'Other',
        summary: 'Other.',
        actor: 'Bob',
        branch: 'other',
        scope: { paths: ['docs/**'] },
      })
      await runHook('SessionStart', { source: 'startup' })
      // The file belongs to the enclosing repository.
      for (const [session_id, file] of [
        ['s2', 'docs/guide.md'],
        ['s3', 'docs/deep/new/guide.md'],
      ] as const)
        expect(await runHook('PreToolUse', { ...edit(file), session_id })).toContain(activity.id)
      await runHook('PostToolUse', edit('docs/guide.md'))
      await runHook('SessionEnd', { reason: 'other' })
      expectNoAttack()
    })

    it.each(directories)('is not obeyed as the current directory %s', async (below) => {
      embed(alice, '.')
      const cwd = join(alice.path, below)
      expect(await runHook('SessionStart', { source: 'startup', cwd })).toBe('')
      expect(await runHook('PreToolUse', { ...edit('docs/guide.md'), cwd })).toBe('')
      expect(await runHook('PostToolUse', { ...edit('docs/guide.md'), cwd })).toBe('')
      expect(await runHook('SessionEnd', { reason: 'other', cwd })).toBe('')
      expectNoAttack()
    })

    it('or another clone is not obeyed at the edit of a file in it', async () => {
      const other = sharedRepository(repository.owner, repository.name).clone('Mallory', {})
      writeFileSync(join(other.path, '.git/config'), hostileSettings('..'))
      mkdirSync(join(alice.path, 'vendor'))
      alice.git('clone', '-q', other.path, 'vendor/inside')
      appendFileSync(join(alice.path, 'vendor/inside/.git/config'), hostileSettings('..'))
      rmSync(marker, { force: true })
      const body = { title: 'Other', summary: 'Other.', actor: 'Bob', branch: 'other', scope: { paths: ['**'] } }
      await repository.created('/activity', body)
      const file = (path: string) => ({ tool_name: 'Write', tool_input: { file_path: path } })
      expect(await runHook('PreToolUse', file(join(other.path, 'src/new.ts')))).toBe('')
      expect(await runHook('PreToolUse', edit('vendor/inside/src/new.ts'))).toBe('')
      expect(await runHook('PreToolUse', edit('vendor/beside.ts'))).not.toBe('')
      expectNoAttack()
    })
  })
})

describe('git', () => {
  it('runs at the top of the work tree, with safe settings', async () => {
    const programs = newDirectory()
    const log = join(programs, 'log')
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
    const script = `#!/bin/sh\nprintf '%s: %s\\n' "$PWD" "$*" >>'${log}'\nexec '${real}' "$@"\n`
    writeFileSync(join(programs, 'git'), script, { mode: 0o755 })
    const env = { PATH: `${programs}:${process.env.PATH}`, GIT_DIR: join(alice.path, '.git') }
    const file = join(alice.path, 'src/auth/login.ts')
    const event = { session_id: 's1', cwd: join(alice.path, 'src'), tool_name: 'Edit', tool_input: { file_path: file } }
    for (const name of ['SessionStart', 'PreToolUse', 'PostToolUse', 'SessionEnd']) {
      const input = JSON.stringify({ ...event, hook_event_name: name })
      expect(await alice.headsup(['hook', 'claude'], { env, input })).toMatchObject({ code: 0, err: '' })
    }
    for (const args of [
      ['start'],
      ['check', 'login.ts'],
      ['update', '--changed'],
      ['beat'],
      ['list'],
      ['done'],
      ['hook', 'install'],
    ]) {
      expect(await alice.headsup(args, { env, cwd: 'src/auth' })).toMatchObject({ code: 0, err: '' })
    }
    expect(await alice.headsup(['hook', 'git', 'pre-push'], { env })).toMatchObject({ code: 0, err: '' })
    const calls = readFileSync(log, 'utf8').trim().split('\n')
    const safe = `${alice.path}: -c safe.bareRepository=explicit -c core.fsmonitor=false `
    expect(calls.length).toBeGreaterThan(30)
    expect(calls.filter((call) => !call.startsWith(safe))).toEqual([])
  })
})

describe('a .git file', () => {
  it.each([
    ['in the same directory', 'docs', 'gitdir: .'],
    ['beside it', 'tools', 'gitdir: ../docs'],
    ['of another linked work tree', 'tools', () => `gitdir: ${join(alice.path, '.git/worktrees/linked')}`],
  ])('that names a git directory %s is refused', async (_, directory, line) => {
    embed(alice, '.')
    alice.git('worktree', 'add', '-q', '--detach', '../linked')
    alice.write(`${directory}/.git`, `${typeof line === 'string' ? line : line()}\n`)
    expect(await alice.headsup(['check', 'a'], { cwd: directory })).toMatchObject({
      code: 3,
      err: expect.stringContaining('does not belong to this work tree'),
    })
    expectNoAttack()
  })

  it('is accepted where the git directory is outside of every work tree', async () => {
    const path = newDirectory()
    const separate = workTree(path, 'Alice', { HEADSUP_URL: service.url, GITHUB_TOKEN: repository.writer })
    separate.git('init', '-q', '--separate-git-dir', join(newDirectory(), 'kept'))
    separate.git('remote', 'add', 'origin', `https://github.com/${repository.owner}/${repository.name}`)
    expect(await separate.headsup(['check', 'a'])).toMatchObject({ code: 0, err: '' })
  })
})

describe('a token', () => {
  const other = () => service.url.replace('127.0.0.1', '0.0.0.0')

  it.each([
    ['HEADSUP_URL', () => alice.headsup(['check', 'a'], { env: { HEADSUP_URL: other() } })],
    ['--url', () => alice.headsup(['list', '--url', other()])],
    [
      'a setting of git',
      () => {
        alice.git('config', 'headsup.url', other())
        return alice.headsup(['start', 'a'])
      },
    ],
  ])('is not sent over plain http to another machine from %s', async (_, run) => {
    expect(await run()).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--insecure') })
  })

  it('is sent there with --insecure', async () => {
    expect(await alice.headsup(['list', '--insecure', '--url', other()])).toEqual({
      code: 0,
      out: 'There is no live work.\n',
      err: '',
    })
  })
})
