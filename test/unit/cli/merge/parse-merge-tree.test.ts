import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ParsedMerge, parseMergeTree } from '../../../../src/cli/merge/git/parse-merge-tree.ts'
import { conflictsOf, pathsInConflict } from '../../../../src/cli/merge/merge-conflicts.ts'

const path = fc.string({ minLength: 1, unit: fc.constantFrom('a', '/', '\n', '\t', ' ', '1', 'é') })
const tree = fc.constant('a'.repeat(40))
const stage = fc.record({ path, stage: fc.constantFrom(1, 2, 3) })
const message = fc.record({
  paths: fc.array(path, { maxLength: 3 }),
  type: fc.constantFrom('Auto-merging', 'CONFLICT (contents)', 'CONFLICT (rename/rename)', 'CONFLICT (binary)'),
})
const clean = fc.record<ParsedMerge>({
  isClean: fc.constant(true),
  tree,
  stages: fc.constant([]),
  messages: fc.constant([]),
})
const conflicting = fc.record<ParsedMerge>({
  isClean: fc.constant(false),
  tree,
  stages: fc.array(stage),
  messages: fc.array(message),
})
const merges = fc.array(fc.oneof(clean, conflicting), { maxLength: 5 })

/** As git writes it. */
function written({ isClean, tree: id, stages, messages }: ParsedMerge): string {
  const entries = stages.map((one) => `100644 ${'b'.repeat(40)} ${one.stage}\t${one.path}\0`).join('')
  if (isClean) return `1\0${id}\0\0`
  const texts = messages
    .map(({ paths, type }) => [paths.length, ...paths, type, 'A text\n'].join('\0'))
    .map((t) => `${t}\0`)
  return `0\0${id}\0${entries}\0${texts.join('')}\0`
}

describe('the output of git merge-tree', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(merges, (all) => {
        expect(parseMergeTree(all.map(written).join(''))).toEqual(all)
      }),
    )
  })

  it('that ends anywhere gives the merges that are whole', () => {
    fc.assert(
      fc.property(merges, fc.nat(), (all, cut) => {
        const whole = all.map(written).join('')
        const found = parseMergeTree(whole.slice(0, cut % (whole.length + 1)))
        expect(found).toEqual(all.slice(0, found.length))
      }),
    )
  })

  it('may have advice about submodules where a merge ends', () => {
    const first = written({ isClean: false, tree: 'a', stages: [], messages: [] }).slice(0, -1)
    const found = parseMergeTree(
      `${first}Recursive merging with submodules …\n\0${written({ isClean: true, tree: 'b', stages: [], messages: [] })}`,
    )
    expect(found.map(({ tree: id }) => id)).toEqual(['a', 'b'])
  })

  it('gives one conflict for each path, however many messages and stages name it', () => {
    fc.assert(
      fc.property(conflicting, (merge) => {
        const paths = conflictsOf(merge).map((conflict) => conflict.path)
        expect(new Set(paths).size).toBe(paths.length)
        expect(new Set(paths)).toEqual(new Set(merge.stages.map((one) => one.path)))
        expect(paths.filter((one) => !pathsInConflict(merge).has(one))).toEqual([])
      }),
    )
  })

  it('names a file by its real name where a directory is in its way, and who removed one', () => {
    const messages = [
      { paths: ['place~74ee5a', 'place'], type: 'CONFLICT (file/directory)' },
      { paths: ['old.txt'], type: 'CONFLICT (modify/delete)' },
      { paths: ['gone.txt'], type: 'CONFLICT (rename/delete)' },
    ]
    const stages = [
      { path: 'place~74ee5a', stage: 2 },
      ...[1, 3].map((number) => ({ path: 'old.txt', stage: number })),
      ...[1, 2].map((number) => ({ path: 'gone.txt', stage: number })),
      { path: 'odd', stage: 1 },
    ]
    expect(conflictsOf({ isClean: false, tree: 'a', stages, messages })).toEqual([
      { path: 'place', type: 'file_directory', removed_by: null },
      { path: 'old.txt', type: 'modify_delete', removed_by: 'they' },
      { path: 'gone.txt', type: 'rename', removed_by: 'you' },
      { path: 'odd', type: 'other', removed_by: null },
    ])
  })
})
