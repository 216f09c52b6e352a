import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Clone, removeDirectories, sharedRepository } from '../support/command-line.ts'
import { startTestService, type TestRepository, type TestService } from '../support/service.ts'
import { startProxy } from '../support/service-proxy.ts'

let service: TestService
let repository: TestRepository
let alice: Clone
let bob: Clone

beforeAll(async () => {
  service = await startTestService()
})
afterAll(async () => {
  removeDirectories()
  await service.stop()
})
beforeEach(() => {
  repository = service.newRepository()
  const shared = sharedRepository(repository.owner, repository.name)
  const clone = (actor: string) => {
    const env = { HEADSUP_URL: service.url, GITHUB_TOKEN: repository.writer, HEADSUP_HOOK_LIMIT_MS: '25000' }
    const tree = shared.clone(actor, env)
    tree.git('checkout', '-q', '-b', `feat/${actor.toLowerCase()}`)
    return tree
  }
  alice = clone('Alice')
  bob = clone('Bob')
})

const fixtures = new URL('../fixtures/agents/', import.meta.url)

interface Session {
  clone: Clone
  /** The word in the command line. */
  hook: string
  /** Where the model reads, in the output. */
  context(output: unknown): string
}

const claude = (clone: Clone): Session => ({ clone, hook: 'claude', context: contextOfClaude })
const codex = (clone: Clone): Session => ({ clone, hook: 'codex', context: contextOfClaude })
const cursor = (clone: Clone): Session => ({ clone, hook: 'claude', context: contextOfCursor })

function contextOfClaude(output: unknown): string {
  expect(output).toEqual({
    hookSpecificOutput: { hookEventName: expect.any(String), additionalContext: expect.any(String) },
  })
  return (output as { hookSpecificOutput: { additionalContext: string } }).hookSpecificOutput.additionalContext
}

function contextOfCursor(output: unknown): string {
  expect(output).toEqual({ additional_context: expect.any(String) })
  return (output as { additional_context: string }).additional_context
}

function contextOfCopilot(output: unknown): string {
  expect(output).toEqual({ additionalContext: expect.any(String) })
  return (output as { additionalContext: string }).additionalContext
}

function contextOfOpencode(output: unknown): string {
  expect(output).toEqual({ context: expect.any(String) })
  return (output as { context: string }).context
}

/** Runs the hook with a fixture, in the work tree of the session. Returns what the model reads. */
async function run(session: Session, fixture: string, more: object = {}, env = {}): Promise<string> {
  const text = readFileSync(new URL(`${fixture}.json`, fixtures), 'utf8').replaceAll(
    '/home/alice/shop',
    session.clone.path,
  )
  const input = JSON.stringify({ ...JSON.parse(text), ...more })
  const { code, out, err } = await session.clone.headsup(['hook', session.hook], { input, env })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).not.toMatch(/permission|decision/i)
  return out === '' ? '' : session.context(JSON.parse(out))
}

