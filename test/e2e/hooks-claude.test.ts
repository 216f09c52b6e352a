import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startedChanges } from '../support/clones.ts'
import { newDirectory, type ProgramResult, workTree } from '../support/command-line.ts'
import { hasSavedFailure, runUntilGivenUp, type SilentService, startSilentService } from '../support/silent-service.ts'
import { session, useClaude } from './claude-hooks.ts'

const at = useClaude()
const { runHook, edit, otherWork } = at

let silent: SilentService
beforeAll(async () => {
  silent = await startSilentService()
})
afterAll(() => silent.stop())

describe('before an edit', () => {
  it('the model gets the collisions of the file, once a session', async () => {
    const { activity } = await otherWork(['src/auth/**'])
    const { output } = await runHook('PreToolUse', edit('src/auth/login.ts'))
    expect(Object.keys(output)).toEqual(['hookSpecificOutput'])
    expect(output.hookSpecificOutput.hookEventName).toBe('PreToolUse')
    const { recommended_action, messages } = await at.repository.check({
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
  let withOpenStdin: Promise<ProgramResult>
  // It waits four seconds for its input. Other tests run meanwhile.
  beforeAll(() => {
    const env = { HEADSUP_HOOK_LIMIT_MS: 'frob' }
    withOpenStdin = workTree(newDirectory(), 'Alice').program(['hook', 'claude'], { input: null, env })
  })

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
    const hasSaved = () => hasSavedFailure(at.alice, silent)
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
      expect(await at.alice.headsup(['hook', 'claude'], { input })).toEqual({ code: 0, out: '', err: '' })
    },
  )

  it.each(['', 'no JSON', '[]', '{"hook_event_name":1}'])('reports input that is not an event: %j', async (input) => {
    const err = 'Headsup could not check: the input on stdin is not an event of Claude Code.\n'
    expect(await at.alice.headsup(['hook', 'claude'], { input })).toEqual({ code: 0, out: '', err })
  })

  it('exits by itself where stdin stays open', async () => {
    expect(await withOpenStdin).toEqual({ code: 0, out: '', err: expect.stringContaining('could not check') })
  })

  it('exits with 0 even for a usage error', async () => {
    expect(await at.alice.headsup(['hook', 'claude', '--frob'])).toMatchObject({ code: 0 })
  })
})

describe('the hooks of Claude Code', () => {
  const settings = () => join(at.alice.path, '.claude/settings.json')

  it('are added to existing settings once, and removed without a trace', async () => {
    const before =
      '{\n\t"model": "x",\n\t"hooks": {\n\t\t"PreToolUse": [\n\t\t\t{\n\t\t\t\t"matcher": "Bash",\n\t\t\t\t"hooks": []\n\t\t\t}\n\t\t]\n\t}\n}'
    at.alice.write('.claude/settings.json', before)
    expect(await at.alice.headsup(['hook', 'install', 'claude'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('installed.'),
    })
    const installed = readFileSync(settings(), 'utf8')
    const { model, hooks } = JSON.parse(installed)
    expect(model).toBe('x')
    expect(Object.keys(hooks).sort()).toEqual(['PostToolUse', 'PreToolUse', 'SessionEnd', 'SessionStart'])
    expect(hooks.PreToolUse[0]).toEqual({ matcher: 'Bash', hooks: [] })
    expect((await at.alice.headsup(['hook', 'install', 'claude'])).out).toContain('already')
    expect(readFileSync(settings(), 'utf8')).toBe(installed)
    await at.alice.headsup(['hook', 'uninstall', 'claude'])
    expect(readFileSync(settings(), 'utf8')).toBe(before)
  })

  it('run in a shell as installed', async () => {
    await at.alice.headsup(['hook', 'install', 'claude', '--local'])
    const { hooks } = JSON.parse(readFileSync(join(at.alice.path, '.claude/settings.local.json'), 'utf8'))
    const input = JSON.stringify({ ...session, cwd: at.alice.path, hook_event_name: 'SessionStart', source: 'startup' })
    const { code, out } = await at.alice.shell(hooks.SessionStart[0].hooks[0].command, input)
    expect(code).toBe(0)
    expect(JSON.parse(out)).toHaveProperty('hookSpecificOutput')
  })

  it('do not count as changed files, unless the same files have other changes', async () => {
    const changed = () => startedChanges(at.alice, at.repository)
    at.alice.write('.husky/_/h')
    at.alice.write('.husky/pre-push', 'npm test\n')
    at.alice.commit()
    at.alice.git('push', '-q', '.', 'HEAD:refs/remotes/origin/main')
    at.alice.git('config', 'core.hooksPath', '.husky/_')
    await at.alice.headsup(['hook', 'install'])
    await at.alice.headsup(['hook', 'install', 'claude', '--local'])
    expect(at.alice.git('status', '--short', '--untracked-files=all').trim().split('\n')).toHaveLength(4)
    expect(await changed()).toEqual([])
    at.alice.write('.husky/pre-push', `${readFileSync(join(at.alice.path, '.husky/pre-push'), 'utf8')}npm run lint\n`)
    at.alice.write(
      '.claude/settings.json',
      JSON.stringify({ ...JSON.parse(readFileSync(settings(), 'utf8')), model: 'x' }),
    )
    expect(await changed()).toEqual(['.claude/settings.json', '.husky/pre-push'])
    at.alice.commit()
    at.alice.git('push', '-q', '.', 'HEAD:refs/remotes/origin/main')
    await at.alice.headsup(['hook', 'uninstall'])
    expect(await changed()).toEqual([])
    at.alice.write('.claude/settings.json', '{ "model": "y" }')
    expect(await changed()).toEqual(['.claude/settings.json'])
  })

  it('are removed with the file and the directory where these are empty then', async () => {
    const shared = await at.alice.headsup(['hook', 'install', 'claude'])
    expect(shared.out).toContain('rather than commit it')
    const PATH = newDirectory()
    writeFileSync(join(PATH, 'headsup'), '')
    const env = { PATH: `${PATH}:${process.env.PATH}` }
    expect((await at.alice.headsup(['hook', 'install', 'claude'], { env })).out).toContain('Commit it, ')
    await at.alice.headsup(['hook', 'install', 'claude', '--local'])
    await at.alice.headsup(['hook', 'uninstall', 'claude'])
    expect(readdirSync(join(at.alice.path, '.claude'))).toEqual(['settings.local.json'])
    await at.alice.headsup(['hook', 'uninstall', 'claude', '--local'])
    expect(existsSync(join(at.alice.path, '.claude'))).toBe(false)
  })

  it('do not change settings that are not valid JSON', async () => {
    at.alice.write('.claude/settings.json', '{ // mine\n}')
    const both = await at.alice.headsup(['hook', 'install'])
    expect(both).toMatchObject({ code: 4, err: expect.stringContaining('left as it is') })
    // The hooks that were installed before the failure are reported.
    expect(both.out).toContain('pre-push: installed.')
    expect(readFileSync(settings(), 'utf8')).toBe('{ // mine\n}')
  })
})
