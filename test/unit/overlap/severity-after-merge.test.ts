import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Conflict, MergeResult } from '../../../src/cli/merge/merge-result.ts'
import type { Severity } from '../../../src/core/enums.ts'
import { type KnownByLines, severityAfterMerge } from '../../../src/core/rules/severity-after-merge.ts'

const plain: KnownByLines = {
  severity: 'medium',
  withoutLines: null,
  isGrave: false,
  limit: null,
  isIgnoredAuthor: false,
  isSameChange: false,
  hasUnpushedLines: false,
}
const conflict: Conflict = { path: 'a.ts', type: 'contents', removed_by: null }
const conflicts = (changes: Partial<Conflict> = {}, is_only_ignored = false) => ({
  merge: 'conflicts' as const,
  conflicts: [{ ...conflict, ...changes }],
  is_only_ignored,
})
const clean = { merge: 'clean' as const, conflicts: [], is_only_ignored: false }
const untried = { ...clean, merge: 'not_tried' as const }

type Tried = Pick<MergeResult, 'merge' | 'conflicts' | 'is_only_ignored'>
const table: [string, Partial<KnownByLines>, Tried, Severity | null, string][] = [
  ['a conflict', {}, conflicts(), 'high', 'conflict'],
  ['a conflict of low work', { severity: 'low' }, conflicts(), 'high', 'conflict'],
  ['a conflict of nearby work', { severity: null }, conflicts(), 'high', 'conflict'],
  ['a removal', {}, conflicts({ type: 'modify_delete', removed_by: 'they' }), 'high', 'removal'],
  ['a removal by me', {}, conflicts({ type: 'rename', removed_by: 'you' }), 'high', 'removal'],
  ['a binary file', {}, conflicts({ type: 'binary' }), 'high', 'binary'],
  ['two new names', {}, conflicts({ type: 'rename' }), 'high', 'conflict'],
  ['a conflict in ignored files alone', { severity: null }, conflicts({}, true), null, 'ignored_conflict'],
  ['the same beside a collision', { severity: 'low' }, conflicts({}, true), 'low', 'ignored_conflict'],
  ['a conflict of an ignored author', { severity: null, isIgnoredAuthor: true }, conflicts(), null, 'conflict'],
  ['a conflict of wide work', { severity: 'low', limit: 'medium' }, conflicts(), 'medium', 'conflict'],
  ['a clean merge', { severity: 'high' }, clean, 'low', 'merges'],
  ['a clean merge of grave work', { severity: 'high', isGrave: true }, clean, 'medium', 'merges'],
  ['a clean merge beside a declared scope', { severity: 'high', withoutLines: 'medium' }, clean, 'medium', 'merges'],
  ['a clean merge of low work', { severity: 'low', isGrave: true }, clean, 'low', 'merges'],
  ['a clean merge of nearby work', { severity: null }, clean, null, 'none'],
  ['a clean merge without their newest lines', { hasUnpushedLines: true }, clean, 'medium', 'pushed_part_merges'],
  ['the same change', { severity: 'high', isSameChange: true, withoutLines: 'high' }, clean, 'high', 'none'],
  [
    'a part of it beside other lines',
    { severity: 'high', isSameChange: true, withoutLines: 'low' },
    clean,
    'low',
    'none',
  ],
  [
    'the same change, of which the rest conflicts',
    { severity: 'low', isSameChange: true },
    conflicts(),
    'high',
    'conflict',
  ],
  ['no try', { severity: 'high' }, untried, 'high', 'not_tried'],
  ['no try of nearby work', { severity: null }, untried, null, 'not_tried'],
]

const order: (Severity | null)[] = [null, 'low', 'medium', 'high']
const severity = fc.constantFrom<Severity | null>(...order)
const known = fc.record<KnownByLines>({
  severity,
  withoutLines: severity,
  isGrave: fc.boolean(),
  limit: severity,
  isIgnoredAuthor: fc.boolean(),
  isSameChange: fc.boolean(),
  hasUnpushedLines: fc.boolean(),
})
const rank = (value: Severity | null) => order.indexOf(value)

describe('the severity after a tried merge', () => {
  it.for(table)('of %s', ([, changes, tried, expected, text]) => {
    expect(severityAfterMerge({ ...plain, ...changes }, tried)).toMatchObject({ severity: expected, text })
  })

  it('never rises by a clean merge, and never hides what collides', () => {
    fc.assert(
      fc.property(known, (before) => {
        const after = severityAfterMerge(before, clean).severity
        expect(rank(after)).toBeLessThanOrEqual(rank(before.severity))
        expect(after === null).toBe(before.severity === null)
        expect(rank(after)).toBeGreaterThanOrEqual(Math.min(rank(before.severity), rank(before.withoutLines)))
      }),
    )
  })

  it('never falls by a conflict', () => {
    fc.assert(
      fc.property(known, fc.boolean(), (before, isIgnored) => {
        const after = severityAfterMerge(before, conflicts({}, isIgnored)).severity
        expect(rank(after)).toBeGreaterThanOrEqual(rank(before.severity))
      }),
    )
  })

  it('leaves nothing of a collision only where lines alone made it, and all of them were tried', () => {
    fc.assert(
      fc.property(known, fc.constantFrom(clean, conflicts(), untried), (before, tried) => {
        const { isHarmless, text } = severityAfterMerge(before, tried)
        expect(isHarmless).toBe(text === 'merges' && before.withoutLines === null && !before.isGrave)
      }),
    )
  })

  it('is that by lines where nothing was tried', () => {
    fc.assert(
      fc.property(known, (before) => {
        expect(severityAfterMerge(before, untried).severity).toBe(before.severity)
      }),
    )
  })
})
