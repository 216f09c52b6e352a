import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { installable } from '../../src/cli/agents/install/hook-files.ts'
import { agentSession, contextOfCursor } from '../support/agent-session.ts'
import { prepareClones } from '../support/clones.ts'
import type { Clone } from '../support/command-line.ts'
import type { TestRepository, TestService } from '../support/service.ts'
import { startProxy } from '../support/service-proxy.ts'

let service: TestService
let repository: TestRepository
let alice: Clone
let bob: Clone

prepareClones((stage) => {
  ;({ service, repository } = stage)
  alice = stage.clone('Alice', { branch: 'feat/alice' })
  bob = stage.clone('Bob', { branch: 'feat/bob' })
})

const claude = (clone: Clone) => agentSession(clone, 'claude')
const codex = (clone: Clone) => agentSession(clone, 'codex')
const cursor = (clone: Clone) => agentSession(clone, 'cursor')

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

describe('two sessions that edit a file at the same time', () => {
  it.each([1, 2, 3])('are told: at least one before its edit, and both after it (round %i)', async () => {
    const sessions = [codex(alice), codex(bob)] as const
    for (const session of sessions) await session.tell('session-start')
    const both = (fixture: string) =>
      Promise.all(sessions.map((session) => session.tell(fixture, patch('*** Add File: src/new.ts', '+x'))))
    const before = await both('before-edit')
    expect(before.join('')).toContain('“src/new.ts”')
    for (const session of sessions) session.clone.write('src/new.ts')
    const after = await both('after-tool')
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
    await claude(alice).tell('session-start')
    const requests: string[] = []
    const url = await startProxy(service, undefined, async ({ method, url: path }) => {
      if (method !== 'GET') requests.push(`${method} ${path?.replace(/act_\w+/, 'ID').replace(/.*\/activity/, '')}`)
      return undefined
    })
    const edit = (...texts: [string, string?]) =>
      claude(alice).tell('before-edit', editOf(...texts), { HEADSUP_URL: url })
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
    await claude(alice).tell('after-tool')
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
    await claude(alice).tell('session-start')
    const { activity } = await repository.created('/activity', {
      ...{ title: 'Quiet', summary: 'x', actor: 'Carol', branch: 'quiet', scope: { paths: ['src/a.*'] } },
    })
    expect(await claude(alice).tell('before-edit', editOf('line 5\n'))).toContain(activity.id)
  })

  it('neither records nor checks a file that git ignores', async () => {
    await otherWork(['dist/**'])
    alice.write('.git/info/exclude', 'dist\n')
    await claude(alice).tell('session-start')
    const file = { tool_input: { file_path: join(alice.path, 'dist/a.js'), content: 'x' } }
    expect(await claude(alice).tell('before-edit', file)).toBe('')
    expect((await repository.page('/activity?actor=Alice')).items).toMatchObject([{ scope: { paths: [] } }])
  })

  it('of two sessions that edit distant lines of a file tells neither, and of close lines both', async () => {
    for (const clone of [alice, bob]) {
      prepare(clone)
      clone.write('src/a.ts', base)
    }
    const [first, second] = [codex(alice), codex(bob)]
    for (const session of [first, second]) await session.tell('session-start')
    const at = (line: number) =>
      patch('*** Update File: src/a.ts', '@@', ` line ${line}`, `-line ${line + 1}`, '+x', ` line ${line + 2}`)
    expect(await first.tell('before-edit', at(3))).toBe('')
    expect(await second.tell('before-edit', at(20))).toBe('')
    expect(await first.tell('after-tool', at(3))).toBe('')
    const both = await Promise.all([first.tell('before-edit', at(11)), second.tell('before-edit', at(11))])
    expect(both.join('')).toContain('“src/a.ts”')
    for (const clone of [alice, bob]) clone.write('src/a.ts', base.replace('line 12\n', 'x\n'))
    const later = [await first.tell('after-tool', at(11)), await second.tell('after-tool', at(11))]
    for (const index of [0, 1]) expect(`${both[index]}${later[index]}`).toContain('“src/a.ts”')
  })
})