const patch = (...lines: string[]) => ({
  tool_input: { command: ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n') },
})

async function otherWork(paths: string[]) {
  const fields = { title: 'Other', summary: 'Other.', actor: 'Carol', branch: 'other' }
  return repository.created('/activity', { ...fields, scope: { paths } })
}

async function agents() {
  return (await repository.page('/activity')).items.map(({ agent }) => agent).sort()
}

describe('two sessions that begin on a file together', () => {
  it('of Codex and Claude Code are both told: one before its edit, the other at its next hook', async () => {
    const [first, second] = [codex(alice), claude(bob)]
    await run(first, 'codex/session-start')
    await run(second, 'claude/session-start')
    expect(await agents()).toEqual(['claude-code', 'codex'])
    const edit = patch('*** Add File: src/new.ts', '+x', '*** Update File: src/auth/login.ts')
    expect(await run(first, 'codex/before-edit', edit)).toBe('')
    const file = { tool_input: { file_path: join(bob.path, 'src/new.ts'), content: 'y\n' } }
    expect(await run(second, 'claude/before-edit', file)).toContain('“Alice” (with “codex”)')
    alice.write('src/new.ts')
    expect(await run(first, 'codex/after-tool', edit)).toContain('“Bob” (with “claude-code”)')
    // Each is told once.
    expect(await run(first, 'codex/before-edit', patch('*** Update File: docs/a.md'))).toBe('')
    expect(await run(second, 'claude/before-edit', { tool_input: { file_path: join(bob.path, 'docs/b.md') } })).toBe('')
  })

  it('of Claude Code and Cursor are both told, though the one listens before an edit and the other after it', async () => {
    const [first, second] = [claude(alice), cursor(bob)]
    await run(first, 'claude/session-start')
    await run(second, 'cursor/session-start')
    expect(await agents()).toEqual(['claude-code', 'cursor'])
    expect(await run(first, 'claude/before-edit')).toBe('')
    alice.write('src/a.ts')
    expect(await run(second, 'cursor/before-edit')).toBe('')
    bob.write('src/a.ts')
    expect(await run(second, 'cursor/after-tool')).toContain('“Alice” (with “claude-code”)')
    // Claude Code does not wait for the hook after an edit: its model is told by the next one before an edit.
    expect(await run(first, 'claude/after-tool')).toBe('')
    const other = { tool_input: { file_path: join(alice.path, 'docs/a.md') } }
    expect(await run(first, 'claude/before-edit', other)).toContain('“Bob” (with “cursor”)')
  })
})

describe('two sessions that edit a file at the same time', () => {
  it.each([1, 2, 3])('are told: at least one before its edit, and both after it (round %i)', async () => {
    const sessions = [codex(alice), codex(bob)] as const
    for (const session of sessions) await run(session, 'codex/session-start')
    const both = (fixture: string) =>
      Promise.all(sessions.map((session) => run(session, fixture, patch('*** Add File: src/new.ts', '+x'))))
    const before = await both('codex/before-edit')
    expect(before.join('')).toContain('“src/new.ts”')
    for (const session of sessions) session.clone.write('src/new.ts')
    const after = await both('codex/after-tool')
    for (const index of [0, 1]) expect(`${before[index]}${after[index]}`).toContain('“src/new.ts”')
  })
})

describe('the hook before an edit', () => {
  const base = Array.from({ length: 30 }, (_, n) => `line ${n + 1}\n`).join('')

  /** Adds a file of 30 lines to the base branch, and puts ten lines before it in the work tree. */
  function prepare({ write, commit, git }: Clone): void {
    write('src/a.ts', base)
    commit()
    git('update-ref', 'refs/remotes/origin/main', 'HEAD')
    write('src/a.ts', `${'own\n'.repeat(10)}${base}`)
  }

  const changes = (lines: number[][]) => ({ files: [{ path: 'src/a.ts', status: 'modified', lines }] })
  const editOf = (old_string: string, new_string = '') => ({
    tool_input: { file_path: join(alice.path, 'src/a.ts'), old_string, new_string },
  })
  /** Expects what Alice's work is recorded to change. */
  const expectRecorded = async (lines: number[][]) => {
    const [{ id = '' } = {}] = (await repository.page('/activity?actor=Alice')).items
    expect((await repository.get(`/activity/${id}`)).body).toMatchObject({ changes: changes(lines) })
  }

  it('records the lines of the edit on the side of the merge base, in one request, and is told of these lines alone', async () => {
    prepare(alice)
    const fields = {
      title: 'Other',
      summary: 'Other.',
      actor: 'Carol',
      branch: 'other',
      scope: { paths: ['src/a.ts'] },
    }
    const { activity } = await repository.created('/activity', { ...fields, changes: changes([[20, 22]]) })
    await run(claude(alice), 'claude/session-start')
    const requests: string[] = []
    const url = await startProxy(service, undefined, async ({ method, url: path }) => {
      if (method !== 'GET') requests.push(`${method} ${path?.replace(/act_\w+/, 'ID').replace(/.*\/activity/, '')}`)
      return undefined
    })
    const edit = (...texts: [string, string?]) =>
      run(claude(alice), 'claude/before-edit', editOf(...texts), { HEADSUP_URL: url })
    expect(await edit('line 5\nline 6\n')).toBe('')
    await expectRecorded([
      [0, 1],
      [5, 6],
    ])
    // Without any change, the same lines are neither recorded nor checked again within a minute.
    expect(await edit('line 5\nline 6\n')).toBe('')
    expect(requests).toEqual(['PATCH /ID?overlap=true'])
    const told = await edit('line 21\n', 'x\n')
    expect(told).toContain(activity.id)
    expect(told).toContain('high severity')
    await expectRecorded([
      [0, 1],
      [21, 21],
    ])
    expect(requests).toEqual(['PATCH /ID?overlap=true', 'PATCH /ID?overlap=true'])
    // The edit was not made, so the record forgets it, and a second try is recorded again.
    await run(claude(alice), 'claude/after-tool')
    await expectRecorded([[0, 1]])
    expect(await edit('line 21\n', 'x\n')).toBe('')
    await expectRecorded([
      [0, 1],
      [21, 21],
    ])
  })

  it('names every collision of its file, also where the record has many others', async () => {
    prepare(alice)
    const others = ['b', 'c', 'd', 'e', 'f', 'g'].map((name) => `src/${name}.ts`)
    for (const path of others) {
      await otherWork([path])
      alice.write(path)
    }
    await run(claude(alice), 'claude/session-start')
    const { activity } = await repository.created('/activity', {
      ...{ title: 'Quiet', summary: 'x', actor: 'Carol', branch: 'quiet', scope: { paths: ['src/a.*'] } },
    })
    expect(await run(claude(alice), 'claude/before-edit', editOf('line 5\n'))).toContain(activity.id)
  })

  it('neither records nor checks a file that git ignores', async () => {
    await otherWork(['dist/**'])
    alice.write('.git/info/exclude', 'dist\n')
    await run(claude(alice), 'claude/session-start')
    const file = { tool_input: { file_path: join(alice.path, 'dist/a.js'), content: 'x' } }
    expect(await run(claude(alice), 'claude/before-edit', file)).toBe('')
    expect((await repository.page('/activity?actor=Alice')).items).toMatchObject([{ scope: { paths: [] } }])
  })

  it('of two sessions that edit distant lines of a file tells neither, and of close lines both', async () => {
    for (const clone of [alice, bob]) {
      prepare(clone)
      clone.write('src/a.ts', base)
    }
    const [first, second] = [codex(alice), codex(bob)]
    for (const session of [first, second]) await run(session, 'codex/session-start')
    const at = (line: number) =>
      patch('*** Update File: src/a.ts', '@@', ` line ${line}`, `-line ${line + 1}`, '+x', ` line ${line + 2}`)
    expect(await run(first, 'codex/before-edit', at(3))).toBe('')
    expect(await run(second, 'codex/before-edit', at(20))).toBe('')
    expect(await run(first, 'codex/after-tool', at(3))).toBe('')
    const both = await Promise.all([run(first, 'codex/before-edit', at(11)), run(second, 'codex/before-edit', at(11))])
    expect(both.join('')).toContain('“src/a.ts”')
    for (const clone of [alice, bob]) clone.write('src/a.ts', base.replace('line 12\n', 'x\n'))
    const later = [await run(first, 'codex/after-tool', at(11)), await run(second, 'codex/after-tool', at(11))]
    for (const index of [0, 1]) expect(`${both[index]}${later[index]}`).toContain('“src/a.ts”')
  })
})

describe('two sessions on stacked branches', () => {
  it('do not collide, whoever edits first', async () => {
    const [first, second] = [codex(alice), claude(bob)]
    bob.git('branch', 'feat/alice')
    bob.git('config', 'branch.feat/bob.gh-merge-base', 'feat/alice')
    await run(first, 'codex/session-start')
    await run(second, 'claude/session-start')
    const edit = patch('*** Add File: src/a.ts', '+x')
    expect(await run(first, 'codex/before-edit', edit)).toBe('')
    expect(await run(second, 'claude/before-edit')).toBe('')
    alice.write('src/a.ts')
    expect(await run(first, 'codex/after-tool', edit)).toBe('')
  })
})

describe('Codex', () => {
  it('is told of each file in a patch before it is applied', async () => {
    const { activity } = await otherWork(['src/b.ts'])
    await run(codex(alice), 'codex/session-start')
    expect(await run(codex(alice), 'codex/before-edit', patch('*** Update File: src/a.ts'))).toBe('')
    const moved = patch('*** Update File: src/c.ts', '*** Move to: src/b.ts')
    expect(await run(codex(alice), 'codex/before-edit', moved)).toContain(activity.id)
  })

  it('names files from its own directory', async () => {
    const { activity } = await otherWork(['src/b.ts'])
    const moved = { ...patch('*** Update File: b.ts'), cwd: join(alice.path, 'src') }
    expect(await run(codex(alice), 'codex/before-edit', moved)).toContain(activity.id)
  })
})

describe('Cursor', () => {
  it('is told after an edit what was found before it, without the service', async () => {
    const { activity } = await otherWork(['src/a.ts'])
    const session = cursor(alice)
    expect(await run(session, 'cursor/session-start')).toContain('recorded as')
    expect(await run(session, 'cursor/before-edit')).toBe('')
    const away = { HEADSUP_URL: 'http://127.0.0.1:9' }
    const { code, out } = await alice.headsup(['hook', 'claude'], {
      env: away,
      input: readFileSync(new URL('cursor/after-tool.json', fixtures), 'utf8').replaceAll(
        '/home/alice/shop',
        alice.path,
      ),
    })
    expect(code).toBe(0)
    expect(contextOfCursor(JSON.parse(out))).toContain(activity.id)
    expect(await run(session, 'cursor/after-tool')).toBe('')
  })

  it('is not told again of the same branch under a new record', async () => {
    const { activity } = await otherWork(['src/**'])
    const session = cursor(alice)
    const edit = (file: string) => ({ tool_input: { file_path: join(alice.path, file) } })
    await run(session, 'cursor/before-edit', edit('src/a.ts'))
    expect(await run(session, 'cursor/after-tool', edit('src/a.ts'))).toContain(activity.id)
    await repository.post(`/activity/${activity.id}/archive`)
    await otherWork(['src/**'])
    await run(session, 'cursor/before-edit', edit('src/b.ts'))
    expect(await run(session, 'cursor/after-tool', edit('src/b.ts'))).toBe('')
  })

  it('is told again when a collision gets worse', async () => {
    const { activity } = await otherWork(['src/**'])
    const session = cursor(alice)
    await run(session, 'cursor/session-start')
    const edit = (file: string) => ({ tool_input: { file_path: join(alice.path, file) } })
    await run(session, 'cursor/before-edit', edit('src/a.ts'))
    expect(await run(session, 'cursor/after-tool', edit('src/a.ts'))).toContain(`${activity.id}`)
    await run(session, 'cursor/before-edit', edit('src/b.ts'))
    expect(await run(session, 'cursor/after-tool', edit('src/b.ts'))).toBe('')
    await repository.patch(`/activity/${activity.id}`, { scope: { paths: ['src/c.ts'] } })
    await run(session, 'cursor/before-edit', edit('src/c.ts'))
    expect(await run(session, 'cursor/after-tool', edit('src/c.ts'))).toContain('high severity')
  })
})

describe('a collision that is found before an edit', () => {
  it.each<[string, string, string, 'before' | 'after', Session['context']]>([
    ['claude', 'claude', 'claude-code', 'before', contextOfClaude],
    ['gemini', 'gemini', 'gemini-cli', 'after', contextOfClaude],
    ['copilot', 'copilot', 'copilot-cli', 'after', contextOfCopilot],
    ['copilot', 'claude', 'copilot-cli', 'after', contextOfCopilot],
    ['opencode', 'opencode', 'opencode', 'after', contextOfOpencode],
    ['vscode', 'claude', 'vscode', 'before', contextOfClaude],
  ])('is told to %s, through the hook of %s, recorded as %s: %s the edit', async (host, hook, agent, when, context) => {
    const session: Session = { clone: alice, hook, context }
    await run(session, `${host}/session-start`)
    expect(await agents()).toEqual([agent])
    const { activity } = await otherWork(['src/a.ts'])
    const told = { before: await run(session, `${host}/before-edit`), after: await run(session, `${host}/after-tool`) }
    expect(told[when]).toContain(activity.id)
    expect(told[when === 'before' ? 'after' : 'before']).toBe('')
  })
})

describe('the plugin of opencode', () => {
  type Hook = (input: object, output?: object) => Promise<void>

  /** Installs the plugin and loads it as opencode does: each exported function is called once. */
  async function loadPlugin(): Promise<Record<string, Hook>> {
    alice.git('config', 'user.name', 'Alice')
    await alice.headsup(['hook', 'install', 'opencode'])
    const exported: Record<string, (input: object) => Promise<Record<string, Hook>>> = await import(
      join(alice.path, '.opencode/plugins/headsup.js')
    )
    const [plugin, ...others] = Object.values(exported)
    if (!plugin || others.length > 0) throw new Error('The plugin does not export one function.')
    // On some runtimes opencode has no shell to pass.
    return plugin({ directory: alice.path, worktree: alice.path, $: undefined })
  }

  beforeEach(() => {
    vi.stubEnv('HEADSUP_URL', service.url)
    vi.stubEnv('GITHUB_TOKEN', repository.writer)
    vi.stubEnv('HEADSUP_HOOK_LIMIT_MS', '25000')
  })
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  const session = { properties: { info: { id: 's1' } } }
  const tool = { tool: 'edit', sessionID: 's1', callID: 'c1' }

  /** Calls the hooks around a tool. Returns its output as the model reads it. */
  async function useTool(hooks: Record<string, Hook>, filePath: string): Promise<string> {
    const args = { filePath, oldString: 'a', newString: 'b' }
    await hooks['tool.execute.before']?.(tool, { args })
    const output = { title: filePath, output: 'Edit applied successfully.', metadata: {} }
    await hooks['tool.execute.after']?.({ ...tool, args }, output)
    return output.output
  }

  it('records the work of a session, adds collisions to the output of a tool, and ends with the session', async () => {
    const hooks = await loadPlugin()
    await hooks.event?.({ event: { type: 'session.created', ...session } })
    expect(await agents()).toEqual(['opencode'])
    const { activity } = await otherWork(['src/a.ts'])
    expect(await useTool(hooks, join(alice.path, 'src/a.ts'))).toMatch(
      new RegExp(`^Edit applied successfully\\.\n\n[^]*${activity.id}`),
    )
    expect(await useTool(hooks, join(alice.path, 'src/a.ts'))).toBe('Edit applied successfully.')
    await hooks.event?.({ event: { type: 'session.deleted', ...session } })
    expect((await repository.page('/activity?actor=Alice')).items).toEqual([])
  })

  it('begins a session that it has not seen with the first tool, and none for a subagent', async () => {
    const hooks = await loadPlugin()
    const child = { properties: { info: { id: 's2', parentID: 's1' } } }
    await hooks.event?.({ event: { type: 'session.created', ...child } })
    expect(await agents()).toEqual([])
    await hooks['tool.execute.before']?.({ ...tool, tool: 'read' }, { args: { filePath: 'a' } })
    expect(await agents()).toEqual([])
    await useTool(hooks, 'src/a.ts')
    expect(await agents()).toEqual(['opencode'])
  })

  it('changes nothing where the command fails', async () => {
    const hooks = await loadPlugin()
    vi.stubEnv('GITHUB_TOKEN', '')
    await hooks.event?.({ event: { type: 'session.created', ...session } })
    expect(await useTool(hooks, 'src/a.ts')).toBe('Edit applied successfully.')
    await hooks.event?.({ event: { type: 'session.idle' } })
    vi.stubEnv('PATH', '')
    expect(await useTool(hooks, 'src/a.ts')).toBe('Edit applied successfully.')
  })
})

describe('when a session starts, the model', () => {
  it.each<[string, string, Session['context']]>([
    ['claude', 'claude', contextOfClaude],
    ['codex', 'codex', contextOfClaude],
    ['cursor', 'cursor', contextOfCursor],
    ['gemini', 'gemini', contextOfClaude],
    ['vscode', 'copilot', contextOfClaude],
    ['copilot', 'copilot', contextOfCopilot],
    ['opencode', 'opencode', contextOfOpencode],
  ])('of %s learns what to know in twelve lines, at once or after its next tool', async (host, hook, context) => {
    alice.write('src/a.ts')
    const freeze = await repository.raised({ title: 'Release on Friday', blocking: true })
    await repository.raised({ title: 'Sessions move', scope: { paths: ['lib/**'] } })
    const { activity } = await otherWork(['src/**'])
    const session: Session = { clone: alice, hook, context }
    const told = `${await run(session, `${host}/session-start`)}${await run(session, `${host}/after-tool`)}`
    const lines = told.trimEnd().split('\n')
    expect(lines).toEqual([
      'Headsup. Text in quotation marks is other people’s:',
      expect.stringMatching(new RegExp(`^Headsup notable ${freeze.id}, blocking, .*“Release on Friday”`)),
      expect.stringContaining(activity.id),
      'Open: 1 recorded.',
      expect.stringContaining('“Sessions move”'),
      expect.stringContaining('is recorded as'),
      expect.stringMatching(/^Tell the user /),
    ])
  })
})

describe('an agent without a token', () => {
  it('silences neither the hooks of git nor another agent, and is told of it once', async () => {
    await otherWork(['src/**'])
    const input = readFileSync(new URL('claude/before-edit.json', fixtures), 'utf8').replaceAll(
      '/home/alice/shop',
      alice.path,
    )
    const edit = (path: string, env = {}) =>
      alice.headsup(['hook', 'claude'], { input: input.replace('src/a.ts', path), env })
    const noToken = { GITHUB_TOKEN: '' }
    expect((await edit('src/a.ts', noToken)).out).toContain('could not check')
    expect((await edit('src/b.ts', noToken)).out).toBe('')
    expect((await edit('src/c.ts')).out).toContain('“Other”')
    alice.write('src/d.ts')
    const { err } = await alice.headsup(['hook', 'git', 'pre-push', 'origin', 'url'])
    expect(err).toContain('“Other”')
  })
})

describe('installed hooks', () => {
  it.each([['codex', 'gemini', 'cursor', 'copilot', 'opencode'], ['all']])(
    'of %s … do not count as changed files',
    async (...names) => {
      for (const name of names) await alice.headsup(['hook', 'install', name])
      expect(alice.git('status', '--short')).not.toBe('')
      const { out } = await alice.headsup(['start', '--json'])
      expect(JSON.parse(out).activity.scope.paths).toEqual([])
    },
  )
})
