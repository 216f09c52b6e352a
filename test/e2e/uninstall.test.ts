import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Clone,
  environment,
  headsup,
  newDirectory,
  removeDirectories,
  run,
  sharedRepository,
} from '../support/command-line.ts'

let alice: Clone
let home: string
let program: string

afterAll(removeDirectories)
beforeEach(() => {
  alice = sharedRepository('acme', 'shop').clone('Alice', {})
  // The tests' clones switch tried merges off.
  alice.git('config', '--remove-section', 'headsup')
  home = newDirectory()
  program = join(home, 'headsup')
  copyFileSync(headsup, program)
})

const start = (args: string[], cwd = alice.path) =>
  run(process.execPath, [program, ...args], {
    cwd,
    env: { ...environment(home), XDG_CACHE_HOME: join(home, 'cache') },
    input: '',
  })
const readSettings = (file: string) => readFileSync(join(alice.path, file), 'utf8')

describe('headsup uninstall', () => {
  it('leaves nothing of Headsup in the clone and in the home directory', async () => {
    const before = readdirSync(join(alice.path, '.git/hooks')).sort()
    const config = readSettings('.git/config')
    await start(['hook', 'install', 'all'])
    await start(['hook', 'install', 'claude', '--local'])
    await start(['hook', 'install', 'claude', '--user'])
    alice.git('config', 'headsup.url', 'http://127.0.0.1:9')
    await run('git', ['config', '--global', 'headsup.base', 'main'], { cwd: home, env: environment(home), input: '' })
    alice.write('.git/headsup/work.json', '{}')
    const cache = join(home, 'cache', 'headsup')
    mkdirSync(join(cache, 'merged', 'clone'), { recursive: true })
    writeFileSync(join(cache, 'merged', 'clone', 'file.json'), '{}')
    writeFileSync(join(cache, 'merge-log.json'), '{}')
    const { code, out, err } = await start(['uninstall'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain(`${program}: removed.`)
    expect(out).toContain('git config --local: removed.')
    expect(alice.git('status', '--short', '--untracked-files=all')).toBe('')
    expect(readdirSync(join(alice.path, '.git/hooks')).sort()).toEqual(before)
    expect(readSettings('.git/config')).toBe(config)
    expect(existsSync(join(alice.path, '.git/headsup'))).toBe(false)
    expect(existsSync(program)).toBe(false)
    expect(existsSync(cache)).toBe(false)
    expect(existsSync(join(home, '.claude/settings.json'))).toBe(false)
    expect(readFileSync(join(home, '.gitconfig'), 'utf8')).not.toContain('headsup')
  })

  it('keeps the program for other clones, and says which hooks everybody shares', async () => {
    await start(['hook', 'install', 'claude'])
    alice.commit('Hooks')
    const { code, out } = await start(['uninstall', '--keep-program'])
    expect(code).toBe(0)
    expect(out).toContain('.claude/settings.json is committed: commit the change for everybody')
    expect(alice.git('status', '--short')).toBe(' D .claude/settings.json\n')
    expect(existsSync(program)).toBe(true)
  })

  it('removes the program outside of a work tree too', async () => {
    const { code, out } = await start(['uninstall'], home)
    expect({ code, out }).toEqual({
      code: 0,
      out: `This is not a git work tree: go into one, to remove its hooks.\n${program}: removed.\n`,
    })
    expect(existsSync(program)).toBe(false)
  })
})
