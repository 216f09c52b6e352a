import { chmodSync, mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { changesOfGitDiff } from '../../../src/core/changes/git-diff.ts'
import { runGit } from '../../support/run-git.ts'
import { scratch } from '../../support/scratch.ts'
import { edits, linesOf, newText, oldText } from './edits.ts'

const flags = ['--raw', '-z', '--patch', '-U0', '-M']

function change(path: string, status: string, lines: number[][] | null, previous_path: string | null = null) {
  return { path, previous_path, status, lines }
}

function repository() {
  const top = scratch()
  runGit(top, 'init', '-q')
  const write = (path: string, text: string | Buffer) => writeFileSync(join(top, path), text)
  const commit = () => {
    runGit(top, 'add', '-A')
    runGit(top, 'commit', '-qm', 'x')
  }
  return { top, write, commit }
}

it('§14 names, statuses and lines of all kinds of changes are read', () => {
  const { top, write, commit } = repository()
  mkdirSync(join(top, 'src'))
  for (const name of ['a b.txt', 'ü".txt', 'tab\t.txt', 'two\nlines.txt', 'last.txt', 'separators.txt'])
    write(name, oldText(9))
  write('src/old.ts', oldText(20))
  write('same.ts', `${oldText(20)}same\n`)
  write('binary', Buffer.from([0, 1]))
  write('gone.bin', Buffer.from([0, 1, 2]))
  write('gone.txt', oldText(3))
  write('run.sh', 'x\n')
  symlinkSync('binary', join(top, 'link'))
  commit()

  write('a b.txt', oldText(9).replace('line 3', 'LINE 3'))
  write('ü".txt', oldText(10))
  write('tab\t.txt', `new\n${oldText(9)}`)
  write('two\nlines.txt', oldText(9).replace('line 5\nline 6\n', ''))
  write('last.txt', oldText(9).trimEnd())
  write('separators.txt', oldText(9).replace('line 4', 'a\rdiff --git a/x b/x\u2028@@ -1 +1 @@'))
  for (const name of ['src/old.ts', 'same.ts', 'gone.bin', 'gone.txt', 'link']) unlinkSync(join(top, name))
  write('src/new name.ts', oldText(20).replace('line 7', 'LINE 7'))
  write('moved.ts', `${oldText(20)}same\n`)
  write('binary', Buffer.from([0, 2]))
  write('link', 'a file now\n')
  chmodSync(join(top, 'run.sh'), 0o755)
  write('added.txt', '--- a/x\n+++ b/x\n')
  write('empty', '')
  runGit(top, 'add', '-A')

  const changes = changesOfGitDiff(runGit(top, 'diff', '--cached', ...flags, 'HEAD').out)
  expect(changes.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    change('a b.txt', 'modified', [[3, 3]]),
    change('added.txt', 'added', [[1, 0]]),
    change('binary', 'modified', []),
    change('empty', 'added', [[1, 0]]),
    change('gone.bin', 'removed', null),
    change('gone.txt', 'removed', [[1, 3]]),
    change('last.txt', 'modified', [[9, 9]]),
    change('link', 'modified', []),
    change('moved.ts', 'renamed', null, 'same.ts'),
    change('run.sh', 'modified', []),
    change('separators.txt', 'modified', [[4, 4]]),
    change('src/new name.ts', 'renamed', [[7, 7]], 'src/old.ts'),
    change('tab\t.txt', 'modified', [[1, 0]]),
    change('two\nlines.txt', 'modified', [[5, 6]]),
    change('ü".txt', 'modified', [[10, 9]]),
  ])
})

it('§14 the lines are those that were really edited, in many files at once', () => {
  const { top, write } = repository()
  const made = fc.sample(
    fc.integer({ min: 1, max: 40 }).chain((length) => edits(length, 'new')),
    { numRuns: 60, seed: 20261122 },
  )
  const edited = made.filter((edit) => newText(edit) !== oldText(edit.length) && newText(edit) !== '')
  for (const [n, edit] of edited.entries()) write(`${n}.txt`, oldText(edit.length))
  runGit(top, 'add', '-A')
  for (const [n, edit] of edited.entries()) write(`${n}.txt`, newText(edit))
  const expected = Object.fromEntries(edited.map((edit, n) => [`${n}.txt`, linesOf(edit)]))
  expect(edited.length).toBeGreaterThan(35)
  for (const context of ['-U0', '-U3']) {
    const changes = changesOfGitDiff(runGit(top, 'diff', ...flags, context).out)
    expect(Object.fromEntries(changes.map(({ path, lines }) => [path, lines]))).toEqual(expected)
  }
})

it('§14 an output that breaks off gives names without lines, and no wrong lines', () => {
  const { top, write } = repository()
  for (const name of ['a', 'b']) write(name, oldText(3))
  runGit(top, 'add', '-A')
  for (const name of ['a', 'b']) write(name, oldText(5))
  const { out } = runGit(top, 'diff', ...flags)
  expect(changesOfGitDiff(out).map(({ lines }) => lines)).toEqual([[[4, 3]], [[4, 3]]])
  const cut = out.slice(0, out.lastIndexOf('diff --git '))
  expect(changesOfGitDiff(cut)).toEqual([change('a', 'modified', null), change('b', 'modified', null)])
  expect(changesOfGitDiff(out.slice(0, -'+line 5\n'.length)).map(({ lines }) => lines)).toEqual([[[4, 3]], null])
})

it('§14 an unmerged file has no lines, and others keep theirs', () => {
  const { top, write, commit } = repository()
  const save = (text: string) => {
    write('b', text)
    commit()
  }
  for (const name of ['a', 'c']) write(name, oldText(3))
  save(oldText(3))
  runGit(top, 'checkout', '-qb', 'other')
  save(oldText(4))
  runGit(top, 'checkout', '-q', 'main')
  save(`${oldText(3)}else\n`)
  runGit(top, 'merge', '-q', 'other')
  for (const name of ['a', 'c']) write(name, oldText(4))
  runGit(top, 'add', 'a', 'c')
  const { out } = runGit(top, 'diff', '--cached', ...flags, 'HEAD')
  expect(out).toContain('Unmerged path b')
  const [a, c] = ['a', 'c'].map((path) => change(path, 'modified', [[4, 3]]))
  expect(changesOfGitDiff(out)).toEqual([a, change('b', 'modified', null), c])
})

it('§14 no output is no change', () => expect(changesOfGitDiff('')).toEqual([]))
