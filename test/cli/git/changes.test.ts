import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findBase } from '../../../src/cli/git/base.ts'
import { readChanges } from '../../../src/cli/git/changes.ts'
import { lines, newDirectory } from '../../support/command-line.ts'
import { runGit } from '../../support/run-git.ts'
import { newTree, treeAt } from './test-tree.ts'

describe('§14 changes', () => {
  it('are those of commits, of the index, of the work tree, and new files', async () => {
    const tree = newTree()
    tree.git('switch', '-qc', 'fix')
    tree.write('b.ts', 'b\n')
    const first = tree.commit()
    tree.write('a.ts', lines({ 10: 'x', 20: 'y' }))
    tree.git('add', 'a.ts')
    tree.write('a.ts', lines({ 10: 'x', 30: 'z' }))
    tree.write('c d.ts', 'c\n')
    const { sent } = await tree.changes()
    expect(sent).toEqual({
      commits: [first],
      files: [
        {
          path: 'a.ts',
          status: 'modified',
          lines: [
            [10, 10],
            [30, 30],
          ],
        },
        { path: 'b.ts', status: 'added', lines: [[1, 0]] },
        { path: 'c d.ts', status: 'added', lines: [[1, 0]] },
      ],
      files_total: 3,
    })
  })

  it('name the head only where nothing is uncommitted', async () => {
    const tree = newTree()
    tree.write('a.ts', lines({ 10: 'x' }))
    expect((await tree.changes()).sent).not.toHaveProperty('head_sha')
    const head = tree.commit()
    expect((await tree.changes()).sent).toMatchObject({ head_sha: head, commits: [head] })
    tree.write('new.ts', 'n\n')
    expect((await tree.changes()).sent).not.toHaveProperty('head_sha')
  })

  it.each(['with spaces "and" quotes.ts', '-n.ts', 'tab\there.ts', 'line\nend.ts', '🦊/عربي.ts', 'a: b.ts'])(
    'take a file of the name %j',
    async (name) => {
      const tree = newTree()
      tree.git('switch', '-qc', 'fix')
      mkdirSync(dirname(join(tree.path, name)), { recursive: true })
      tree.write(name, lines())
      tree.commit()
      tree.git('update-ref', 'refs/remotes/origin/main', 'HEAD')
      tree.write(name, lines({ 7: 'x' }))
      expect((await tree.changes()).sent?.files).toEqual([{ path: name, status: 'modified', lines: [[7, 7]] }])
    },
  )

  it('count a file whose name is not UTF-8, and leave it out', async () => {
    const tree = newTree()
    writeFileSync(Buffer.concat([Buffer.from(`${tree.path}/a`), Buffer.from([0xff]), Buffer.from('.ts')]), 'x\n')
    expect((await tree.changes()).sent).toMatchObject({ files: [], files_total: 1 })
  })

  it('are told the same whatever the settings of git are', async () => {
    const tree = newTree()
    tree.write('a.ts', lines({ 10: 'x' }))
    for (const [key, value] of [
      ['diff.noprefix', 'true'],
      ['diff.mnemonicPrefix', 'true'],
      ['diff.external', 'false'],
      ['diff.interHunkContext', '5'],
      ['diff.context', '9'],
      ['diff.relative', 'true'],
      ['diff.submodule', 'log'],
      ['color.ui', 'always'],
      ['status.showUntrackedFiles', 'no'],
      ['core.quotePath', 'true'],
    ] as const)
      tree.git('config', key, value)
    tree.write('ä.ts', 'n\n')
    expect((await tree.changes()).sent?.files).toEqual([
      { path: 'a.ts', status: 'modified', lines: [[10, 10]] },
      { path: 'ä.ts', status: 'added', lines: [[1, 0]] },
    ])
  })

  it('run no filter of the clone, and tell no lines of what a filter changes', async () => {
    const tree = newTree()
    const marker = join(newDirectory(), 'pwned')
    tree.write('.gitattributes', '* filter=x\n')
    tree.commit()
    tree.git('update-ref', 'refs/remotes/origin/main', 'HEAD')
    for (const name of ['x', 'a=b']) {
      for (const key of ['clean', 'smudge', 'process']) tree.git('config', `filter.${name}.${key}`, `touch ${marker}`)
      tree.git('config', `filter.${name}.required`, 'true')
    }
    tree.write('a.ts', lines({ 10: 'x' }))
    expect((await tree.changes()).sent?.files).toEqual([{ path: 'a.ts', status: 'modified', lines: null }])
    expect(existsSync(marker)).toBe(false)
    // So the attack works where git runs by itself.
    runGit(tree.path, 'diff')
    expect(existsSync(marker)).toBe(true)
  })

  it('leave out files that were touched and not changed, and write nothing into .git', async () => {
    const tree = newTree()
    tree.write('b.ts', lines())
    tree.commit()
    tree.git('update-ref', 'refs/remotes/origin/main', 'HEAD')
    utimesSync(join(tree.path, 'b.ts'), 1, 1)
    tree.write('a.ts', lines({ 10: 'x' }))
    const index = readFileSync(join(tree.path, '.git/index'))
    expect((await tree.changes()).sent?.files).toEqual([{ path: 'a.ts', status: 'modified', lines: [[10, 10]] }])
    expect(readFileSync(join(tree.path, '.git/index'))).toEqual(index)
  })

  it('leave out what lies in a submodule, and name a submodule at another commit', async () => {
    const [tree, inner] = [newTree(), newTree()]
    tree.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'lib')
    tree.commit()
    tree.git('update-ref', 'refs/remotes/origin/main', 'HEAD')
    tree.write('lib/built.js', 'x\n')
    expect((await tree.changes()).sent?.files).toEqual([])
    runGit(join(tree.path, 'lib'), 'commit', '-q', '--allow-empty', '-m', 'Move')
    expect((await tree.changes()).sent?.files).toMatchObject([{ path: 'lib', status: 'modified' }])
  })

  it('are all files before the first commit', async () => {
    const tree = treeAt(newDirectory())
    tree.git('init', '-q', '-b', 'main')
    tree.write('a.ts', 'a\n')
    expect((await tree.changes()).sent).toEqual({
      commits: [],
      files: [{ path: 'a.ts', status: 'added', lines: [[1, 0]] }],
      files_total: 1,
    })
  })

  it('are not those of a base branch that is being merged', async () => {
    const tree = newTree()
    tree.git('switch', '-qc', 'fix')
    tree.write('a.ts', lines({ 10: 'mine' }))
    tree.commit()
    tree.git('switch', '-q', 'main')
    tree.write('b.ts', 'b\n')
    tree.write('a.ts', lines({ 10: 'theirs' }))
    tree.commit()
    tree.git('update-ref', 'refs/remotes/origin/main', 'HEAD')
    tree.git('switch', '-q', 'fix')
    runGit(tree.path, 'merge', '-q', 'main')
    expect((await tree.changes()).sent?.files.map(({ path }) => path)).toEqual(['a.ts'])
  })

  it('work with SHA-256, linked work trees, sparse checkouts and GIT_DIR of somebody else', async () => {
    const tree = newTree('--object-format=sha256')
    tree.git('sparse-checkout', 'set', '--no-cone', '/a.ts')
    const linked = treeAt(join(newDirectory(), 'linked'))
    tree.git('worktree', 'add', '-q', '-b', 'fix', linked.path)
    linked.write('a.ts', lines({ 3: 'x' }))
    const opened = await linked.open({ GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere', GIT_WORK_TREE: '/' })
    expect(opened).toMatchObject({ branch: 'fix', top: linked.path })
    const base = await findBase(opened, { given: undefined, remote: 'origin', defaultBranch: 'main' })
    const { sent } = await readChanges(opened, base)
    expect(sent?.files).toEqual([{ path: 'a.ts', status: 'modified', lines: [[3, 3]] }])
  })
})
