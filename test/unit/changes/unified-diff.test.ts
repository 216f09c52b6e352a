import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changedLines } from '../../../src/core/changes/unified-diff.ts'
import { changedOf, edits, hunksOf } from './edits.ts'

const edit = fc.integer({ min: 0, max: 30 }).chain((length) => edits(length, 'new'))
const patch = (...lines: string[]) => lines.join('\n')

describe('the changed lines of a patch', () => {
  it('are those of the edit, with any amount of context', () => {
    fc.assert(
      fc.property(
        edit.filter(({ runs }) => runs.length > 0),
        fc.nat(4),
        (made, context) => {
          const text = hunksOf(made, context)
          expect(changedLines(text)).toEqual(changedOf(made))
          expect(changedLines(`${text}\n`)).toEqual(changedOf(made))
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('are not known where any line of it is missing', () => {
    fc.assert(
      fc.property(
        edit.filter(({ runs }) => runs.length > 0),
        fc.nat(4),
        fc.nat(),
        (made, context, seed) => {
          const lines = hunksOf(made, context).split('\n')
          const counts = {
            additions: lines.filter((line) => line.startsWith('+')).length,
            deletions: lines.filter((line) => line.startsWith('-')).length,
          }
          expect(changedLines(lines.join('\n'), counts)).toEqual(changedOf(made))
          expect(changedLines(lines.toSpliced(seed % lines.length, 1).join('\n'), counts)).toEqual({ lines: null })
          expect(changedLines(lines.slice(0, seed % lines.length).join('\n'), counts)).toEqual({ lines: null })
        },
      ),
      { numRuns: 2000 },
    )
  })

  it.each<[string, string, number[][], number[]?]>([
    ['one line', patch('@@ -3 +3 @@', '-a', '+b'), [[3, 3]]],
    ['an insertion', patch('@@ -3,0 +4,2 @@ f()', '+a', '+b'), [[3, 4]]],
    ['an insertion at the top', patch('@@ -0,0 +1 @@', '+a'), [[0, 1]]],
    ['a removal of two lines', patch('@@ -3,2 +2,0 @@', '-a', '-b'), [[3, 4]], []],
    ['a whole file', patch('@@ -1,2 +0,0 @@', '-a', '-b'), [[1, 2]], []],
    [
      'two hunks without a line between them',
      patch('@@ -1,2 +1,2 @@', ' a', '-b', '+B', '@@ -3,2 +3 @@', '-c', ' d'),
      [
        [2, 2],
        [3, 3],
      ],
    ],
    ['what looks like headers', patch('@@ -1,2 +1,2 @@', '--- a/x', '-@@ -1 +1 @@', '+++ b/x', '+diff'), [[1, 2]], []],
    [
      'two lines for two, and an insertion',
      patch('@@ -3,2 +3,2 @@', '-a', '-b', '+c', '+d', '@@ -8,0 +9 @@', '+e'),
      [
        [3, 4],
        [8, 9],
      ],
      [1],
    ],
    [
      'a last line that gets its line break',
      patch('@@ -1,2 +1,2 @@', ' a', '-b', '\\ No newline at end of file', '+b'),
      [[2, 2]],
    ],
    [
      'a last line that loses its line break',
      patch('@@ -1,2 +1,2 @@', ' a', '-b', '+b', '\\ No newline at end of file'),
      [[2, 2]],
    ],
    [
      'carriage returns and other separators',
      patch('@@ -1,2 +1,2 @@', ' a\r', '-b\u2028@@ -9 +9 @@', '+b\r'),
      [[2, 2]],
    ],
  ])('are read of %s', (_, text, lines, inserts) => expect(changedLines(text)).toEqual({ lines, inserts }))

  it.each([
    ['nothing', ''],
    ['text', 'Binary files a/x and b/x differ'],
    ['text before the hunk', patch('--- a/x', '+++ b/x', '@@ -3 +3 @@', '-a', '+b')],
    ['text after the hunk', patch('@@ -3 +3 @@', '-a', '+b', 'Diff truncated')],
    ['a merge', patch('@@@ -3,1 -3,1 +3,1 @@@', '--a', '++b')],
    ['a hunk without its lines', '@@ -3 +3 @@'],
    ['a hunk that is too long', patch('@@ -3 +3 @@', '-a', '+b', '+c')],
    ['a hunk that adds more than its header says', patch('@@ -3 +3 @@', '+a', '+b', '-c')],
    ['a hunk whose context goes past its end', patch('@@ -3 +3,2 @@', '-a', ' b', ' c')],
    ['an empty line for context', patch('@@ -3,2 +3,2 @@', '', '-a', '+b')],
    ['hunks in the wrong order', patch('@@ -9 +9 @@', '-a', '+b', '@@ -3 +3 @@', '-a', '+b')],
    ['hunks that overlap', patch('@@ -3,2 +3,2 @@', ' a', '-b', '+c', '@@ -4 +4 @@', '-b', '+d')],
  ])('are not known of %s', (_, text) => expect(changedLines(text)).toEqual({ lines: null }))
})
