import { describe, expect, it } from 'vitest'
import { changeOfGithubFile, type GithubFile } from '../../../src/core/changes/github-file.ts'
import { linesOfPatch } from '../../../src/core/changes/patch.ts'

const patch = (...lines: string[]) => lines.join('\n')

describe('§5 the changed lines of a patch', () => {
  it.each<[string, string, number[][]]>([
    ['one line', patch('@@ -3 +3 @@', '-a', '+b'), [[3, 3]]],
    ['an insertion', patch('@@ -3,0 +4,2 @@ f()', '+a', '+b'), [[4, 3]]],
    ['an insertion with context', patch('@@ -3,2 +3,3 @@ f()', ' a', '+b', ' c'), [[4, 3]]],
    ['an insertion at the top', patch('@@ -0,0 +1 @@', '+a'), [[1, 0]]],
    ['a removal of two lines', patch('@@ -3,2 +2,0 @@', '-a', '-b'), [[3, 4]]],
    [
      'two hunks without a line between them',
      patch('@@ -1,2 +1,2 @@', ' a', '-b', '+B', '@@ -3,2 +3 @@', '-c', ' d'),
      [
        [2, 2],
        [3, 3],
      ],
    ],
    ['what looks like headers', patch('@@ -1,2 +1,2 @@', '--- a/x', '-@@ -1 +1 @@', '+++ b/x', '+diff'), [[1, 2]]],
    [
      'a last line that gets its line break',
      patch('@@ -1,2 +1,2 @@', ' a', '-b', '\\ No newline at end of file', '+b'),
      [[2, 2]],
    ],
    [
      'carriage returns and other separators',
      patch('@@ -1,2 +1,2 @@', ' a\r', '-b\u2028@@ -9 +9 @@', '+b\r'),
      [[2, 2]],
    ],
  ])('are read of %s', (_, text, lines) => expect(linesOfPatch(text)).toEqual(lines))

  it.each([
    ['nothing', ''],
    ['text', 'Binary files a/x and b/x differ'],
    ['a merge', patch('@@@ -3,1 -3,1 +3,1 @@@', '--a', '++b')],
    ['a hunk without its lines', '@@ -3 +3,2 @@'],
    ['a hunk that breaks off', patch('@@ -3,3 +3,3 @@', ' a', '-b')],
    ['a hunk that is too long', patch('@@ -3 +3 @@', '-a', '+b', '+c')],
    ['a hunk whose context goes past its end', patch('@@ -3 +3,2 @@', '-a', ' b', ' c')],
    ['hunks in the wrong order', patch('@@ -9 +9 @@', '-a', '+b', '@@ -3 +3 @@', '-a', '+b')],
    ['hunks that overlap', patch('@@ -3,2 +3,2 @@', ' a', '-b', '+c', '@@ -4 +4 @@', '-b', '+d')],
    ['two files', patch('@@ -3 +3 @@', '-a', '+b', '--- a/x', '+++ b/x', '@@ -9 +9 @@', '-a', '+b')],
  ])('are not known of %s', (_, text) => expect(linesOfPatch(text)).toBeNull())
})

const file: GithubFile = {
  ...{ filename: 'src/a.ts', status: 'modified', additions: 1, deletions: 1 },
  patch: '@@ -1,3 +1,3 @@\n a\n-b\n+B\n c',
}
const { patch: _, ...withoutPatch } = file

describe('§5 a file of a pull request', () => {
  it.each<[string, GithubFile, object]>([
    ['modified', file, { status: 'modified', lines: [[2, 2]], previous_path: null }],
    ['renamed', { ...file, status: 'renamed', previous_filename: 'b' }, { status: 'renamed', previous_path: 'b' }],
    ['removed', { ...file, status: 'removed' }, { status: 'removed', lines: [[2, 2]] }],
    ['added', { ...withoutPatch, status: 'added' }, { status: 'added', lines: [[1, 0]] }],
    ['copied', { ...file, status: 'copied', previous_filename: 'b' }, { status: 'added', previous_path: null }],
    ['of a new mode', { ...file, status: 'changed' }, { status: 'modified' }],
  ])('that is %s', (_, given, expected) => {
    expect(changeOfGithubFile(given)).toMatchObject({ path: 'src/a.ts', ...expected })
  })

  it.each<[string, GithubFile, number[][] | null]>([
    ['binary is changed as a whole', { ...withoutPatch, additions: 0, deletions: 0 }, []],
    ['renamed without a change has none that are known', { ...withoutPatch, status: 'renamed', additions: 0 }, null],
    ['too large has none that are known', { ...withoutPatch, additions: 9000 }, null],
    ['without all hunks has none that are known', { ...file, additions: 2 }, null],
    ['without all removed lines has none that are known', { ...file, deletions: 2 }, null],
  ])('that is %s', (_, given, lines) => expect(changeOfGithubFile(given).lines).toEqual(lines))
})