describe('Claude Code', () => {
  it('is told after a command what its edits collide with, without another edit', async () => {
    const session = claude(alice)
    await session.tell('session-start')
    const { activity } = await otherWork(['src/a.ts'])
    alice.write('src/a.ts')
    const sed = { tool_name: 'Bash', tool_input: { command: 'sed -i s/a/b/ src/a.ts' } }
    expect(await session.tell('after-tool', sed)).toContain(activity.id)
    expect(await session.tell('before-edit')).toBe('')
  })

  it('is told of a collision and a freeze once by two hooks that run at the same time', async () => {
    const session = claude(alice)
    await session.tell('session-start')
    const { activity } = await otherWork(['src/a.ts'])
    const { id } = await repository.raised({ title: 'Freeze', blocking: true })
    alice.write('src/a.ts')
    // Both hooks have read what was told before any of them learns what is new.
    let arrivals = 0
    let release = () => {}
    const both = new Promise<void>((resolve) => (release = resolve))
    const url = await startProxy(service, undefined, async ({ url: path = '' }) => {
      if (!/[?]overlap=true|[/]activity[/]check/.test(path)) return undefined
      arrivals += 1
      if (arrivals >= 2) release()
      await both
      return undefined
    })
    const env = { HEADSUP_URL: url }
    const told = await Promise.all([session.tell('after-tool', {}, env), session.tell('before-edit', {}, env)])
    expect(told.join('').split(activity.id)).toHaveLength(2)
    expect(told.join('').split(id)).toHaveLength(2)
  })
})

describe('an agent with hooks of its own beside those of Claude Code, which it reads too', () => {
  it.each([
    ['copilot by the settings of claude', 'copilot', 'copilot'],
    ['vscode', 'vscode by the settings of copilot', 'copilot'],
  ] as const)('is told by its own alone: %s', async (name, ownName, file) => {
    await otherWork(['src/a.ts'])
    await alice.headsup(['hook', 'install', 'claude'])
    await alice.headsup(['hook', 'install', file])
    const [byClaude, own] = [agentSession(alice, name), agentSession(alice, ownName)]
    expect(await byClaude.tell('session-start')).toBe('')
    expect(await agents()).not.toContain(own.dialect.agent)
    expect(await own.tell('session-start')).toContain('recorded as')
    expect(await byClaude.tell('before-edit')).toBe('')
    expect(await own.tell('before-edit')).toContain('“Other”')
    expect(await byClaude.tell('after-tool')).toBe('')
    // Claude Code itself goes on.
    expect(await claude(bob).tell('before-edit')).toContain('“Other”')
    expect(await claude(alice).tell('session-start')).toContain('resumed')
    await alice.headsup(['hook', 'uninstall', file])
    expect(await byClaude.tell('session-start')).toContain('recorded as')
  })

  it('is told by its own alone: Cursor', async () => {
    await alice.headsup(['hook', 'install', 'all'])
    await otherWork(['src/a.ts'])
    expect(await cursor(alice).tell('session-start')).toBe('')
    await alice.headsup(['hook', 'uninstall', 'cursor'])
    expect(await cursor(alice).tell('session-start')).toContain('recorded as')
  })
})

describe('Codex', () => {
  it('archives empty work at the end of a session, whose payload has no turn', async () => {
    await codex(alice).tell('session-start')
    expect(await agents()).toEqual(['codex'])
    expect(await codex(alice).tell('session-end')).toBe('')
    expect(await agents()).toEqual([])
  })

  it('is told of each file in a patch before it is applied', async () => {
    const { activity } = await otherWork(['src/b.ts'])
    await codex(alice).tell('session-start')
    expect(await codex(alice).tell('before-edit', patch('*** Update File: src/a.ts'))).toBe('')
    const moved = patch('*** Update File: src/c.ts', '*** Move to: src/b.ts')
    expect(await codex(alice).tell('before-edit', moved)).toContain(activity.id)
  })

  it('names files from its own directory', async () => {
    const { activity } = await otherWork(['src/b.ts'])
    const moved = { ...patch('*** Update File: b.ts'), cwd: join(alice.path, 'src') }
    expect(await codex(alice).tell('before-edit', moved)).toContain(activity.id)
  })
})

