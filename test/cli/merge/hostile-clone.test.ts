import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lines, type TestClone, useScene } from './scene/scene.ts'

const scene = useScene()
let caller: NodeJS.ProcessEnv
beforeEach(() => {
  caller = { ...process.env }
})
afterEach(() => {
  for (const name of Object.keys(process.env))
    if (name.startsWith('GIT_') && !(name in caller)) delete process.env[name]
})

/** Settings that name a program, each with a program of its own. */
const programs = {
  'core.fsmonitor': 'fsmonitor',
  'filter.evil=x.clean': 'filter',
  'filter.evil=x.smudge': 'smudge',
  'filter.evil=x.process': 'process',
  'merge.evil.driver': 'driver',
  'diff.external': 'external',
  'diff.evil.textconv': 'textconv',
  'core.alternateRefsCommand': 'refs-command',
  'core.askPass': 'askpass',
  'core.sshCommand': 'ssh',
  'core.gitProxy': 'proxy',
  'core.editor': 'editor',
  'core.pager': 'pager',
  'credential.helper': 'helper',
  'gpg.program': 'gpg',
  'uploadpack.packObjectsHook': 'pack-objects',
  'alias.status': 'alias',
  'alias.merge-tree': 'alias',
}

const others = {
  'merge.default': 'evil',
  'merge.renormalize': 'true',
  'filter.evil=x.required': 'true',
  'commit.gpgSign': 'true',
  'core.logAllRefUpdates': 'always',
  'core.splitIndex': 'true',
  'core.untrackedCache': 'true',
  'fetch.prune': 'true',
  'fetch.recurseSubmodules': 'true',
  'fetch.writeCommitGraph': 'true',
  'gc.auto': '1',
  'remote.origin.fetch': '+refs/pull/*/head:refs/remotes/origin/pr/*',
  'submodule.recurse': 'true',
}

const hooks = ['post-index-change', 'reference-transaction', 'pre-auto-gc', 'post-merge']

/** A clone in which every way to run a program leads to one that notes its name. */
function hostileClone(): TestClone {
  const clone = scene().clone()
  // By its times, git compares the content of this file whenever it reads the index.
  const soon = new Date(Date.now() + 3_600_000)
  clone.write('b.txt', lines())
  utimesSync(join(clone.top, 'b.txt'), soon, soon)
  clone.git('update-index', '--refresh')
  writeFileSync(join(clone.top, '.git/info/attributes'), 'b.txt filter=evil=x\n')
  clone.write('.gitattributes', '* diff=evil merge=evil\n')
  for (const [name, value] of Object.entries(others)) clone.git('config', name, value)
  for (const [name, program] of Object.entries(programs)) clone.git('config', name, clone.trap(program))
  mkdirSync(join(clone.top, '.git/hooks'), { recursive: true })
  for (const hook of hooks)
    writeFileSync(join(clone.top, '.git/hooks', hook), readFileSync(clone.trap(hook)), { mode: 0o755 })
  clone.write('a.txt', lines({ 5: 'mine' }))
  clone.write('new.txt', 'mine\n')
  return clone
}

describe('§14 a try in a hostile clone', () => {
  it('runs no program that a setting, a hook or an attribute names, and leaves nothing', async () => {
    const clone = hostileClone()
    const before = clone.listing()
    expect(await clone.try([15, 11])).toMatchObject({
      15: { conflicts: expect.arrayContaining(['a.txt']) },
      11: { conflicts: [] },
    })
    expect(clone.ran()).toEqual([])
    expect(clone.listing()).toEqual(before)
  })

  it('would run them, and leave something, by the plain commands of git', () => {
    const clone = hostileClone()
    const before = new Set(clone.listing())
    const attempt = (...args: string[]) => {
      try {
        clone.git(...args)
      } catch {
        // Some of the programs fail it.
      }
    }
    // It comes before the others, and fails.
    attempt('config', '--unset', 'filter.evil=x.process')
    attempt('diff', 'HEAD', '--', 'a.txt')
    attempt('add', '-A')
    attempt('fetch', `file://${scene().server.directory}`, 'refs/pull/1/head')
    attempt('merge-tree', '--write-tree', 'old', 'FETCH_HEAD')
    attempt('commit', '-m', 'mine')
    attempt('-c', 'commit.gpgSign=false', 'commit', '-m', 'mine')
    attempt('merge', 'FETCH_HEAD')
    const ran = new Set(clone.ran().map((line) => line.split(' ')[0]))
    expect([...ran]).toEqual(expect.arrayContaining(['fsmonitor', 'filter', 'driver', 'external', 'gpg']))
    expect([...ran]).toEqual(expect.arrayContaining(['post-index-change', 'reference-transaction']))
    const added = clone.listing().filter((line) => !before.has(line))
    for (const pattern of [/^\.git\/FETCH_HEAD /, /^\.git\/objects\//, /^\.git\/sharedindex\./]) {
      expect(added.some((line) => pattern.test(line))).toBe(true)
    }
  })

  it("reads neither the user's settings nor the variables of a hook of git", async () => {
    const clone = scene().clone()
    clone.write('a.txt', lines({ 5: 'mine' }))
    const elsewhere = join(clone.home, 'nothing')
    const names = [
      'GIT_DIR',
      'GIT_INDEX_FILE',
      'GIT_WORK_TREE',
      'GIT_OBJECT_DIRECTORY',
      'GIT_TRACE2_EVENT',
      'GIT_TRACE_CURL',
    ]
    for (const name of names) process.env[name] = elsewhere
    process.env.GIT_CONFIG_PARAMETERS = "'merge.default=evil'"
    process.env.GIT_EXTERNAL_DIFF = clone.trap('external')
    process.env.GIT_ASKPASS = clone.trap('ask')
    const before = clone.listing()
    expect(await clone.try([1])).toMatchObject({ 1: { conflicts: ['a.txt'] } })
    expect(clone.ran()).toEqual([])
    expect(clone.listing()).toEqual(before)
    expect(() => readFileSync(elsewhere)).toThrow('ENOENT')
  })
})
