import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Clone, newDirectory, removeDirectories, sharedRepository } from '../support/command-line.ts'
import { goBetween } from '../support/go-between.ts'
import { startTestService, type TestRepository, type TestService } from '../support/service.ts'

let service: TestService
let silent: Server
let repository: TestRepository
let alice: Clone

beforeAll(async () => {
  service = await startTestService()
  // Takes connections, and never answers.
  silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  silent.closeAllConnections()
  silent.close()
  removeDirectories()
  await service.stop()
})
beforeEach(() => {
  repository = service.newRepository()
  const shared = sharedRepository(repository.owner, repository.name)
  alice = shared.clone('Alice', { HEADSUP_URL: service.url, GITHUB_TOKEN: repository.writer, ...patience })
  alice.git('checkout', '-q', '-b', 'feat/login')
})

// So that no hook gives up on a machine that is overloaded, and that those that have to do so soon.
const patience = { HEADSUP_HOOK_LIMIT_MS: '25000' }
const impatience = { HEADSUP_HOOK_LIMIT_MS: '2500' }

const session = { session_id: 's1', transcript_path: '/tmp/t.jsonl', permission_mode: 'default' }

/** Feeds the hook an event; whatever it is, the status is 0 and what is printed is nothing or one JSON. */
async function feed(name: string, more: object = {}, env: Record<string, string> = {}) {
  const event = { ...session, cwd: alice.path, hook_event_name: name, ...more }
  const { code, out, err } = await alice.headsup(['hook', 'claude'], { input: JSON.stringify(event), env })
  expect(code).toBe(0)
  expect(out).not.toContain('permissionDecision')
  return { said: out === '' ? undefined : JSON.parse(out), err }
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

async function elsewhere(paths: string[]) {
  return repository.created('/activity', {
    title: 'Other',
    summary: 'Other.',
    actor: 'Bob',
    branch: 'other',
    scope: { paths },
  })
}

/** The service at another address, where requests with this method wait until they are let go. */
async function holding(method: string) {
  let letGo = () => {}
  const free = new Promise<void>((resolve) => (letGo = resolve))
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  const url = await goBetween(service, method, async () => {
    arrive()
    await free
    return undefined
  })
  return { url, arrived, letGo }
}

describe('a session of Claude Code', () => {
  it('is work from its start to its end, with what it touches', async () => {
    const notable = await repository.raised({ title: 'Sessions move' })
    const { said } = await feed('SessionStart', { source: 'startup' })
    expect(said.hookSpecificOutput).toMatchObject({ hookEventName: 'SessionStart' })
    expect(said.hookSpecificOutput.additionalContext).toContain(notable.id)
    const [activity] = await live()
    expect(activity).toMatchObject({ agent: 'claude-code', actor: 'Alice', branch: 'feat/login', base_branch: 'main' })
    alice.write('src/new.ts')
    await feed('PostToolUse', edit('src/new.ts', { tool_response: {} }))
    expect(await live()).toMatchObject([
      { id: activity?.id, scope: { paths: ['src/new.ts'] }, heartbeat_at: expect.any(String) },
    ])
    alice.git('clean', '-q', '-f', '-d')
    await feed('SessionEnd', { reason: 'prompt_input_exit' })
    expect(await live()).toEqual([])
  })

  it('goes on through /clear, compaction and a second session beside it', async () => {
    await feed('SessionStart', { source: 'startup' })
    const [activity] = await live()
    await feed('SessionStart', { source: 'compact' })
    await feed('SessionEnd', { reason: 'clear' })
    await feed('SessionStart', { source: 'clear', session_id: 's2' })
    await feed('SessionStart', { source: 'startup', session_id: 's3' })
    await feed('SessionEnd', { reason: 'other', session_id: 's3' })
    expect(await live()).toMatchObject([{ id: activity?.id }])
    await feed('SessionEnd', { reason: 'other', session_id: 's2' })
    expect(await live()).toEqual([])
  })

  it('that starts while another one does ends nothing of it', async () => {
    await feed('SessionStart', { source: 'startup' })
    const held = await holding('PATCH')
    const slow = feed('SessionStart', { source: 'startup', session_id: 's2' }, { HEADSUP_URL: held.url })
    await held.arrived
    await feed('SessionStart', { source: 'startup', session_id: 's3' })
    held.letGo()
    await slow
    await feed('SessionEnd', { reason: 'other' })
    await feed('SessionEnd', { reason: 'other', session_id: 's2' })
    expect(await live()).toHaveLength(1)
    await feed('SessionEnd', { reason: 'other', session_id: 's3' })
    expect(await live()).toEqual([])
  })

  it('that begins the work while another one does is at it as well', async () => {
    const held = await holding('POST')
    const slow = feed('SessionStart', { source: 'startup' }, { HEADSUP_URL: held.url })
    await held.arrived
    await feed('SessionStart', { source: 'startup', session_id: 's2' })
    held.letGo()
    const { said } = await slow
    const [id] = /act_\w+/.exec(said.hookSpecificOutput.additionalContext.split('recorded as')[1]) ?? []
    const isLive = async () => (await live()).some((activity) => activity.id === id)
    await feed('SessionEnd', { reason: 'other' })
    expect(await isLive()).toBe(true)
    await feed('SessionEnd', { reason: 'other', session_id: 's2' })
    expect(await isLive()).toBe(false)
  })

  it('that ends while another one starts is not at the work any more', async () => {
    await feed('SessionStart', { source: 'startup' })
    const held = await holding('PATCH')
    const slow = feed('SessionStart', { source: 'startup', session_id: 's2' }, { HEADSUP_URL: held.url })
    await held.arrived
    await feed('SessionEnd', { reason: 'clear' })
    held.letGo()
    await slow
    await feed('SessionEnd', { reason: 'other', session_id: 's2' })
    expect(await live()).toEqual([])
  })

  it.each([
    ['that was left behind', (lock: string) => utimesSync(lock, 0, 0)],
    ['that another one holds', () => {}],
  ])('is not kept from its work by a lock %s', async (_, prepare) => {
    const directory = join(alice.path, alice.git('rev-parse', '--git-path', 'headsup').trim())
    mkdirSync(directory)
    writeFileSync(join(directory, 'work.json.lock'), '')
    prepare(join(directory, 'work.json.lock'))
    const { said } = await feed('SessionStart', { source: 'startup' })
    expect(said.hookSpecificOutput.additionalContext).toContain('recorded as')
    await feed('SessionEnd', { reason: 'other' })
    expect(await live()).toEqual([])
  })

  it('leaves work that a person began, or a pull request carries on, to them', async () => {
    await alice.headsup(['start', '--title', 'Mine'])
    await feed('SessionStart', { source: 'startup' })
    await feed('SessionEnd', { reason: 'other' })
    expect(await live()).toMatchObject([{ title: 'Mine' }])
    alice.git('checkout', '-q', '-b', 'feat/b')
    await feed('SessionStart', { source: 'startup' })
    await alice.headsup(['update', '--pr-url', `https://github.com/${repository.owner}/${repository.name}/pull/1`])
    await feed('SessionEnd', { reason: 'other' })
    expect(await live()).toHaveLength(2)
  })

  it('records a branch that is made in its midst, and nothing that was finished by hand', async () => {
    await feed('SessionStart', { source: 'startup' })
    await alice.headsup(['done'])
    await feed('PostToolUse', edit('a.ts'))
    expect(await live()).toEqual([])
    alice.git('checkout', '-q', '-b', 'feat/b')
    const { said } = await feed('SessionStart', { source: 'resume' })
    expect(said.hookSpecificOutput.additionalContext).toContain('recorded as')
    expect(await live()).toMatchObject([{ branch: 'feat/b' }])
  })

  it('of somebody who may only read is told of collisions, and records nothing', async () => {
    await elsewhere(['src/**'])
    alice.write('src/a.ts')
    const { said } = await feed('SessionStart', { source: 'startup' }, { GITHUB_TOKEN: repository.reader })
    expect(said.hookSpecificOutput.additionalContext).toContain('“Other”')
    expect(await live()).toHaveLength(1)
  })

  it('is not begun or ended by a subagent', async () => {
    await feed('SessionStart', { source: 'startup', agent_id: 'a1', agent_type: 'Explore' })
    expect(await live()).toEqual([])
    await feed('SessionStart', { source: 'startup' })
    await feed('SessionEnd', { reason: 'other', agent_id: 'a1' })
    expect(await live()).toHaveLength(1)
  })
})

describe('the end of a session', () => {
  const start = () => feed('SessionStart', { source: 'startup' })
  const end = () => feed('SessionEnd', { reason: 'other' })
  const pushTo = (branch: string) => alice.git('push', '-q', '.', `HEAD:refs/remotes/origin/${branch}`)
  const commit = (file = 'src/new.ts') => {
    alice.write(file)
    alice.commit()
  }

  it.each<[string, () => unknown]>([
    ['has nothing of its own', () => {}],
    [
      'is behind its base',
      () => {
        alice.git('checkout', '-q', 'main')
        commit()
        pushTo('main')
        alice.git('checkout', '-q', 'feat/login')
      },
    ],
    ['differs by our own hooks alone', () => alice.headsup(['hook', 'install', 'claude', '--local'])],
    ['is not checked out any more, and has no commit', () => alice.git('checkout', '-q', '--detach')],
  ])('archives work whose branch %s', async (_, work) => {
    await start()
    await work()
    await end()
    expect(await live()).toEqual([])
  })

  it('archives work on a detached head that stands at its base', async () => {
    alice.git('checkout', '-q', '--detach')
    await start()
    await end()
    expect(await live()).toEqual([])
  })

  it.each<[string, () => unknown]>([
    ['an untracked file', () => alice.write('src/new.ts')],
    ['a changed file', () => alice.write('README.md', 'Changed.\n')],
    ['a file that was removed', () => alice.git('rm', '-q', 'README.md')],
    ['a commit', () => commit()],
    [
      'a commit that is pushed',
      () => {
        commit()
        pushTo('feat/login')
      },
    ],
    [
      'a commit that is taken back by another one',
      () => {
        commit()
        alice.git('revert', '--no-edit', 'HEAD')
      },
    ],
    [
      'a commit that is merged here, and not pushed',
      () => {
        commit()
        alice.git('branch', '-f', 'main')
      },
    ],
    [
      'a commit that is pushed under another name',
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
  ])('leaves work that has %s', async (_, work) => {
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
  ])('leaves work where %s', async (_, work) => {
    await start()
    await work()
    await end()
    expect(await live()).toHaveLength(1)
  })

  it.each<[string, () => unknown]>([
    ['has a commit', () => commit()],
    ['has an untracked file', () => alice.write('new.ts')],
    ['is not where it was', () => alice.git('checkout', '-q', 'feat/login')],
  ])('leaves work on a detached head that %s', async (_, work) => {
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
  ])('leaves work on the default branch that %s', async (_, push) => {
    alice.git('checkout', '-q', 'main')
    await start()
    commit()
    push()
    await end()
    expect(await live()).toHaveLength(1)
  })

  it('tells the last changes of work that it leaves', async () => {
    await start()
    await feed('PostToolUse', edit('src/new.ts'))
    alice.write('src/new.ts')
    await end()
    const check = await repository.check({ branch: 'other', scope: { paths: ['src/new.ts'] } })
    expect(check).toMatchObject({ overlap_detected: true, related_activity_ids: [(await live())[0]?.id] })
  })

  it('leaves the branch that was worked on, and archives the one that was left without a change', async () => {
    await start()
    alice.git('checkout', '-q', '-b', 'feat/other')
    commit()
    await feed('PostToolUse', edit('src/new.ts'))
    expect(await live()).toHaveLength(2)
    await end()
    expect(await live()).toMatchObject([{ branch: 'feat/other' }])
  })

  it('leaves work to a later session, which archives it once nothing is left of it', async () => {
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
  it('it is said whom the file collides with, once per path and minute', async () => {
    const { activity } = await elsewhere(['src/auth/**'])
    const { said } = await feed('PreToolUse', edit('src/auth/login.ts'))
    expect(Object.keys(said)).toEqual(['hookSpecificOutput'])
    expect(said.hookSpecificOutput.hookEventName).toBe('PreToolUse')
    const { recommended_action, reason } = await repository.check({
      branch: 'feat/login',
      scope: { paths: ['src/auth/login.ts'] },
    })
    expect(said.hookSpecificOutput.additionalContext).toContain(activity.id)
    expect(said.hookSpecificOutput.additionalContext).toContain(reason)
    // Facts and no orders.
    expect(said.hookSpecificOutput.additionalContext).not.toContain(recommended_action)
    expect((await feed('PreToolUse', edit('src/auth/login.ts', { agent_id: 'a1' }))).said).toBeUndefined()
    expect((await feed('PreToolUse', edit('src/auth/{new dir}/x.ts'))).said).toBeDefined()
  })

  it.each([
    ['a file that nobody else touches', () => edit('docs/a.md')],
    ['a file outside of the work tree', () => ({ tool_name: 'Write', tool_input: { file_path: '/etc/hosts' } })],
    ['a tool without a file', () => ({ tool_name: 'Bash', tool_input: { command: 'ls' } })],
  ])('nothing is said of %s', async (_, event) => {
    await elsewhere(['src/auth/**'])
    expect((await feed('PreToolUse', event())).said).toBeUndefined()
  })
})

describe('a hook that can not ask', () => {
  it.each([
    ['the service is down', () => ({ HEADSUP_URL: 'http://127.0.0.1:9' })],
    [
      'the service does not answer',
      () => ({ ...impatience, HEADSUP_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` }),
    ],
    ['the token has expired', () => ({ GITHUB_TOKEN: 'ghp_expired' })],
    ['there is no token', () => ({ GITHUB_TOKEN: '' })],
    ['the address is none', () => ({ HEADSUP_URL: 'frob' })],
  ])('says so in a line and lets everything go on: %s', async (_, env) => {
    await feed('SessionStart', { source: 'startup' })
    const { said } = await feed('PreToolUse', edit('a.ts'), env())
    expect(said).toEqual({ systemMessage: expect.stringMatching(/^Headsup could not check: .+$/) })
    expect((await feed('PreToolUse', edit('b.ts'), env())).said).toBeUndefined()
    expect(await feed('SessionEnd', { reason: 'other' }, env())).toEqual({
      said: undefined,
      err: expect.stringContaining('could not check'),
    })
  })

  it('asks again once a session that starts was answered', async () => {
    await elsewhere(['src/**'])
    await feed('PreToolUse', edit('src/a.ts'), { HEADSUP_URL: 'http://127.0.0.1:9' })
    await feed('SessionStart', { source: 'startup' })
    expect((await feed('PreToolUse', edit('src/b.ts'))).said).toHaveProperty('hookSpecificOutput')
  })

  it.each(['{"hook_event_name":"Stop"}', '{"hook_event_name":"toString"}'])(
    'does nothing with an event that it does not know: %j',
    async (input) => {
      expect(await alice.headsup(['hook', 'claude'], { input })).toEqual({ code: 0, out: '', err: '' })
    },
  )

  it.each(['', 'no JSON', '[]', '{"hook_event_name":1}'])(
    'says of what is no event that it is none: %j',
    async (input) => {
      const err = 'Headsup could not check: the input on stdin is not an event of Claude Code.\n'
      expect(await alice.headsup(['hook', 'claude'], { input })).toEqual({ code: 0, out: '', err })
    },
  )

  it('ends by itself where nobody closes its stdin', async () => {
    const { code, out } = await alice.headsup(['hook', 'claude'], {
      input: null,
      env: { HEADSUP_HOOK_LIMIT_MS: 'frob' },
    })
    expect({ code, said: JSON.parse(out) }).toEqual({
      code: 0,
      said: { systemMessage: expect.stringContaining('could not check') },
    })
  })

  it('never ends with the status that would block', async () => {
    expect(await alice.headsup(['hook', 'claude', '--frob'])).toMatchObject({ code: 0 })
  })
})

describe('the hooks of Claude Code', () => {
  const settings = () => join(alice.path, '.claude/settings.json')

  it('are added to what is there, once, and taken away without a trace', async () => {
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

  it('run as a shell runs what was installed', async () => {
    await alice.headsup(['hook', 'install', 'claude', '--local'])
    const { hooks } = JSON.parse(readFileSync(join(alice.path, '.claude/settings.local.json'), 'utf8'))
    const input = JSON.stringify({ ...session, cwd: alice.path, hook_event_name: 'SessionStart', source: 'startup' })
    const { code, out } = await alice.shell(hooks.SessionStart[0].hooks[0].command, input)
    expect(code).toBe(0)
    expect(JSON.parse(out)).toHaveProperty('hookSpecificOutput')
  })

  it('are no work on the branch while they are not committed, and what is beside them is', async () => {
    const scope = async () => JSON.parse((await alice.headsup(['start', '--json'])).out).activity.scope.paths
    alice.write('.husky/_/h')
    alice.write('.husky/pre-push', 'npm test\n')
    alice.commit()
    alice.git('push', '-q', '.', 'HEAD:refs/remotes/origin/main')
    alice.git('config', 'core.hooksPath', '.husky/_')
    await alice.headsup(['hook', 'install'])
    await alice.headsup(['hook', 'install', 'claude', '--local'])
    expect(alice.git('status', '--short', '--untracked-files=all').trim().split('\n')).toHaveLength(4)
    expect(await scope()).toEqual([])
    alice.write('.husky/pre-push', `${readFileSync(join(alice.path, '.husky/pre-push'), 'utf8')}npm run lint\n`)
    alice.write(
      '.claude/settings.json',
      JSON.stringify({ ...JSON.parse(readFileSync(settings(), 'utf8')), model: 'x' }),
    )
    expect(await scope()).toEqual(['.claude/settings.json', '.husky/pre-push'])
    alice.commit()
    alice.git('push', '-q', '.', 'HEAD:refs/remotes/origin/main')
    await alice.headsup(['hook', 'uninstall'])
    expect(await scope()).toEqual([])
    alice.write('.claude/settings.json', '{ "model": "y" }')
    expect(await scope()).toEqual(['.claude/settings.json'])
  })

  it('go with the file and the directory that held nothing else', async () => {
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

  it('leave settings that can not be read as they are', async () => {
    alice.write('.claude/settings.json', '{ // mine\n}')
    const both = await alice.headsup(['hook', 'install'])
    expect(both).toMatchObject({ code: 4, err: expect.stringContaining('left as it is') })
    // What was done before is said all the same.
    expect(both.out).toContain('pre-push: installed.')
    expect(readFileSync(settings(), 'utf8')).toBe('{ // mine\n}')
  })
})
