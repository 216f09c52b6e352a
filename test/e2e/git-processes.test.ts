import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type Clone, newDirectory, removeDirectories, sharedRepository } from '../support/command-line.ts'
import { startServiceStub } from '../support/service-stub.ts'

const realGit = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()

let alice: Clone
let env: Record<string, string>
let log: string

afterAll(removeDirectories)
beforeEach(async () => {
  const stub = await startServiceStub()
  const programs = newDirectory()
  log = join(programs, 'log')
  // The first four arguments are the safe settings. One write, since git runs several times at once.
  const script = `#!/bin/sh\nprintf '%s\\n' "$5" >>'${log}'\nexec '${realGit}' "$@"\n`
  writeFileSync(join(programs, 'git'), script, { mode: 0o755 })
  env = { HEADSUP_URL: stub.url, GITHUB_TOKEN: 'ghp_x', HEADSUP_HOOK_LIMIT_MS: '25000' }
  alice = sharedRepository('acme', 'shop').clone('Alice', env, 'feat/login')
  env = { ...env, PATH: `${programs}:${process.env.PATH}` }
  alice.write('src/auth/session.ts', 'a\nb\n')
  alice.commit()
  alice.write('README.md', 'a\n')
  alice.write('src/new.ts')
})

/** The subcommands of git that run while `work` does, in the order of their names. */
async function gitCalls(work: () => Promise<unknown>): Promise<string[]> {
  rmSync(log, { force: true })
  await work()
  const calls = existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : []
  return calls.sort()
}

async function headsup(...args: string[]) {
  expect(await alice.headsup(args, { env })).toMatchObject({ code: 0, err: '' })
}

async function hook(agent: 'claude' | 'codex', event: string, more: object = {}) {
  const input = JSON.stringify({ session_id: 's1', cwd: alice.path, hook_event_name: event, ...more })
  expect(await alice.headsup(['hook', agent], { env, input })).toMatchObject({ code: 0, err: '' })
}

const claude = (event: string, more?: object) => hook('claude', event, more)

const edit = (...files: string[]) => ({
  tool_name: 'Edit',
  tool_input: { file_path: join(alice.path, ...files), old_string: 'a', new_string: 'b' },
})

/** What every command reads of a work tree. */
const workTree = ['config', 'status']
/** What shows the changes of its branch. */
const changes = ['diff', 'for-each-ref', 'merge-base']
const committed = (...more: string[]) => [...workTree, ...changes, ...more].sort()
/** The same, and the blobs of what is not committed. */
const all = (...more: string[]) => committed('hash-object', ...more)

describe('the git processes of a command', () => {
  it.each([
    ['check', ['check']],
    ['check of a path', ['check', 'src/auth']],
    ['check of a path and what is changed', ['check', 'src/auth', '--changed']],
    ['status', ['status']],
    ['start', ['start']],
    ['the git hooks', ['hook', 'git', 'pre-push']],
  ])('are six for %s', async (_, args) => {
    expect(await gitCalls(() => headsup(...args))).toEqual(all())
  })

  it('are six for update, whether it names changes or not', async () => {
    await headsup('start')
    expect(await gitCalls(() => headsup('update', '--changed'))).toEqual(all())
    expect(await gitCalls(() => headsup('update', '--title', 'Other'))).toEqual(all())
  })

  it('are two for list, and three for beat and done, which look for the base branch', async () => {
    expect(await gitCalls(() => headsup('list'))).toEqual(workTree)
    await headsup('start')
    expect(await gitCalls(() => headsup('beat'))).toEqual([...workTree, 'for-each-ref'].sort())
    expect(await gitCalls(() => headsup('done'))).toEqual([...workTree, 'for-each-ref'].sort())
  })
})

describe('the git processes of an agent hook', () => {
  it('are six at the start of a session, and seven before an edit, also of a changed file', async () => {
    expect(await gitCalls(() => claude('SessionStart', { source: 'startup' }))).toEqual(all())
    for (const file of ['src/auth/login.ts', 'src/auth/session.ts', 'README.md', 'src/new.ts']) {
      expect(await gitCalls(() => claude('PreToolUse', edit(file)))).toEqual(all('check-ignore'))
    }
  })

  it('are no more before an edit of several files', async () => {
    await claude('SessionStart', { source: 'startup' })
    const files = ['README.md', 'src/auth/session.ts', 'src/auth/login.ts']
    const patch = files.map((file) => `*** Update File: ${file}\n@@\n-a\n+b\n`).join('')
    const call = {
      tool_name: 'apply_patch',
      tool_input: { command: `*** Begin Patch\n${patch}*** End Patch` },
    }
    expect(await gitCalls(() => hook('codex', 'PreToolUse', call))).toEqual(all('check-ignore'))
  })

  it('are one more for each committed settings file that was changed', async () => {
    alice.write('.claude/settings.json', '{}')
    alice.commit()
    await headsup('hook', 'install', 'claude')
    await claude('SessionStart', { source: 'startup' })
    expect(await gitCalls(() => claude('PreToolUse', edit('README.md')))).toEqual(committed('cat-file', 'check-ignore'))
  })

  it('are six after a tool, and none where it was told within the minute', async () => {
    await claude('SessionStart', { source: 'startup' })
    expect(await gitCalls(() => claude('PostToolUse', edit('README.md')))).toEqual(all())
    expect(await gitCalls(() => claude('PostToolUse', edit('README.md')))).toEqual([])
  })

  it('are two after each further tool, for a minute after an edit was recorded', async () => {
    await claude('SessionStart', { source: 'startup' })
    await claude('PreToolUse', edit('README.md'))
    expect(await gitCalls(() => claude('PostToolUse', edit('README.md')))).toEqual(all())
    for (let tool = 0; tool < 2; tool += 1) {
      expect(await gitCalls(() => claude('PostToolUse', edit('README.md')))).toEqual(workTree)
    }
    const saved = JSON.parse(readFileSync(join(alice.path, '.git/headsup/hooks.json'), 'utf8'))
    alice.write('.git/headsup/hooks.json', JSON.stringify({ ...saved, recordedAt: saved.recordedAt - 60_000 }))
    expect(await gitCalls(() => claude('PostToolUse', edit('README.md')))).toEqual([])
  })

  it('are six at the end of a session with changes, and seven with commits alone', async () => {
    await claude('SessionStart', { source: 'startup' })
    expect(await gitCalls(() => claude('SessionEnd', { reason: 'other' }))).toEqual(all())
    alice.commit()
    await claude('SessionStart', { source: 'startup' })
    expect(await gitCalls(() => claude('SessionEnd', { reason: 'other' }))).toEqual(committed('rev-list', 'stash'))
  })
})
