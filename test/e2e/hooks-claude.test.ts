import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareClones, startedChanges } from '../support/clones.ts'
import { type Clone, newDirectory } from '../support/command-line.ts'
import type { TestRepository, TestService } from '../support/service.ts'
import { startProxy } from '../support/service-proxy.ts'
import { hasSavedFailure, runUntilGivenUp, type SilentService, startSilentService } from '../support/silent-service.ts'

let service: TestService
let silent: SilentService
let repository: TestRepository
let alice: Clone

beforeAll(async () => {
  silent = await startSilentService()
})
afterAll(() => silent.stop())
prepareClones((stage) => {
  ;({ service, repository } = stage)
  alice = stage.clone('Alice', { branch: 'feat/login' })
})

const session = { session_id: 's1', transcript_path: '/tmp/t.jsonl', permission_mode: 'default' }

/** Runs the hook with an event. Expects status 0, and nothing or one JSON value on stdout. */
async function runHook(name: string, more: object = {}, env: Record<string, string> = {}) {
  const event = { ...session, cwd: alice.path, hook_event_name: name, ...more }
  const { code, out, err } = await alice.headsup(['hook', 'claude'], { input: JSON.stringify(event), env })
  expect(code).toBe(0)
  expect(out).not.toContain('permissionDecision')
  return { output: out === '' ? undefined : JSON.parse(out), err }
}

const edit = (file: string, more: object = {}) => ({
  tool_name: 'Edit',
  tool_input: { file_path: join(alice.path, file), old_string: 'a', new_string: 'b' },
  tool_use_id: 'toolu_1',
  ...more,
})

async function live() {
  return (await repository.page('/activity')).items
}

async function otherWork(paths: string[]) {
  return repository.created('/activity', {
    title: 'Other',
    summary: 'Other.',
    actor: 'Bob',
    branch: 'other',
    scope: { paths },
  })
}

/** A proxy of the service. Requests with this method wait until they are released. */
async function holdRequests(method: string) {
  let release = () => {}
  const free = new Promise<void>((resolve) => (release = resolve))
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  const url = await startProxy(service, method, async () => {
    arrive()
    await free
    return undefined
  })
  return { url, arrived, release }
}

