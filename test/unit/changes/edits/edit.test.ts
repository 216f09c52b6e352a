import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Edit, locateEdit } from '../../../../src/core/changes/edits/edit.ts'
import { type Hunk, hunksOf, withSpans } from '../../../../src/core/changes/edits/hunks.ts'
import { parsePatch } from '../../../../src/core/changes/edits/parse-patch.ts'
import { scratch } from '../../../support/scratch.ts'
import { edits, newText, oldText } from '../edits.ts'
import { git } from '../git.ts'

const replace = (...pairs: [string, string, boolean?][]): Edit => ({
  kind: 'replace',
  replacements: pairs.map(([before, after, all = false]) => ({ oldText: before, newText: after, all })),
})

const patch = (...lines: string[]): Edit => {
  const [named] = parsePatch(['*** Begin Patch', '*** Update File: a.ts', ...lines, '*** End Patch', ''].join('\n'))
  if (!named) throw new Error('The patch has no file.')
  return named.edit
}

const ten = oldText(10)

describe('an edit of a text of ten lines', () => {
  it.each<[string, Edit, number[][] | null]>([
    ['of a part of a line', replace(['ne 3', 'x']), [[2, 3]]],
    [
      'of a line, with unchanged lines around it',
      replace(['line 2\nline 3\nline 4\n', 'line 2\nx\nline 4\n']),
      [[2, 3]],
    ],
    ['that inserts a line', replace(['line 3\n', 'line 3\nx\n']), [[3, 3]]],
    ['that inserts before the first line', replace(['line 1\n', 'x\nline 1\n']), [[0, 0]]],
    ['that removes lines', replace(['line 3\nline 4\n', '']), [[2, 4]]],
    ['that joins two lines', replace(['3\nline', '3, line']), [[2, 4]]],
    ['that changes the end of the file', replace(['line 10\n', 'line 10']), [[9, 10]]],
    ['that changes nothing', replace(['line 3', 'line 3']), []],
    ['of a text that occurs twice', replace(['line 1', 'x']), null],
    ['of a text that does not occur', replace(['line 11', 'x']), null],
    [
      'of each occurrence',
      replace(['line 1', 'x\ny', true]),
      [
        [0, 1],
        [9, 10],
      ],
    ],
    ['of two occurrences in a line', replace(['e', 'e\n', true]), Array.from({ length: 10 }, (_, n) => [n, n + 1])],
    ['of nothing', replace(['', 'x']), null],
    [
      'in two steps',
      replace(['line 3\n', 'a\nb\n'], ['line 5\n', '']),
      [
        [2, 3],
        [4, 5],
      ],
    ],
    [
      'of what an earlier step wrote',
      replace(['line 3\n', 'a\nb\n'], ['b\n', 'c\n']),
      [
        [2, 3],
        [2, 3],
      ],
    ],
    ['with a step that fails', replace(['line 3', 'x'], ['line 3', 'y']), null],
    ['that writes the whole file', { kind: 'write' }, [[0, 10]]],
    ['that removes the file', { kind: 'remove' }, [[0, 10]]],
    ['that is not known', { kind: 'unknown' }, null],
    ['by a patch', patch('@@', ' line 2', '-line 3', '+x', ' line 4'), [[2, 3]]],
    ['by a patch that inserts', patch('@@', ' line 2', '+x', '+y', ' line 3'), [[2, 2]]],
    [
      'by a patch with two runs',
      patch('@@', '-line 2', ' line 3', '+x', ' line 4'),
      [
        [1, 2],
        [3, 3],
      ],
    ],
    ['by a patch that removes the last lines', patch('@@', ' line 8', '-line 9', '-line 10'), [[8, 10]]],
    [
      'by a patch with two chunks',
      patch('@@', '-line 2', '@@', '-line 9', '+x'),
      [
        [1, 2],
        [8, 9],
      ],
    ],
    ['by a patch without @@', patch(' line 4', '-line 5'), [[4, 5]]],
    ['by a patch below a heading', patch('@@ line 6', '-line 7'), [[6, 7]]],
    ['by a patch below two headings', patch('@@ line 2', '@@ line 6', '-line 7'), [[6, 7]]],
    ['by a patch with other white space', patch('@@', '   line 4  ', '-line 5 '), [[4, 5]]],
    ['by a patch that adds lines alone', patch('@@', '+x'), [[10, 10]]],
    ['by a patch above a heading', patch('@@ line 6', '-line 3'), null],
    ['by a patch of other lines', patch('@@', '-line 11'), null],
    ['by a patch without a line', patch(), []],
  ])('%s changes the expected lines', (_, edit, expected) => {
    expect(locateEdit(edit, ten)).toEqual(expected)
    expect(locateEdit(edit, ten.replaceAll('\n', '\r\n'))).toEqual(expected)
  })

  it('by a patch with a chunk at the end changes the last of equal lines', () => {
    const edit = patch('@@', ' }', '-a', '*** End of File')
    expect(locateEdit(edit, '}\na\n}\na\n')).toEqual([[3, 4]])
  })

  it('is not located where it changes more places than can be sent', () => {
    expect(locateEdit(replace(['a', 'b', true]), 'a\n'.repeat(100))).toHaveLength(100)
    expect(locateEdit(replace(['a', 'b', true]), 'a\n'.repeat(101))).toBeNull()
  })
})

