import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findBase, findMergeBase } from '../../../src/cli/git/base.ts'
import { lines, newDirectory } from '../../support/command-line.ts'
import { runGit } from '../../support/run-git.ts'
import { newTree } from './test-tree.ts'

describe('§14 the base', () => {
  it('is the default branch of the service, and not where a stale origin/HEAD points', async () => {
    const tree = newTree()
    tree.git('update-ref', 'refs/remotes/origin/master', 'HEAD')
    tree.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/master')
    const base = await findBase(await tree.open(), { given: undefined, remote: 'origin', defaultBranch: 'main' })
    expect(base).toEqual({ named: null, ref: 'refs/remotes/origin/main' })
  })

  it('is develop where that is the default branch, though there is a main', async () => {
    const tree = newTree()
    tree.write('b.ts', 'b\n')
    tree.commit()
    tree.git('update-ref', 'refs/remotes/origin/develop', 'HEAD')
    tree.git('switch', '-qc', 'fix')
    tree.write('a.ts', lines({ 5: 'x' }))
    const { sent } = await tree.changes({ defaultBranch: 'develop' })
    expect(sent?.files.map(({ path }) => path)).toEqual(['a.ts'])
  })

  it('is no upstream of another name', async () => {
    const tree = newTree()
    tree.git('switch', '-qc', 'fix')
    tree.git('update-ref', 'refs/remotes/origin/other', 'HEAD')
    tree.git('config', 'branch.fix.remote', 'origin')
    tree.git('config', 'branch.fix.merge', 'refs/heads/other')
    const base = await findBase(await tree.open(), { given: undefined, remote: 'origin', defaultBranch: 'main' })
    expect(base).toEqual({ named: null, ref: 'refs/remotes/origin/main' })
  })

  it.each(['feat/a', 'origin/feat/a', 'refs/heads/feat/a'])('is named by --base %s', async (given) => {
    const tree = newTree()
    tree.git('update-ref', 'refs/remotes/origin/feat/a', 'HEAD')
    const base = await findBase(await tree.open(), { given, remote: 'origin', defaultBranch: 'main' })
    expect(base).toEqual({ named: 'feat/a', ref: 'refs/remotes/origin/feat/a' })
  })

  it('is named by the setting of gh, if the remote has such a branch', async () => {
    const tree = newTree()
    tree.git('update-ref', 'refs/remotes/origin/release', 'HEAD')
    const question = { given: undefined, remote: 'origin', defaultBranch: 'main' }
    for (const [setting, named] of [
      ['release', 'release'],
      ['gone', null],
    ] as const) {
      tree.git('config', 'branch.main.gh-merge-base', setting)
      expect(await findBase(await tree.open(), question)).toMatchObject({ named })
    }
  })

  it('is refused where --base names no branch of the remote', async () => {
    const tree = newTree()
    tree.git('branch', 'mian')
    const asked = findBase(await tree.open(), { given: 'mian', remote: 'origin', defaultBranch: 'main' })
    await expect(asked).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('no branch mian') })
  })

  it('is before the commits that no remote branch has, where the clone lacks the default branch', async () => {
    const tree = newTree()
    const pushed = tree.git('rev-parse', 'HEAD')
    tree.write('b.ts', 'b\n')
    tree.commit()
    const opened = await tree.open()
    expect(await findMergeBase(opened, { named: null, ref: null })).toBe(pushed)
    tree.git('update-ref', 'refs/remotes/origin/fix', 'HEAD')
    expect(await findMergeBase(opened, { named: null, ref: null })).toBe(opened.head)
  })
})

describe('§14 the branch', () => {
  it('is the one that is checked out, also before its first commit and where HEAD is a link to it', async () => {
    const tree = newTree()
    tree.git('switch', '-q', '--orphan', 'bare/new')
    expect(await tree.open()).toMatchObject({ branch: 'bare/new', head: null })
    rmSync(join(tree.path, '.git/HEAD'))
    symlinkSync('refs/heads/main', join(tree.path, '.git/HEAD'))
    expect((await tree.open()).branch).toBe('main')
  })

  it('is the one that a rebase, a bisect or an am began on', async () => {
    const tree = newTree()
    tree.git('switch', '-qc', 'fix')
    tree.write('a.ts', lines({ 10: 'mine' }))
    const mine = tree.commit()
    tree.git('switch', '-q', 'main')
    tree.write('a.ts', lines({ 10: 'theirs' }))
    tree.commit()
    runGit(tree.path, 'rebase', 'main', 'fix')
    expect(await tree.open()).toMatchObject({ branch: 'fix', operation: 'rebase' })
    tree.git('rebase', '--abort')
    tree.git('bisect', 'start', 'HEAD', 'main~1')
    expect(await tree.open()).toMatchObject({ operation: 'bisect' })
    tree.git('bisect', 'reset')
    tree.git('switch', '-q', 'main')
    const patch = join(newDirectory(), 'patch')
    writeFileSync(patch, `${tree.git('format-patch', '-1', '--stdout', mine)}\n`)
    runGit(tree.path, 'am', patch)
    expect(await tree.open()).toMatchObject({ branch: 'main', operation: 'am' })
  })

  it('is null for a detached head, and known before the first commit', async () => {
    const tree = newTree()
    tree.git('switch', '-q', '--detach')
    expect(await tree.open()).toMatchObject({ branch: null, head: expect.any(String), operation: null })
    tree.git('switch', '-q', '--orphan', 'new#%🦊')
    expect(await tree.open()).toMatchObject({ branch: 'new#%🦊', head: null })
  })
})