describe('a session of Claude Code', () => {
  it('is recorded as work from start to end, with its changed files', async () => {
    const notable = await repository.raised({ title: 'Sessions move' })
    const { output } = await runHook('SessionStart', { source: 'startup' })
    expect(output.hookSpecificOutput).toMatchObject({ hookEventName: 'SessionStart' })
    expect(output.hookSpecificOutput.additionalContext).toContain(notable.id)
    const [activity] = await live()
    expect(activity).toMatchObject({ agent: 'claude-code', actor: 'Alice', branch: 'feat/login', base_branch: 'main' })
    alice.write('src/new.ts')
    await runHook('PostToolUse', edit('src/new.ts', { tool_response: {} }))
    expect(await live()).toMatchObject([
      { id: activity?.id, scope: { paths: [] }, scope_changed: ['src'], heartbeat_at: expect.any(String) },
    ])
    alice.git('clean', '-q', '-f', '-d')
    await runHook('SessionEnd', { reason: 'prompt_input_exit' })
    expect(await live()).toEqual([])
  })

  it('continues after /clear, compaction and the end of a concurrent session', async () => {
    await runHook('SessionStart', { source: 'startup' })
    const [activity] = await live()
    await runHook('SessionStart', { source: 'compact' })
    await runHook('SessionEnd', { reason: 'clear' })
    await runHook('SessionStart', { source: 'clear', session_id: 's2' })
    await runHook('SessionStart', { source: 'startup', session_id: 's3' })
    await runHook('SessionEnd', { reason: 'other', session_id: 's3' })
    expect(await live()).toMatchObject([{ id: activity?.id }])
    await runHook('SessionEnd', { reason: 'other', session_id: 's2' })
    expect(await live()).toEqual([])
  })

  it('that starts while another one starts ends none of its work', async () => {
    await runHook('SessionStart', { source: 'startup' })
    const proxy = await holdRequests('PATCH')
    const slow = runHook('SessionStart', { source: 'startup', session_id: 's2' }, { HEADSUP_URL: proxy.url })
    await proxy.arrived
    await runHook('SessionStart', { source: 'startup', session_id: 's3' })
    proxy.release()
    await slow
    await runHook('SessionEnd', { reason: 'other' })
    await runHook('SessionEnd', { reason: 'other', session_id: 's2' })
    expect(await live()).toHaveLength(1)
    await runHook('SessionEnd', { reason: 'other', session_id: 's3' })
    expect(await live()).toEqual([])
  })

  it('that creates the work while another one does takes part in it', async () => {
    const proxy = await holdRequests('POST')
    const slow = runHook('SessionStart', { source: 'startup' }, { HEADSUP_URL: proxy.url })
    await proxy.arrived
    await runHook('SessionStart', { source: 'startup', session_id: 's2' })
    proxy.release()
    const { output } = await slow
    const [id] = /act_\w+/.exec(output.hookSpecificOutput.additionalContext.split('recorded as')[1]) ?? []
    const isLive = async () => (await live()).some((activity) => activity.id === id)
    await runHook('SessionEnd', { reason: 'other' })
    expect(await isLive()).toBe(true)
    await runHook('SessionEnd', { reason: 'other', session_id: 's2' })
    expect(await isLive()).toBe(false)
  })

  it('that ends while another one starts takes no part in the work any more', async () => {
    await runHook('SessionStart', { source: 'startup' })
    const proxy = await holdRequests('PATCH')
    const slow = runHook('SessionStart', { source: 'startup', session_id: 's2' }, { HEADSUP_URL: proxy.url })
    await proxy.arrived
    await runHook('SessionEnd', { reason: 'clear' })
    proxy.release()
    await slow
    await runHook('SessionEnd', { reason: 'other', session_id: 's2' })
    expect(await live()).toEqual([])
  })

  it.each([
    ['that a killed process left behind', (lock: string) => utimesSync(lock, 0, 0)],
    ['of another process', () => {}],
  ])('is recorded despite a lock %s', async (_, prepare) => {
    const directory = join(alice.path, alice.git('rev-parse', '--git-path', 'headsup').trim())
    mkdirSync(directory)
    writeFileSync(join(directory, 'work.json.lock'), '')
    prepare(join(directory, 'work.json.lock'))
    const { output } = await runHook('SessionStart', { source: 'startup' })
    expect(output.hookSpecificOutput.additionalContext).toContain('recorded as')
    await runHook('SessionEnd', { reason: 'other' })
    expect(await live()).toEqual([])
  })

  it('does not archive work that a person created, or that has a pull request', async () => {
    await alice.headsup(['start', '--title', 'Mine'])
    await runHook('SessionStart', { source: 'startup' })
    await runHook('SessionEnd', { reason: 'other' })
    expect(await live()).toMatchObject([{ title: 'Mine' }])
    alice.git('checkout', '-q', '-b', 'feat/b')
    await runHook('SessionStart', { source: 'startup' })
    await alice.headsup(['update', '--pr-url', `https://github.com/${repository.owner}/${repository.name}/pull/1`])
    await runHook('SessionEnd', { reason: 'other' })
    expect(await live()).toHaveLength(2)
  })

  it('records a branch that is created during it, but not work that the user finished', async () => {
    await runHook('SessionStart', { source: 'startup' })
    await alice.headsup(['done'])
    await runHook('PostToolUse', edit('a.ts'))
    expect(await live()).toEqual([])
    alice.git('checkout', '-q', '-b', 'feat/b')
    const { output } = await runHook('SessionStart', { source: 'resume' })
    expect(output.hookSpecificOutput.additionalContext).toContain('recorded as')
    expect(await live()).toMatchObject([{ branch: 'feat/b' }])
  })

  it('of a reader gets collisions and records nothing', async () => {
    await otherWork(['src/**'])
    alice.write('src/a.ts')
    const { output } = await runHook('SessionStart', { source: 'startup' }, { GITHUB_TOKEN: repository.reader })
    expect(output.hookSpecificOutput.additionalContext).toContain('“Other”')
    expect(await live()).toHaveLength(1)
  })

  it('is not started or ended by a subagent', async () => {
    await runHook('SessionStart', { source: 'startup', agent_id: 'a1', agent_type: 'Explore' })
    expect(await live()).toEqual([])
    await runHook('SessionStart', { source: 'startup' })
    await runHook('SessionEnd', { reason: 'other', agent_id: 'a1' })
    expect(await live()).toHaveLength(1)
  })
})

