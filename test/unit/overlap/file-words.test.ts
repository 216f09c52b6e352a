import { describe, expect, it } from 'vitest'
import type { FileChange } from '../../../src/core/changes/file-change.ts'
import type { FileOverlap } from '../../../src/core/rules/changed/compare-changes.ts'
import { fileWords, proposerNamed, reader } from '../../../src/core/texts/lines/file-words.ts'

const change: FileChange = { path: 'a.ts', previous_path: null, status: 'modified', lines: [[1, 3]] }
const added: FileChange = { ...change, status: 'added' }
const removed: FileChange = { ...change, status: 'removed' }
const renamed: FileChange = { path: 'b.ts', previous_path: 'a.ts', status: 'renamed', lines: [] }
const renamedToIt: FileChange = { path: 'a.ts', previous_path: 'b.ts', status: 'renamed', lines: [[1, 3]] }

function overlap(facts: Partial<FileOverlap>): FileOverlap {
  const lines = { lines: [4, 4], theirLines: [1, 3] } as const
  return {
    path: 'a.ts',
    severity: 'low',
    proximity: 'named',
    distance: 0,
    change,
    theirChange: change,
    ...lines,
    ...facts,
  }
}

describe('the words about a file', () => {
  it.each<[Partial<FileOverlap>, string, string]>([
    [
      { proximity: 'same lines' },
      'changing lines 1–3 of “a.ts”, touching your line 4',
      'changing lines 1–3 of “a.ts”, touching “Bob”’s line 4',
    ],
    [
      { proximity: 'close lines' },
      'changing lines 1–3 of “a.ts”, one line from your line 4',
      'changing lines 1–3 of “a.ts”, one line from “Bob”’s line 4',
    ],
    [
      { proximity: 'whole file', change: added, theirChange: added },
      'adding “a.ts”, as you do',
      'adding “a.ts”, as “Bob” does',
    ],
    [
      { proximity: 'whole file', theirChange: added },
      'adding “a.ts”, which you change',
      'adding “a.ts”, which “Bob” changes',
    ],
    [
      { proximity: 'whole file', theirChange: removed },
      'removing “a.ts”, which you change',
      'removing “a.ts”, which “Bob” changes',
    ],
    [
      { proximity: 'whole file', change: removed },
      'changing lines 1–3 of “a.ts”, which you remove',
      'changing lines 1–3 of “a.ts”, which “Bob” removes',
    ],
    [
      { proximity: 'whole file', theirChange: renamed },
      'renaming “a.ts”, which you change',
      'renaming “a.ts”, which “Bob” changes',
    ],
    [
      { proximity: 'whole file', theirChange: { ...renamed, lines: [[7, 9]] } },
      'renaming “a.ts”, which you change, and changing lines 7–9 of it',
      'renaming “a.ts”, which “Bob” changes, and changing lines 7–9 of it',
    ],
    [
      { proximity: 'whole file', change: renamed },
      'changing lines 1–3 of “a.ts”, which you rename',
      'changing lines 1–3 of “a.ts”, which “Bob” renames',
    ],
    [
      { proximity: 'whole file', change: { ...renamed, path: 'c.ts' }, theirChange: renamed },
      'renaming “a.ts”, which you rename to another name',
      'renaming “a.ts”, which “Bob” renames to another name',
    ],
    [
      { proximity: 'whole file', change: { ...renamedToIt, previous_path: 'c.ts' }, theirChange: renamedToIt },
      'renaming another file to “a.ts”, as you do',
      'renaming another file to “a.ts”, as “Bob” does',
    ],
    [
      { proximity: 'whole file', change: renamedToIt, theirChange: added },
      'adding “a.ts”, to which you rename another file',
      'adding “a.ts”, to which “Bob” renames another file',
    ],
    [
      { proximity: 'unknown lines' },
      'changing lines 1–3 of “a.ts”, which you change too',
      'changing lines 1–3 of “a.ts”, which “Bob” changes too',
    ],
    [{}, 'changing lines 1–3 of “a.ts”: stay clear of them', 'changing lines 1–3 of “a.ts”, which “Bob” names'],
    [
      { theirChange: { ...renamed, lines: [[7, 9]] } },
      'renaming “a.ts” and changing lines 7–9 of it: stay clear of them',
      'renaming “a.ts” and changing lines 7–9 of it, which “Bob” names',
    ],
    [
      { theirChange: renamedToIt },
      'renaming another file to “a.ts”',
      'renaming another file to “a.ts”, which “Bob” names',
    ],
    [{ theirChange: added }, 'adding “a.ts”', 'adding “a.ts”, which “Bob” names'],
  ])('address the caller, or name others: %o', (facts, toReader, toOthers) => {
    expect(fileWords(overlap(facts), reader)).toBe(toReader)
    expect(fileWords(overlap(facts), proposerNamed('“Bob”'))).toBe(toOthers)
  })
})
