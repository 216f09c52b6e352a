import { chmodSync, mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FileChange } from '../../../src/core/changes/file-change.ts'
import { parseGitDiff, patchesIn } from '../../../src/core/changes/git-diff.ts'
import { changedLines } from '../../../src/core/changes/unified-diff.ts'
import { scratch } from '../../support/scratch.ts'
import { changedOf, edits, newText, oldText } from './edits.ts'
import { git } from './git.ts'

const flags = ['--raw', '-z', '--patch', '-M', '--no-color', '--src-prefix=a/', '--dst-prefix=b/']

function change(path: string, status: string, lines: number[][] | null, previous_path: string | null = null) {
  return { path, previous_path, status, lines }
}

/** Blobs are tested with the work trees that they are of. */
const withoutBlob = ({ blob: _, ...rest }: FileChange) => rest

describe('the output of git diff', () => {
  it('is read with the names, statuses and lines of all kinds of changes', async () => {
    const top = await scratch()
    const write = (path: string, text: string | Buffer) => writeFileSync(join(top, path), text)
    git(top, 'init', '-q')
    mkdirSync(join(top, 'src'))
    for (const name of ['a b.txt', 'ü".txt', 'tab\t.txt', 'two\nlines.txt', 'last.txt', 'separators.txt']) {
      write(name, oldText(9))
    }
    write('src/old.ts', oldText(20))
    write('same.ts', `${oldText(20)}same\n`)
    write('binary', Buffer.from([0, 1]))
    write('gone.bin', Buffer.from([0, 1, 2]))
    write('gone.txt', oldText(3))
    write('run.sh', 'x\n')
    symlinkSync('binary', join(top, 'link'))
    git(top, 'add', '-A')
    git(top, '-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-qm', 'x')

    write('a b.txt', oldText(9).replace('line 3', 'LINE 3'))
    write('ü".txt', oldText(10))
    write('tab\t.txt', `new\n${oldText(9)}`)
    write('two\nlines.txt', oldText(9).replace('line 5\nline 6\n', ''))
    write('last.txt', oldText(9).trimEnd())
    write('separators.txt', oldText(9).replace('line 4', 'a\rdiff --git a/x b/x\u2028@@ -1 +1 @@'))
    unlinkSync(join(top, 'src/old.ts'))
    write('src/new name.ts', oldText(20).replace('line 7', 'LINE 7'))
    unlinkSync(join(top, 'same.ts'))
    write('moved.ts', `${oldText(20)}same\n`)
    write('binary', Buffer.from([0, 2]))
    for (const name of ['gone.bin', 'gone.txt', 'link']) unlinkSync(join(top, name))
    write('link', 'a file now\n')
    chmodSync(join(top, 'run.sh'), 0o755)
    write('added.txt', '--- a/x\n+++ b/x\n')
    write('added.bin', Buffer.from([0]))
    write('empty', '')
    git(top, 'add', '-A')

    for (const context of ['-U0', '-U3']) {
      const changes = parseGitDiff(git(top, 'diff', '--cached', ...flags, context, 'HEAD').out).map(withoutBlob)
      expect(changes.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
        change('a b.txt', 'modified', [[3, 3]]),
        change('added.bin', 'added', [[0, 1]]),
        change('added.txt', 'added', [[0, 1]]),
        change('binary', 'modified', null),
        change('empty', 'added', [[0, 1]]),
        change('gone.bin', 'removed', null),
        change('gone.txt', 'removed', [[1, 3]]),
        change('last.txt', 'modified', [[9, 9]]),
        change('link', 'modified', [[1, 1]]),
        change('moved.ts', 'renamed', [], 'same.ts'),
        change('run.sh', 'modified', []),
        change('separators.txt', 'modified', [[4, 4]]),
        change('src/new name.ts', 'renamed', [[7, 7]], 'src/old.ts'),
        change('tab\t.txt', 'modified', [[0, 1]]),
        { ...change('two\nlines.txt', 'modified', [[5, 6]]), inserts: [] },
        change('ü".txt', 'modified', [[9, 10]]),
      ])
    }
  })

  it('has the lines that were really edited, in a hundred files at once', async () => {
    const top = await scratch()
    const made = fc.sample(
      fc.integer({ min: 1, max: 40 }).chain((length) => edits(length, 'new')),
      { numRuns: 100, seed: 20261122 },
    )
    const edited = made.filter((edit) => newText(edit) !== oldText(edit.length) && newText(edit) !== '')
    for (const side of ['a', 'b']) mkdirSync(join(top, side))
    for (const [n, edit] of edited.entries()) {
      writeFileSync(join(top, 'a', `${n}.txt`), oldText(edit.length))
      writeFileSync(join(top, 'b', `${n}.txt`), newText(edit))
    }
    const expected = new Map(edited.map((edit, n) => [`${n}.txt`, changedOf(edit)]))
    expect(expected.size).toBeGreaterThan(60)
    for (const context of ['-U0', '-U3']) {
      const { out } = git(top, 'diff', '--no-index', ...flags, '--no-renames', context, 'a', 'b')
      const changes = parseGitDiff(out)
      expect(
        new Map(changes.map(({ path, lines, inserts }) => [path.replace(/^a\//, ''), { lines, inserts }])),
      ).toEqual(expected)
      // The hunks alone are what GitHub calls a patch.
      for (const [n, text] of out.split('diff --git ').slice(1).entries()) {
        expect(changedLines(text.slice(text.indexOf('\n@@ ') + 1))).toMatchObject({ lines: changes[n]?.lines })
      }
    }
  })

  it('returns names without lines where names and patches do not match', async () => {
    const top = await scratch()
    git(top, 'init', '-q')
    for (const name of ['a', 'b']) writeFileSync(join(top, name), oldText(3))
    git(top, 'add', '-A')
    for (const name of ['a', 'b']) writeFileSync(join(top, name), oldText(4))
    const { out } = git(top, 'diff', ...flags, '-U0')
    expect(parseGitDiff(out).map(({ lines }) => lines)).toEqual([[[3, 4]], [[3, 4]]])
    const cut = out.slice(0, out.lastIndexOf('diff --git '))
    expect(parseGitDiff(cut)).toEqual([change('a', 'modified', null), change('b', 'modified', null)])
    expect(parseGitDiff(out.slice(0, -2)).map(({ lines }) => lines)).toEqual([[[3, 4]], [[3, 4]]])
    expect(parseGitDiff(out.slice(0, -'+line 4\n'.length)).map(({ lines }) => lines)).toEqual([[[3, 4]], null])
  })

  it('returns an unmerged file without lines, and others with theirs', async () => {
    const top = await scratch()
    git(top, 'init', '-q', '-b', 'main')
    const by = ['-c', 'user.name=a', '-c', 'user.email=a@b.c']
    const write = (path: string, text: string) => writeFileSync(join(top, path), text)
    const commit = (text: string) => {
      write('b', text)
      git(top, 'add', '-A')
      git(top, ...by, 'commit', '-qm', 'x')
    }
    for (const name of ['a', 'c']) write(name, oldText(3))
    commit(oldText(3))
    git(top, 'checkout', '-qb', 'other')
    commit(oldText(4))
    git(top, 'checkout', '-q', 'main')
    commit(`${oldText(3)}else\n`)
    git(top, ...by, 'merge', '-q', 'other')
    for (const name of ['a', 'c']) write(name, oldText(4))
    git(top, 'add', 'a', 'c')
    const { out } = git(top, 'diff', '--cached', ...flags, '-U0', 'HEAD')
    expect(out).toContain('Unmerged path b')
    const a = change('a', 'modified', [[3, 4]])
    expect(parseGitDiff(out)).toEqual([a, change('b', 'modified', null), change('c', 'modified', [[3, 4]])])
  })

  it('has one patch for each file, but a file that became a link has two, and is left out', async () => {
    const top = await scratch()
    git(top, 'init', '-q')
    for (const name of ['a', 'b', 'c']) writeFileSync(join(top, name), oldText(3))
    git(top, 'add', '-A')
    for (const name of ['a', 'c']) writeFileSync(join(top, name), `${oldText(2)}${name}\n`)
    unlinkSync(join(top, 'b'))
    symlinkSync('a', join(top, 'b'))
    const patches = patchesIn(git(top, 'diff', ...flags, '-U0').out)
    expect([...patches.keys()]).toEqual(['a', 'c'])
    expect(patches.get('c')).toMatch(/^a\/c b\/c\n.*\n@@ -3 \+3 @@ line 2\n-line 3\n\+c\n$/s)
  })

  it('may be empty', () => expect(parseGitDiff('')).toEqual([]))
})