describe('the end of a session', () => {
  const start = () => runHook('SessionStart', { source: 'startup' })
  const end = () => runHook('SessionEnd', { reason: 'other' })
  const pushTo = (branch: string) => alice.git('push', '-q', '.', `HEAD:refs/remotes/origin/${branch}`)
  const commit = (file = 'src/new.ts') => {
    alice.write(file)
    alice.commit()
  }

  it.each<[string, () => unknown]>([
    ['has no changes', () => {}],
    [
      'is behind its base',
      () => {
        alice.git('checkout', '-q', 'main')
        commit()
        pushTo('main')
        alice.git('checkout', '-q', 'feat/login')
      },
    ],
    ['differs by our own hooks only', () => alice.headsup(['hook', 'install', 'claude', '--local'])],
    ['is not checked out any more, and has no commit', () => alice.git('checkout', '-q', '--detach')],
  ])('archives work whose branch %s', async (_, work) => {
    await start()
    await work()
    await end()
    expect(await live()).toEqual([])
  })

  it('archives work on a detached head that equals its base', async () => {
    alice.git('checkout', '-q', '--detach')
    await start()
    await end()
    expect(await live()).toEqual([])
  })

  it.each<[string, () => unknown]>([
    ['an untracked file', () => alice.write('src/new.ts')],
    ['a changed file', () => alice.write('README.md', 'Changed.\n')],
    [
      'a stash',
      () => {
        alice.write('README.md', 'Changed.\n')
        alice.git('stash')
      },
    ],
    [
      'a changed file that went along to another branch',
      () => {
        alice.write('README.md', 'Changed.\n')
        alice.git('checkout', '-q', '-b', 'other')
      },
    ],
    [
      'its branch checked out in another work tree',
      () => {
        alice.git('checkout', '-q', 'main')
        alice.git('worktree', 'add', '-q', '../linked', 'feat/login')
      },
    ],
    ['a deleted file', () => alice.git('rm', '-q', 'README.md')],
    ['a commit', () => commit()],
    [
      'a pushed commit',
      () => {
        commit()
        pushTo('feat/login')
      },
    ],
    [
      'a reverted commit',
      () => {
        commit()
        alice.git('revert', '--no-edit', 'HEAD')
      },
    ],
    [
      'a commit that is merged locally and not pushed',
      () => {
        commit()
        alice.git('branch', '-f', 'main')
      },
    ],
    [
      'a commit that is pushed to a branch of another name',
      () => {
        commit()
        pushTo('alice/login')
        alice.git('branch', '-q', '--set-upstream-to', 'origin/alice/login')
      },
    ],
    [
      'a commit, and is not checked out any more',
      () => {
        commit()
        alice.git('checkout', '-q', '--detach')
      },
    ],
  ])('does not archive work that has %s', async (_, work) => {
    await start()
    const [activity] = await live()
    await work()
    await end()
    expect(await live()).toMatchObject([{ id: activity?.id }])
  })

  it.each<[string, () => unknown]>([
    [
      'no base branch is known',
      () => {
        alice.git('update-ref', '-d', 'refs/remotes/origin/main')
        alice.git('symbolic-ref', '-d', 'refs/remotes/origin/HEAD')
        alice.git('branch', '-q', '-D', 'main')
      },
    ],
    ['the base branch can not be read', () => alice.write('.git/refs/remotes/origin/main', `${'f'.repeat(40)}\n`)],
    [
      'its branch is gone',
      () => {
        alice.git('checkout', '-q', 'main')
        alice.git('branch', '-q', '-D', 'feat/login')
      },
    ],
  ])('does not archive work where %s', async (_, work) => {
    await start()
    await work()
    await end()
    expect(await live()).toHaveLength(1)
  })

  it.each<[string, () => unknown]>([
    ['has a commit', () => commit()],
    ['has an untracked file', () => alice.write('new.ts')],
    ['is not checked out any more', () => alice.git('checkout', '-q', 'feat/login')],
  ])('does not archive work on a detached head that %s', async (_, work) => {
    alice.git('checkout', '-q', '--detach')
    await start()
    await work()
    await end()
    expect(await live()).toHaveLength(1)
  })

  it.each<[string, () => unknown]>([
    ['is not pushed', () => {}],
    [
      'is pushed to a fork',
      () => {
        alice.git('remote', 'add', 'upstream', `https://github.com/${repository.owner}/${repository.name}`)
        alice.git('update-ref', 'refs/remotes/upstream/main', 'HEAD~1')
        pushTo('main')
      },
    ],
  ])('does not archive work on the default branch that %s', async (_, push) => {
    alice.git('checkout', '-q', 'main')
    await start()
    commit()
    push()
    await end()
    expect(await live()).toHaveLength(1)
  })

  it('sends the last changes of work that it does not archive', async () => {
    await start()
    await runHook('PostToolUse', edit('src/new.ts'))
    alice.write('src/new.ts')
    await end()
    const check = await repository.check({ branch: 'other', scope: { paths: ['src/new.ts'] } })
    expect(check).toMatchObject({ overlap_detected: true, related_activity_ids: [(await live())[0]?.id] })
  })

  it('archives the work of a branch without changes, and not that of a changed one', async () => {
    await start()
    alice.git('checkout', '-q', '-b', 'feat/other')
    commit()
    await runHook('PostToolUse', edit('src/new.ts'))
    expect(await live()).toHaveLength(2)
    await end()
    expect(await live()).toMatchObject([{ branch: 'feat/other' }])
  })

  it('archives work of an earlier session once it is empty', async () => {
    await start()
    const [activity] = await live()
    alice.write('src/new.ts')
    await end()
    await start()
    expect(await live()).toMatchObject([{ id: activity?.id }])
    alice.git('clean', '-q', '-f', '-d')
    await end()
    expect(await live()).toEqual([])
  })
})

