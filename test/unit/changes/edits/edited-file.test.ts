import { expect, it } from 'vitest'
import type { Edit } from '../../../../src/core/changes/edits/edit.ts'
import { editedFile, movedFile, type PresentFile } from '../../../../src/core/changes/edits/edited-file.ts'
import type { FileChange } from '../../../../src/core/changes/file-change.ts'
import { oldText } from '../edits.ts'

const edit: Edit = { kind: 'replace', replacements: [{ oldText: 'line 7', newText: 'x', all: false }] }
const absent: Edit = { kind: 'replace', replacements: [{ oldText: 'no such line', newText: 'x', all: false }] }

function change(status: FileChange['status'], lines: number[][] | null, previous: string | null = null) {
  return { path: 'a.ts', previous_path: previous, status, lines }
}

const unchanged: PresentFile = { exists: true, text: oldText(10), hunks: [] }
/** Two lines were inserted after line 3 and one was changed. */
const changed: PresentFile = {
  exists: true,
  text: oldText(10).replace('line 3\n', 'line 3\nnew\nnew\n').replace('line 9\n', 'LINE 9\n'),
  hunks: [
    { before: [3, 3], after: [3, 5] },
    { before: [8, 9], after: [10, 11] },
  ],
}
const missing: PresentFile = { exists: false, text: null, hunks: null }
const binary: PresentFile = { exists: true, text: null, hunks: null }
const earlier = change('modified', [
  [3, 4],
  [9, 9],
])

it.each<[string, object | undefined, Edit, PresentFile, object]>([
  ['an unchanged file', undefined, edit, unchanged, change('modified', [[7, 7]])],
  [
    'a changed file',
    earlier,
    edit,
    changed,
    change('modified', [
      [3, 4],
      [7, 7],
      [9, 9],
    ]),
  ],
  [
    'a renamed file',
    change(
      'renamed',
      [
        [3, 4],
        [9, 9],
      ],
      'old.ts',
    ),
    edit,
    changed,
    change(
      'renamed',
      [
        [3, 4],
        [7, 7],
        [9, 9],
      ],
      'old.ts',
    ),
  ],
  ['a new file', change('added', [[0, 1]]), edit, unchanged, change('added', [[0, 1]])],
  ['a file that is not there yet', undefined, { kind: 'write' }, missing, change('added', [[0, 1]])],
  ['a removed file', change('removed', [[1, 10]]), { kind: 'write' }, missing, change('modified', [[1, 10]])],
  ['an unchanged file, by an edit that is not located', undefined, absent, unchanged, change('modified', null)],
  ['a changed file, by an edit that is not located', earlier, absent, changed, earlier],
  ['a file that is no text', undefined, { kind: 'write' }, binary, change('modified', null)],
  ['a file with unknown lines', change('modified', null), edit, { ...changed, hunks: null }, change('modified', null)],
  ['a whole file', undefined, { kind: 'write' }, unchanged, change('modified', [[1, 10]])],
  ['a whole changed file', earlier, { kind: 'write' }, changed, change('modified', [[1, 10]])],
  ['a whole empty file', undefined, { kind: 'write' }, { ...unchanged, text: '' }, change('modified', [[0, 1]])],
  ['a file that goes', undefined, { kind: 'remove' }, unchanged, change('removed', [[1, 10]])],
])('%s has the expected changes after the edit', (_, known, made, present, expected) => {
  expect(editedFile('a.ts', known as FileChange | undefined, made, present)).toEqual(expected)
})

it('a moved file is a renamed one, and a new one stays new', () => {
  const moved = (given: object) => movedFile('b.ts', given as FileChange)
  expect(moved(change('modified', [[7, 7]]))).toEqual({ ...change('renamed', [[7, 7]], 'a.ts'), path: 'b.ts' })
  expect(moved(change('renamed', [], 'old.ts'))).toEqual({ ...change('renamed', [], 'old.ts'), path: 'b.ts' })
  expect(moved(change('added', [[0, 1]]))).toEqual({ ...change('added', [[0, 1]]), path: 'b.ts' })
})
