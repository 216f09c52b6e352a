import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contentAfter } from '../../../../src/core/changes/edits/content-after.ts'
import type { Edit } from '../../../../src/core/changes/edits/edit.ts'
import { parsePatch } from '../../../../src/core/changes/edits/parse-patch.ts'
import { scratch } from '../../../support/scratch.ts'

const replace = (oldText: string, newText: string, all = false): Edit => ({
  kind: 'replace',
  replacements: [{ oldText, newText, all }],
})

function patch(...chunk: string[]): Edit {
  const [named] = parsePatch(['*** Begin Patch', '*** Update File: a', ...chunk, '*** End Patch'].join('\n'))
  if (!named) throw new Error('The patch names a file.')
  return named.edit
}

describe('the text after an edit', () => {
  const text = 'a\nb\n  c\nd\n'
  const cases: [string, Edit, string | null][] = [
    ['a replacement', replace('b\n', 'x\ny\n'), 'a\nx\ny\n  c\nd\n'],
    ['a replacement within a line', replace('c', 'xcx'), 'a\nb\n  xcx\nd\n'],
    ['all replacements', replace('\n', ';\n', true), 'a;\nb;\n  c;\nd;\n'],
    ['a text that is not there', replace('z', 'x'), null],
    ['a text that is there twice', replace('\n', ''), null],
    ['a whole text', { kind: 'write', text: 'new' }, 'new'],
    ['a whole text that is not named', { kind: 'write' }, null],
    ['a removal', { kind: 'remove' }, null],
    ['an unknown edit', { kind: 'unknown' }, null],
    ['a patch', patch('@@', ' a', '-b', '+x', '+y', '   c'), 'a\nx\ny\n  c\nd\n'],
    ['a patch that reads white space loosely', patch('@@', '-b', '+x', ' c'), 'a\nx\n  c\nd\n'],
    ['a patch that adds at the end', patch('@@', '+e'), 'a\nb\n  c\nd\ne\n'],
    ['a patch of several chunks', patch('@@ a', '-b', '@@', ' d', '+e'), 'a\n  c\nd\ne\n'],
    ['a patch that ends with a line that is not there', patch('@@', ' d', '-'), 'a\nb\n  c\nd\n'],
    ['a patch that is not found', patch('@@', '-z'), null],
    ['a patch out of order', patch('@@', '+e', '@@', '-a'), null],
  ]
  it.each(cases)('by %s', (_, edit, expected) => {
    expect(contentAfter(edit, text)).toBe(expected)
  })

  it('is not known where lines end in another way, or the text is not known', () => {
    expect(contentAfter(replace('a', 'b'), 'a\r\n')).toBe(null)
    expect(contentAfter(replace('a', 'b'), null)).toBe(null)
    expect(contentAfter({ kind: 'write', text: 'x' }, null)).toBe('x')
  })

  it('by any patch is the text that git made the patch of', async () => {
    const top = await scratch()
    const line = fc.constantFrom('a', 'b', 'c', '')
    const change = fc.record({
      at: fc.nat(7),
      removed: fc.nat(2),
      added: fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 8, maxLength: 8 }),
        change,
        async (lines, { at, removed, added }) => {
          // Numbered, so that a chunk has one place alone.
          const numbered = lines.map((word, index) => `${index} ${word}`)
          const after = numbered.toSpliced(at, removed, ...added)
          const [one, other] = [join(top, 'one'), join(top, 'other')]
          writeFileSync(one, numbered.map((word) => `${word}\n`).join(''))
          writeFileSync(other, after.map((word) => `${word}\n`).join(''))
          const { stdout } = spawnSync('git', ['diff', '--no-index', '--no-color', '-U1', one, other], {
            encoding: 'utf8',
          })
          const chunk = stdout.split('\n').slice(5, -1)
          if (stdout === '') return
          expect(contentAfter(patch('@@', ...chunk), numbered.map((word) => `${word}\n`).join(''))).toBe(
            after.map((word) => `${word}\n`).join(''),
          )
        },
      ),
      { numRuns: 40 },
    )
  })
})