describe('before an edit', () => {
  it('the model gets the collisions of the file, once a session', async () => {
    const { activity } = await otherWork(['src/auth/**'])
    const { output } = await runHook('PreToolUse', edit('src/auth/login.ts'))
    expect(Object.keys(output)).toEqual(['hookSpecificOutput'])
    expect(output.hookSpecificOutput.hookEventName).toBe('PreToolUse')
    const { recommended_action, messages } = await repository.check({
      branch: 'feat/login',
      scope: { paths: ['src/auth/login.ts'] },
    })
    expect(output.hookSpecificOutput.additionalContext).toContain(activity.id)
    expect(output.hookSpecificOutput.additionalContext).toContain(
      messages.find(({ kind }) => kind === 'collision')?.text,
    )
    // The model gets facts without advice.
    expect(output.hookSpecificOutput.additionalContext).not.toContain(recommended_action)
    expect((await runHook('PreToolUse', edit('src/auth/login.ts', { agent_id: 'a1' }))).output).toBeUndefined()
    expect((await runHook('PreToolUse', edit('src/auth/other.ts'))).output).toBeUndefined()
    const inOther = edit('src/auth/{new dir}/x.ts', { session_id: 's2' })
    expect((await runHook('PreToolUse', inOther)).output).toBeDefined()
  })

  it.each([
    ['a file that nobody else touches', () => edit('docs/a.md')],
    ['a file outside of the work tree', () => ({ tool_name: 'Write', tool_input: { file_path: '/etc/hosts' } })],
    ['a tool without a file', () => ({ tool_name: 'Bash', tool_input: { command: 'ls' } })],
  ])('nothing is printed for %s', async (_, event) => {
    await otherWork(['src/auth/**'])
    expect((await runHook('PreToolUse', event())).output).toBeUndefined()
  })
})

