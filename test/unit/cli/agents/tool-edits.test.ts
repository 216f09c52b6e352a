import { describe, expect, it } from 'vitest'
import { namedEdits, patchEdits } from '../../../../src/cli/agents/tool-edits.ts'

const replaced = (oldText: string, newText: string, all = false) => ({ oldText, newText, all })
const replace = (...replacements: object[]) => ({ kind: 'replace', replacements })

describe('the arguments of a tool', () => {
  it.each<[string, object, object]>([
    ['Edit of Claude Code', { file_path: 'a', old_string: 'x', new_string: 'y' }, replace(replaced('x', 'y'))],
    [
      'Edit of every occurrence',
      { file_path: 'a', old_string: 'x', new_string: '', replace_all: true },
      replace(replaced('x', '', true)),
    ],
    ['Edit that creates a file', { file_path: 'a', old_string: '', new_string: 'y' }, { kind: 'write', text: 'y' }],
    [
      'MultiEdit',
      {
        file_path: 'a',
        edits: [
          { old_string: 'x', new_string: 'y' },
          { old_string: 'v', new_string: 'w' },
        ],
      },
      replace(replaced('x', 'y'), replaced('v', 'w')),
    ],
    [
      'MultiEdit with an edit of another form',
      { file_path: 'a', edits: [{ old_string: 'x', new_string: 'y' }, { insert_line: 3 }] },
      { kind: 'unknown' },
    ],
    ['Write', { file_path: 'a', content: '' }, { kind: 'write', text: '' }],
    ['NotebookEdit', { notebook_path: 'a', new_source: 'x' }, { kind: 'unknown' }],
    [
      'replace of Gemini CLI, of several occurrences',
      { file_path: 'a', old_string: 'x', new_string: 'y', expected_replacements: 2 },
      replace(replaced('x', 'y', true)),
    ],
    ['edit of Copilot CLI', { path: 'a', old_str: 'x', new_str: 'y' }, replace(replaced('x', 'y'))],
    ['create of Copilot CLI', { path: 'a', file_text: 'x' }, { kind: 'write', text: 'x' }],
    [
      'edit of opencode',
      { filePath: 'a', oldString: 'x', newString: 'y', replaceAll: true },
      replace(replaced('x', 'y', true)),
    ],
  ])('%s say how the file changes', (_, args, edit) => {
    expect(namedEdits({ ...args })).toEqual([{ file: 'a', edit }])
  })

  it('with replacements in several files name each file once', () => {
    const one = (filePath: string, oldString: string) => ({ filePath, oldString, newString: 'y' })
    expect(namedEdits({ explanation: 'x', replacements: [one('a', 'v'), one('b', 'w'), one('a', 'x')] })).toEqual([
      { file: 'a', edit: replace(replaced('v', 'y'), replaced('x', 'y')) },
      { file: 'b', edit: replace(replaced('w', 'y')) },
    ])
  })

  it('with a patch name the files of its sections, and not of its lines', () => {
    const command = [
      ...['*** Begin Patch', '*** Update File: src/a.ts', '*** Move to: src/b.ts', '@@ class A', ' x', '-y', ''],
      ...['+*** Add File: no.ts', '*** End of File', '*** Add File: c.ts', '+x', '*** Delete File: d.ts'],
      ...['*** End Patch', '*** Delete File: no.ts', ''],
    ].join('\n')
    const chunks = [{ heading: 'class A', lines: [' x', '-y', ' ', '+*** Add File: no.ts'], atEnd: true }]
    expect(patchEdits({ command })).toEqual([
      { file: 'src/a.ts', movedTo: 'src/b.ts', edit: { kind: 'patch', chunks } },
      { file: 'c.ts', edit: { kind: 'write' } },
      { file: 'd.ts', edit: { kind: 'remove' } },
    ])
  })
})
