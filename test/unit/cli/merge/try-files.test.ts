import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allGuards } from '../../../../src/cli/merge/git/guards.ts'
import { tryMerges } from '../../../../src/cli/merge/try-merges.ts'
import { lines, type MergeScene, prepareMergeScene, pull, type TestClone } from './merge-scene.ts'

let scene: MergeScene
const removals: (() => void | Promise<void>)[] = []
const cleanUp = (remove: () => void | Promise<void>) => void removals.push(remove)
beforeAll(async () => {
  scene = await prepareMergeScene(cleanUp)
})
afterAll(async () => {
  for (const remove of removals) await remove()
})

describe('where git cannot merge trees', () => {
  it('a file that both change is tried by itself, and leaves nothing', async () => {
    const clone = scene.clone()
    for (const path of ['a.txt', 'b.txt', 'main.txt', 'removed.txt', 'logo.png'])
      clone.write(path, lines({ 5: 'mine' }))
    const before = clone.listing()
    const changedPaths = new Set(['a.txt', 'main.txt', 'removed.txt', 'logo.png'])
    const { target, byNumber } = await clone.try([1, 2, 3, 4, 7, 12], undefined, { changedPaths, byFile: true })
    expect(target.merge).toBe('not_tried')
    expect(byNumber[1]).toMatchObject({ merge: 'conflicts', merge_paths: ['a.txt'], merge_types: ['contents'] })
    expect(byNumber[2]).toMatchObject({ merge: 'clean' })
    // Removed on one side, or binary.
    expect([byNumber[3], byNumber[4]].map((result) => result?.merge_reason)).toEqual(['git_version', 'git_version'])
    expect(byNumber[12]).toMatchObject({ merge: 'not_tried', merge_reason: 'target' })
    expect(clone.listing()).toEqual(before)
  })

  it('files that are not known, renamed or not read are not tried', async () => {
    const clone = scene.clone()
    clone.write('a.txt', Buffer.alloc(9_000_000))
    clone.write('renamed-theirs.txt', 'mine\n')
    const changedPaths = new Set(['a.txt', 'renamed-theirs.txt'])
    const { byNumber } = await clone.try([1, 7, 17], undefined, { changedPaths, byFile: true })
    expect([1, 7, 17].map((number) => byNumber[number]?.merge_reason)).toEqual(['too_large', 'git_version', 'shallow'])
    const unknown = await scene.clone().try([1], allGuards, { byFile: true })
    expect(unknown.byNumber[1]).toMatchObject({ merge: 'not_tried', merge_reason: 'git_version' })
    const candidates = [{ ...pull(2), files: null }]
    const { results } = await tryMerges(clone.question(candidates, { changedPaths, byFile: true }))
    expect(results[0]).toMatchObject({ merge: 'not_tried', merge_reason: 'git_version' })
  })
})

describe('an older git', () => {
  /** A program `git` that says this version, and lacks what that one lacks. */
  function olderGit(clone: TestClone, version: string): NodeJS.ProcessEnv {
    const program = join(clone.home, 'bin', 'git')
    clone.write(
      '../home-of-it/bin/git',
      [
        '#!/bin/sh',
        // Settings in numbered variables are known from git 2.31 on, and where those of the user are from 2.32 on.
        ...(version < '2.31' ? ['unset GIT_CONFIG_COUNT GIT_CONFIG_GLOBAL'] : []),
        `[ "$1" = version ] && echo 'git version ${version}' && exit`,
        `case " $* " in *' merge-tree '*) echo "no merge of trees" >&2; exit 129;; esac`,
        `PATH='${process.env.PATH}' exec git "$@"`,
        '',
      ].join('\n'),
    )
    chmodSync(program, 0o755)
    const { terminal } = clone.question([])
    return { ...terminal.env, PATH: `${join(clone.home, 'bin')}:${terminal.env.PATH}` }
  }

  it.each([
    ['2.38.5', 'conflicts', null],
    ['2.31.0', 'conflicts', null],
    ['2.30.2', 'conflicts', null],
    ['2.29.9', 'not_tried', 'git_version'],
    ['1.9', 'not_tried', 'git_version'],
  ] as const)('of version %s: %s', async (version, merge, merge_reason) => {
    const clone = scene.clone()
    clone.write('a.txt', lines({ 5: 'mine' }))
    const env = olderGit(clone, version)
    const before = clone.listing()
    const { terminal } = clone.question([])
    const changes = { changedPaths: new Set(['a.txt']), terminal: { ...terminal, env } }
    const { byNumber } = await clone.try([1], undefined, changes)
    expect(byNumber[1]).toMatchObject({ merge, merge_reason })
    expect(clone.listing()).toEqual(before)
  })
  it('of version 2.30 runs no filter, and is not used where the name of one cannot be set', async () => {
    const trying = async (name: string, isGuarded = true) => {
      const clone = scene.clone()
      clone.write('a.txt', lines({ 5: 'mine' }))
      clone.write('b.txt', lines({ 5: 'mine' }))
      clone.git('config', `filter.${name}.clean`, clone.trap('filter'))
      clone.write('.git/info/attributes', `b.txt filter=${name}\n`)
      clone.git('config', 'core.fsmonitor', clone.trap('monitor'))
      const { terminal } = clone.question([])
      const changes = { changedPaths: new Set(['a.txt']), terminal: { ...terminal, env: olderGit(clone, '2.30.2') } }
      const guards = isGuarded ? allGuards : { ...allGuards, clone: {}, filter: {} }
      const { byNumber } = await clone.try([1], guards, changes)
      return { reason: byNumber[1]?.merge_reason, ran: clone.ran().length > 0 }
    }
    expect(await trying("it's !odd")).toEqual({ reason: null, ran: false })
    expect(await trying("it's !odd", false)).toMatchObject({ ran: true })
    expect(await trying('a=b')).toEqual({ reason: 'git_version', ran: false })
  })
})