describe('a hook that fails', () => {
  type Environment = Record<string, string>
  type Printed = Awaited<ReturnType<typeof runHook>>
  const startSession = () => runHook('SessionStart', { source: 'startup' })
  const beforeEdit = (env: Environment, file = 'a.ts') => runHook('PreToolUse', edit(file), env)
  const endSession = (env: Environment) => runHook('SessionEnd', { reason: 'other' }, env)

  function expectLineAtEdit({ output }: Printed): void {
    expect(output).toEqual({ systemMessage: expect.stringMatching(/^Headsup could not check: .+$/) })
  }

  function expectLineAtEnd(printed: Printed): void {
    expect(printed).toEqual({ output: undefined, err: expect.stringContaining('could not check') })
  }

  it.each([
    ['the service is down', { HEADSUP_URL: 'http://127.0.0.1:9' }],
    ['the token has expired', { GITHUB_TOKEN: 'ghp_expired' }],
    ['there is no token', { GITHUB_TOKEN: '' }],
    ['the address is invalid', { HEADSUP_URL: 'frob' }],
  ])('prints one line and blocks nothing: %s', async (_, env: Environment) => {
    await startSession()
    expectLineAtEdit(await beforeEdit(env))
    expect((await beforeEdit(env, 'b.ts')).output).toBeUndefined()
    expectLineAtEnd(await endSession(env))
  })

  it('prints one line and blocks nothing: the service does not respond', async () => {
    const env = { HEADSUP_URL: silent.url }
    await startSession()
    const hasSaved = () => hasSavedFailure(alice, silent)
    expectLineAtEdit(await runUntilGivenUp((limit) => beforeEdit({ ...env, ...limit }), hasSaved))
    const tries = silent.requests()
    expect((await beforeEdit(env, 'b.ts')).output).toBeUndefined()
    expect(silent.requests()).toBe(tries)
    expectLineAtEnd(
      await runUntilGivenUp(
        (limit) => endSession({ ...env, ...limit }),
        ({ err }) => err !== '',
      ),
    )
  })

  it('tries again at the next edit where git was slow, and not the service', async () => {
    const { activity } = await otherWork(['src/**'])
    await startSession()
    const PATH = newDirectory()
    const slowGit = `case "$*" in *--git-path*) PATH='${process.env.PATH}' exec git "$@" ;; *) exec sleep 20 ;; esac`
    writeFileSync(join(PATH, 'git'), `#!/bin/sh\n${slowGit}\n`, { mode: 0o755 })
    const slow = { PATH: `${PATH}:${process.env.PATH}`, HEADSUP_HOOK_LIMIT_MS: '1000' }
    expectLineAtEdit(await beforeEdit(slow, 'src/a.ts'))
    const { output } = await beforeEdit({}, 'src/a.ts')
    expect(output.hookSpecificOutput.additionalContext).toContain(activity.id)
  })

  it('tries again after the next successful start of a session', async () => {
    await otherWork(['src/**'])
    await runHook('PreToolUse', edit('src/a.ts'), { HEADSUP_URL: 'http://127.0.0.1:9' })
    await runHook('SessionStart', { source: 'startup' })
    expect((await runHook('PreToolUse', edit('src/b.ts'))).output).toHaveProperty('hookSpecificOutput')
  })

  it.each(['{"hook_event_name":"Stop"}', '{"hook_event_name":"toString"}'])(
    'ignores an unknown event: %j',
    async (input) => {
      expect(await alice.headsup(['hook', 'claude'], { input })).toEqual({ code: 0, out: '', err: '' })
    },
  )

  it.each(['', 'no JSON', '[]', '{"hook_event_name":1}'])('reports input that is not an event: %j', async (input) => {
    const err = 'Headsup could not check: the input on stdin is not an event of Claude Code.\n'
    expect(await alice.headsup(['hook', 'claude'], { input })).toEqual({ code: 0, out: '', err })
  })

  it('exits by itself where stdin stays open', async () => {
    const ended = await alice.program(['hook', 'claude'], { input: null, env: { HEADSUP_HOOK_LIMIT_MS: 'frob' } })
    expect(ended).toEqual({ code: 0, out: '', err: expect.stringContaining('could not check') })
  })

  it('exits with 0 even for a usage error', async () => {
    expect(await alice.headsup(['hook', 'claude', '--frob'])).toMatchObject({ code: 0 })
  })
})