describe('Cursor', () => {
  it('is told after an edit what was found before it, without the service', async () => {
    const { activity } = await otherWork(['src/a.ts'])
    const session = cursor(alice)
    expect(await session.tell('session-start')).toContain('recorded as')
    expect(await session.tell('before-edit')).toBe('')
    const away = { HEADSUP_URL: 'http://127.0.0.1:9' }
    const { code, out } = await session.send('after-tool', {}, away)
    expect(code).toBe(0)
    expect(contextOfCursor(JSON.parse(out))).toContain(activity.id)
    expect(await session.tell('after-tool')).toBe('')
  })

  it('is not told again of the same branch under a new record', async () => {
    const { activity } = await otherWork(['src/**'])
    const session = cursor(alice)
    const edit = (file: string) => ({ tool_input: { file_path: join(alice.path, file) } })
    await session.tell('before-edit', edit('src/a.ts'))
    expect(await session.tell('after-tool', edit('src/a.ts'))).toContain(activity.id)
    await repository.post(`/activity/${activity.id}/archive`)
    await otherWork(['src/**'])
    await session.tell('before-edit', edit('src/b.ts'))
    expect(await session.tell('after-tool', edit('src/b.ts'))).toBe('')
  })

  it('is told again when a collision gets worse', async () => {
    const { activity } = await otherWork(['src/**'])
    const session = cursor(alice)
    await session.tell('session-start')
    const edit = (file: string) => ({ tool_input: { file_path: join(alice.path, file) } })
    await session.tell('before-edit', edit('src/a.ts'))
    expect(await session.tell('after-tool', edit('src/a.ts'))).toContain(`${activity.id}`)
    await session.tell('before-edit', edit('src/b.ts'))
    expect(await session.tell('after-tool', edit('src/b.ts'))).toBe('')
    await repository.patch(`/activity/${activity.id}`, { scope: { paths: ['src/c.ts'] } })
    await session.tell('before-edit', edit('src/c.ts'))
    expect(await session.tell('after-tool', edit('src/c.ts'))).toContain('high severity')
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
  /** The texts of a message as the model reads them. */
  async function say(hooks: Record<string, Hook>, sessionID = 's1'): Promise<string[]> {
    const parts = [{ id: 'prt_1', messageID: 'msg_1', sessionID, type: 'text', text: 'Change it.' }]
    await hooks['chat.message']?.({ sessionID }, { message: { id: 'msg_1' }, parts })
    expect(parts.map(({ id, messageID, type }) => ({ id, messageID, type }))).toEqual(
      parts.map((_, n) => ({ id: `prt_1${'0'.repeat(n)}`, messageID: 'msg_1', type: 'text' })),
    )
    return parts.map(({ text }) => text)
  }
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

  it('briefs the model in the first message of a session, once, and no subagent', async () => {
    const hooks = await loadPlugin()
    await otherWork(['src/a.ts'])
    await hooks.event?.({ event: { type: 'session.created', ...session } })
    expect(await say(hooks)).toEqual(['Change it.', expect.stringContaining('Open: 1 recorded.')])
    expect(await say(hooks)).toEqual(['Change it.'])
    expect(await useTool(hooks, 'src/b.ts')).toBe('Edit applied successfully.')
    const child = { properties: { info: { id: 's2', parentID: 's1' } } }
    await hooks.event?.({ event: { type: 'session.created', ...child } })
    expect(await say(hooks, 's2')).toEqual(['Change it.'])
  })

  it('ends its sessions with opencode, which does not wait for it', async () => {
    await alice.headsup(['hook', 'install', 'opencode'])
    const script = (last: string) => `
      const { Headsup } = await import("./.opencode/plugins/headsup.js")
      const hooks = await Headsup({ directory: process.cwd() })
      await hooks.event({ event: { type: "session.created", properties: { info: { id: "s1" } } } })
      ${last}
      process.exit(0)`
    const runScript = (last: string) => alice.shell('exec node --input-type=module', script(last))
    expect(await runScript('')).toMatchObject({ code: 0, err: '' })
    expect(await agents()).toEqual(['opencode'])
    expect(await runScript('hooks.dispose()')).toMatchObject({ code: 0, err: '' })
    expect(await agents()).toEqual([])
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
  it.each([
    'claude',
    'codex',
    'cursor',
    'gemini',
    'vscode by the settings of copilot',
    'copilot',
    'copilot by the settings of claude',
    'opencode',
  ] as const)('of %s learns what to know in twelve lines, at once or after its next tool', async (name) => {
    alice.write('src/a.ts')
    const freeze = await repository.raised({ title: 'Release on Friday', blocking: true })
    await repository.raised({ title: 'Sessions move', scope: { paths: ['lib/**'] } })
    const { activity } = await otherWork(['src/**'])
    const { tell } = agentSession(alice, name)
    const told = `${await tell('session-start')}${await tell('after-tool')}`
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
    const file = (path: string) => ({ tool_input: { file_path: join(alice.path, path), content: 'x' } })
    const edit = (path: string, env = {}) => claude(alice).send('before-edit', file(path), env)
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
  it.each([[...installable], ['all']])('of %s … do not count as changed files', async (...names) => {
    for (const name of names) await alice.headsup(['hook', 'install', name])
    expect(alice.git('status', '--short')).not.toBe('')
    const { out } = await alice.headsup(['start', '--json'])
    expect(JSON.parse(out).activity.scope.paths).toEqual([])
  })
})
