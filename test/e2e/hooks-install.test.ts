import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type Installable, installable } from '../../src/cli/agents/install/hook-files.ts'
import { type Clone, newDirectory, removeDirectories, sharedRepository } from '../support/command-line.ts'

let alice: Clone

afterAll(removeDirectories)
beforeEach(() => {
  // Where `headsup` is on the PATH, installed hooks are the same everywhere.
  const PATH = newDirectory()
  writeFileSync(join(PATH, 'headsup'), '')
  alice = sharedRepository('acme', 'shop').clone('Alice', { PATH: `${PATH}:${process.env.PATH}` })
})

const files: Readonly<Record<Installable, string>> = {
  claude: '.claude/settings.json',
  codex: '.codex/hooks.json',
  cursor: '.cursor/hooks.json',
  gemini: '.gemini/settings.json',
  copilot: '.github/hooks/headsup.json',
  opencode: '.opencode/plugins/headsup.js',
}

const read = (name: Installable) => readFileSync(join(alice.path, files[name]), 'utf8')
const installed = () => Object.values(files).filter((file) => existsSync(join(alice.path, file)))
const install = (...names: string[]) => alice.headsup(['hook', 'install', ...names])
const status = () => alice.git('status', '--short', '--untracked-files=all')

const line = (name: string) => `command -v headsup >/dev/null 2>&1 && headsup hook ${name} || true # headsup`

describe('the hooks of an agent', () => {
  it.each(installable)('of %s are installed once, and leave nothing', async (name) => {
    expect((await install(name)).out).toContain(`${files[name]}: installed.`)
    expect(installed()).toEqual([files[name]])
    expect(read(name)).toContain(JSON.stringify(line(name)))
    const before = read(name)
    expect((await install(name)).out).toContain('already installed')
    expect(read(name)).toBe(before)
    expect((await alice.headsup(['hook', 'uninstall', name])).out).toContain('uninstalled')
    expect(status()).toBe('')
    expect(existsSync(join(alice.path, files[name], '..'))).toBe(false)
    expect(existsSync(join(alice.path, '.github'))).toBe(false)
  })

  it('have their time limits in the unit of the agent', async () => {
    for (const name of ['codex', 'cursor', 'gemini', 'copilot']) await install(name)
    expect(JSON.parse(read('codex')).hooks.PreToolUse[0].hooks[0].timeout).toBe(5)
    // Codex gives no hook more than that at the end of a session, and complains about more.
    expect(JSON.parse(read('codex')).hooks.SessionEnd[0].hooks[0].timeout).toBe(3)
    expect(JSON.parse(read('cursor'))).toMatchObject({ version: 1, hooks: { preToolUse: [{ timeout: 5 }] } })
    expect(JSON.parse(read('gemini')).hooks.BeforeTool[0].hooks[0].timeout).toBe(5000)
    expect(JSON.parse(read('copilot'))).toMatchObject({ version: 1, hooks: { preToolUse: [{ timeoutSec: 5 }] } })
  })

  it.each<[Installable, object]>([
    ['codex', { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'lint' }] }] } }],
    ['cursor', { version: 1, hooks: { preToolUse: [{ command: 'lint' }] } }],
    ['gemini', { theme: 'dark', hooks: { BeforeTool: [{ hooks: [{ type: 'command', command: 'lint' }] }] } }],
    ['copilot', { version: 1, hooks: { preToolUse: [{ type: 'command', bash: 'lint' }] } }],
  ])('of %s leave what others put into the file', async (name, others) => {
    const before = `${JSON.stringify(others, undefined, 2)}\n`
    alice.write(files[name], before)
    await install(name)
    expect(read(name)).toContain('"lint"')
    expect(read(name)).toContain('headsup hook')
    await alice.headsup(['hook', 'uninstall', name])
    expect(read(name)).toBe(before)
  })

  it('are installed beside those of Claude Code, also where the agent reads these too', async () => {
    expect((await install('all')).code).toBe(0)
    expect(installed()).toEqual(Object.values(files))
    await alice.headsup(['hook', 'uninstall', 'all'])
    expect(status()).toBe('')
  })

  it.each(['claude', 'claude --local'])(
    'stay where those of %s are installed, and the other way round',
    async (names) => {
      await install('copilot')
      await install(...names.split(' '))
      expect(installed()).toContain(files.copilot)
      await alice.headsup(['hook', 'uninstall', 'copilot'])
      expect((await install('copilot')).out).toContain('installed.')
      expect(installed()).toContain(files.copilot)
    },
  )

  it('of Copilot CLI are called for the tools that write files alone', async () => {
    await install('copilot')
    expect(JSON.parse(read('copilot')).hooks).toMatchObject({
      preToolUse: [{ matcher: 'edit|create|apply_patch' }],
      postToolUse: [{ matcher: 'edit|create|apply_patch|bash' }],
    })
  })

  it.each<[Installable, RegExp]>([
    ['codex', /trusted folder.*“Hooks need review”.*“Trust all and continue”/],
    ['gemini', /“Do you trust the files in this folder\?”.*“Trust folder”.*GEMINI_CLI_TRUST_WORKSPACE=true/],
    ['copilot', /trust the folder.*--trust-folder/],
  ])('of %s say what to do before they run, when they are installed and in doctor', async (name, words) => {
    for (const _ of ['the first', 'the second']) expect((await install(name)).out).toMatch(words)
    const { out } = await alice.headsup(['doctor'])
    expect(out).toMatch(new RegExp(`^note  hooks +.*${words.source}`, 'm'))
  })

  it('of Claude Code need nothing more', async () => {
    expect((await install('claude')).out).not.toMatch(/trust/i)
    expect((await alice.headsup(['doctor'])).out).not.toMatch(/trust/i)
  })

  it('of opencode are not written over a file of somebody else', async () => {
    alice.write(files.opencode, 'export const Mine = async () => ({})\n')
    expect(await install('opencode')).toMatchObject({ code: 4, err: expect.stringContaining('left as it is') })
    expect(await alice.headsup(['hook', 'uninstall', 'opencode'])).toMatchObject({ code: 4 })
    expect(read('opencode')).toContain('Mine')
  })

  it('of Windsurf do not exist, which is said with what to do instead', async () => {
    expect(await install('windsurf')).toMatchObject({ code: 4, err: expect.stringMatching(/MCP.*AGENTS\.md/) })
    expect(status()).toBe('')
  })

  it.each([['vim'], ['claude', 'git']])('of %j %s are refused', async (...names) => {
    expect(await install(...names)).toMatchObject({ code: 2, err: expect.stringContaining('codex') })
    expect(status()).toBe('')
  })

  it('end with 0 in a shell, whatever the program does', async () => {
    await install('copilot')
    const { bash } = JSON.parse(read('copilot')).hooks.preToolUse[0]
    expect(await alice.shell(bash, 'no JSON')).toMatchObject({ code: 0, out: '' })
    expect(await alice.headsup(['hook', 'copilot', '--frob'])).toMatchObject({ code: 0, out: '' })
    expect(await alice.headsup(['hook', 'codex'], { input: '{' })).toMatchObject({ code: 0, out: '' })
  })
})