/** A slice of a text, in per mille, and what takes its place. */
interface Cut {
  from: number
  length: number
  lines: number
}

const cuts = fc.array(fc.record({ from: fc.nat(1000), length: fc.nat(300), lines: fc.nat(2) }), {
  minLength: 1,
  maxLength: 3,
})

function lineAt(text: string, at: number): string {
  return text
    .slice(at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1)
    .split('\n', 1)
    .join()
}

interface Made {
  edit: Edit
  after: string
  /** Whether a cut within lines left a line that was there before. Git may then pair it with that one. */
  repeats: boolean
}

/** Replacements one after another, as they are told and as they are made. `known`: the lines that were there before. */
function madeBy(given: readonly Cut[], text: string, known: ReadonlySet<string>): Made {
  let after = text
  let repeats = false
  const pairs = given.flatMap(({ from, length, lines }, n): [string, string][] => {
    const start = Math.min(after.length - 1, Math.floor((from * after.length) / 1000))
    const before = after.slice(start, start + 1 + Math.floor((length * after.length) / 1000))
    // Most short slices occur more than once, which is not an edit that a tool makes.
    if (after.indexOf(before) !== after.lastIndexOf(before)) return []
    const written = Array.from({ length: lines }, (_, line) => `edit ${n}.${line}\n`).join('')
    after = after.slice(0, start) + written + after.slice(start + before.length)
    const isKnown = (at: number) => known.has(lineAt(after, at))
    const isFirstCut = start > 0 && after[start - 1] !== '\n'
    repeats ||= (isFirstCut && isKnown(start)) || (!before.endsWith('\n') && isKnown(start + written.length))
    return [[before, written]]
  })
  return { edit: replace(...pairs), after, repeats }
}

/** The same change as a patch, with so many lines of context. */
function patchOf(hunks: readonly Hunk[], [before, after]: [string, string], context: number): Edit {
  const [old, now] = [before.split('\n'), after.split('\n')]
  let told = 0
  const lines = hunks.flatMap(({ before: [from, to], after: [first, last] }, index) => {
    const [above, below] = [
      Math.max(told, from - context),
      Math.min(hunks[index + 1]?.before[0] ?? old.length - 1, to + context),
    ]
    told = below
    return [
      '@@',
      ...old.slice(above, from).map((line) => ` ${line}`),
      ...old.slice(from, to).map((line) => `-${line}`),
      ...now.slice(first, last).map((line) => `+${line}`),
      ...old.slice(to, below).map((line) => ` ${line}`),
    ]
  })
  return patch(...lines)
}

describe('the lines of an edit, together with those of earlier changes', () => {
  it('are those that git finds once the edit is made, in hundreds of files', async () => {
    const top = await scratch()
    const samples = fc.sample(
      fc.integer({ min: 1, max: 30 }).chain((length) => fc.tuple(edits(length, 'own'), cuts)),
      { numRuns: 400, seed: 20261122 },
    )
    for (const side of ['base', 'present', 'after']) mkdirSync(join(top, side))
    const made = samples.flatMap(([own, given], n) => {
      const present = newText(own)
      const known = new Set([...oldText(own.length).split('\n'), ...present.split('\n')])
      const { edit, after, repeats } = madeBy(given, present, known)
      if (present === '' || after === present || repeats) return []
      for (const [side, text] of Object.entries({ base: oldText(own.length), present, after }))
        writeFileSync(join(top, side, `${n}.txt`), text)
      return [{ name: `${n}.txt`, edit, present, after }]
    })
    expect(made.length).toBeGreaterThan(200)
    const between = (one: string, other: string) => {
      const { out } = git(top, 'diff', '--no-index', '-U0', '--no-color', one, other)
      const patches = out.split('diff --git ').slice(1)
      return new Map(patches.map((text) => [/\/(\d+\.txt)\n/.exec(text)?.[1] ?? '', hunksOf(text)]))
    }
    const [own, edited, all] = [between('base', 'present'), between('present', 'after'), between('base', 'after')]
    for (const { name, edit, present, after } of made) {
      const earlier = own.get(name) ?? []
      // Git forgets a change that the edit takes back.
      const expected = withSpans([...earlier, ...(all.get(name) ?? [])], [])
      const located = locateEdit(edit, present)
      expect(located, `${name}: ${JSON.stringify({ edit, present })}`).not.toBeNull()
      expect(withSpans(earlier, located ?? []), `${name}: ${JSON.stringify({ edit, present })}`).toEqual(expected)
      if (!after.endsWith('\n')) continue
      const asPatch = patchOf(edited.get(name) ?? [], [present, after], 2)
      expect(withSpans(earlier, locateEdit(asPatch, present) ?? []), `${name}: ${JSON.stringify(asPatch)}`).toEqual(
        expected,
      )
    }
  })
})