describe('the hooks of Claude Code', () => {
  const settings = () => join(alice.path, '.claude/settings.json')

  it('are added to existing settings once, and removed without a trace', async () => {
    const before =
      '{\n\t"model": "x",\n\t"hooks": {\n\t\t"PreToolUse": [\n\t\t\t{\n\t\t\t\t"matcher": "Bash",\n\t\t\t\t"hooks": []\n\t\t\t}\n\t\t]\n\t}\n}'
    alice.write('.claude/settings.json', before)
    expect(await alice.headsup(['hook', 'install', 'claude'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('installed.'),
    })
    const installed = readFileSync(settings(), 'utf8')
    const { model, hooks } = JSON.parse(installed)
    expect(model).toBe('x')
    expect(Object.keys(hooks).sort()).toEqual(['PostToolUse', 'PreToolUse', 'SessionEnd', 'SessionStart'])
    expect(hooks.PreToolUse[0]).toEqual({ matcher: 'Bash', hooks: [] })
    expect((await alice.headsup(['hook', 'install', 'claude'])).out).toContain('already')
    expect(readFileSync(settings(), 'utf8')).toBe(installed)
    await alice.headsup(['hook', 'uninstall', 'claude'])
    expect(readFileSync(settings(), 'utf8')).toBe(before)
  })

  it('run in a shell as installed', async () => {
    await alice.headsup(['hook', 'install', 'claude', '--local'])
    const { hooks } = JSON.parse(readFileSync(join(alice.path, '.claude/settings.local.json'), 'utf8'))
    const input = JSON.stringify({ ...session, cwd: alice.path, hook_event_name: 'SessionStart', source: 'startup' })
    const { code, out } = await alice.shell(hooks.SessionStart[0].hooks[0].command, input)
    expect(code).toBe(0)
    expect(JSON.parse(out)).toHaveProperty('hookSpecificOutput')
  })

  it('do not count as changed files, unless the same files have other changes', async () => {
    const changed = () => startedChanges(alice, repository)
    alice.write('.husky/_/h')
    alice.write('.husky/pre-push', 'npm test\n')
    alice.commit()
    alice.git('push', '-q', '.', 'HEAD:refs/remotes/origin/main')
    alice.git('config', 'core.hooksPath', '.husky/_')
    await alice.headsup(['hook', 'install'])
    await alice.headsup(['hook', 'install', 'claude', '--local'])
    expect(alice.git('status', '--short', '--untracked-files=all').trim().split('\n')).toHaveLength(4)
    expect(await changed()).toEqual([])
    alice.write('.husky/pre-push', `${readFileSync(join(alice.path, '.husky/pre-push'), 'utf8')}npm run lint\n`)
    alice.write(
      '.claude/settings.json',
      JSON.stringify({ ...JSON.parse(readFileSync(settings(), 'utf8')), model: 'x' }),
    )
    expect(await changed()).toEqual(['.claude/settings.json', '.husky/pre-push'])
    alice.commit()
    alice.git('push', '-q', '.', 'HEAD:refs/remotes/origin/main')
    await alice.headsup(['hook', 'uninstall'])
    expect(await changed()).toEqual([])
    alice.write('.claude/settings.json', '{ "model": "y" }')
    expect(await changed()).toEqual(['.claude/settings.json'])
  })

  it('are removed with the file and the directory where these are empty then', async () => {
    const shared = await alice.headsup(['hook', 'install', 'claude'])
    expect(shared.out).toContain('rather than commit it')
    const PATH = newDirectory()
    writeFileSync(join(PATH, 'headsup'), '')
    const env = { PATH: `${PATH}:${process.env.PATH}` }
    expect((await alice.headsup(['hook', 'install', 'claude'], { env })).out).toContain('Commit it, ')
    await alice.headsup(['hook', 'install', 'claude', '--local'])
    await alice.headsup(['hook', 'uninstall', 'claude'])
    expect(readdirSync(join(alice.path, '.claude'))).toEqual(['settings.local.json'])
    await alice.headsup(['hook', 'uninstall', 'claude', '--local'])
    expect(existsSync(join(alice.path, '.claude'))).toBe(false)
  })

  it('do not change settings that are not valid JSON', async () => {
    alice.write('.claude/settings.json', '{ // mine\n}')
    const both = await alice.headsup(['hook', 'install'])
    expect(both).toMatchObject({ code: 4, err: expect.stringContaining('left as it is') })
    // The hooks that were installed before the failure are reported.
    expect(both.out).toContain('pre-push: installed.')
    expect(readFileSync(settings(), 'utf8')).toBe('{ // mine\n}')
  })
})
