import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ActivityCreate, ActivityQuery, ActivityUpdate } from '../../../src/core/schemas/activity.ts'
import { ChangesInput } from '../../../src/core/schemas/changes.ts'
import { faultWords } from '../../../src/core/schemas/fault-words.ts'
import { NotableCreate, NotableUpdate } from '../../../src/core/schemas/notable.ts'
import { OverlapCheck } from '../../../src/core/schemas/overlap.ts'
import { SettingsFile, withDefault } from '../../../src/core/schemas/settings.ts'

const work = { title: 'a', summary: 'b', actor: 'c' }
const notable = { title: 'a', summary: 'b', importance: 'low', category: 'release' }

/** The faults, as `field: message`. */
function faultsOf(schema: z.ZodType, input: unknown): string[] {
  const { error } = schema.safeParse(input, { error: faultWords })
  return (error?.issues ?? []).map(({ path, message }) => `${z.core.toDotPath(path)}: ${message}`)
}

describe('§2 lengths are in code points', () => {
  it.each([
    ['title', 200],
    ['summary', 2_000],
    ['actor', 100],
    ['agent', 100],
    ['branch', 255],
    ['base_branch', 255],
  ])('%s has at most %i', (field, most) => {
    expect(faultsOf(ActivityCreate, { ...work, [field]: '😀'.repeat(most) })).toEqual([])
    expect(faultsOf(ActivityCreate, { ...work, [field]: '😀'.repeat(most + 1) })).toEqual([
      `${field}: must have at most ${most} characters, and has ${most + 1}`,
    ])
  })

  it('a glob has at most 500, an area 100, and a longer glob is not parsed', () => {
    expect(
      faultsOf(ActivityCreate, { ...work, scope: { paths: ['😀'.repeat(500)], areas: ['😀'.repeat(100)] } }),
    ).toEqual([])
    const long = { paths: [`{${'a,'.repeat(300)}`], areas: ['x'.repeat(101)] }
    expect(faultsOf(ActivityCreate, { ...work, scope: long })).toEqual([
      'scope.areas[0]: must have at most 100 characters, and has 101',
      'scope.paths[0]: must have at most 500 characters, and has 601',
    ])
  })
})

it('§2 null means no value where there may be none, and is a fault elsewhere', () => {
  const none = { agent: null, branch: null, base_branch: null, pr_url: null }
  expect(ActivityCreate.parse({ ...work, ...none, scope: null, changes: null })).toMatchObject({
    ...none,
    scope: undefined,
  })
  expect(OverlapCheck.parse({ ...none, scope: { areas: null, paths: null }, tags: null })).toMatchObject({
    tags: undefined,
  })
  expect(ActivityUpdate.parse({ ...none, changes: null })).toEqual({ ...none, changes: null })
  expect(NotableUpdate.parse({ decision_url: null, applies_until: null })).toEqual({
    decision_url: null,
    applies_until: null,
  })
  const faults = ['title', 'blocking', 'issues'].map((field) => `${field}: must not be null`)
  for (const schema of [ActivityCreate.omit({ actor: true }), OverlapCheck, ActivityUpdate]) {
    const given = { summary: 'b', title: null, blocking: null, issues: null }
    expect(faultsOf(schema, given).toSorted()).toEqual(faults.toSorted())
  }
  expect(faultsOf(ActivityUpdate, { scope: null })).toEqual(['scope: must not be null'])
  expect(faultsOf(ActivityUpdate, { scope: { areas: null } })).toEqual(['scope.areas: must not be null'])
})

it('§2 a scope replaces the whole one, and a PATCH of nothing sends nothing', () => {
  expect(ActivityUpdate.parse({ scope: { paths: ['src'] } })).toEqual({ scope: { paths: ['src'], areas: [] } })
  expect(ActivityUpdate.parse({})).toEqual({})
  expect(NotableUpdate.parse({})).toEqual({})
})

it('§2 a check has no defaults of a create: its record stands in', () => expect(OverlapCheck.parse({})).toEqual({}))

it('§2 refs/heads/ is dropped from a branch, which holds no colon', () => {
  expect(ActivityCreate.parse({ ...work, branch: 'refs/heads/fix' }).branch).toBe('fix')
  expect(faultsOf(ActivityCreate, { ...work, branch: 'refs/heads/' })).toEqual(['branch: must not be empty'])
  expect(faultsOf(ActivityCreate, { ...work, branch: 'me:fix' })).toEqual(['branch: must not hold a colon'])
})

it('§2 all globs of a scope have at most 1,000 alternatives', () => {
  const paths = ['{1..256}', 'a{1..256}', 'b{1..256}', 'c{1..232}']
  expect(faultsOf(ActivityCreate, { ...work, scope: { paths } })).toEqual([])
  expect(faultsOf(ActivityCreate, { ...work, scope: { paths: [...paths, 'x'] } })).toEqual([
    'scope.paths: must have at most 1000 alternatives together: write fewer braces and brackets',
  ])
})

it('§5 issues are shown in order, each once', () => {
  expect(ActivityCreate.parse({ ...work, issues: [3, 1, 3] }).issues).toEqual([1, 3])
})

it.each([
  ['2026-11-20T09:30:00Z', '2026-11-20T09:30:00.000Z'],
  ['2026-11-20t09:30:00.1234567z', '2026-11-20T09:30:00.123Z'],
  ['2026-11-20T09:30:00-11:30', '2026-11-20T21:00:00.000Z'],
  ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.000Z'],
])('§1 the timestamp %s is taken', (given, date) => {
  expect(NotableCreate.parse({ ...notable, applies_until: given }).applies_until?.toISOString()).toBe(date)
})

it.each([
  ...['2026-11-20', '2026-11-20T09:30:00', '2026-02-30T09:30:00Z', '2026-11-20T24:00:00Z', 'tomorrow'],
  ...['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-01:00'],
])('§1 the timestamp %s is refused', (given) => {
  expect(faultsOf(NotableCreate, { ...notable, applies_until: given })).toHaveLength(1)
})

it.each<[string, boolean]>([
  ['https://example.com/a?b#c', true],
  ['HTTP://example.com', true],
  ['https://user@example.com', false],
  ['ftp://example.com', false],
  ['//example.com', false],
  ['https:\\\\example.com', false],
  ['https://exa mple.com', false],
])('§2 the decision_url %s is taken: %s', (decision_url, isTaken) => {
  expect(faultsOf(NotableCreate, { ...notable, decision_url })).toHaveLength(isTaken ? 0 : 1)
})

const sha = 'A'.repeat(40)

describe('§5 changes', () => {
  it('are at most 3,000 files, of which the first 300 keep their lines', () => {
    const files = Array.from({ length: 3_000 }, (_, n) => ({ path: `f${n}`, lines: [[1, 2]] }))
    const parsed = ChangesInput.parse({ files })
    expect([299, 300].map((n) => parsed.files[n]?.lines)).toEqual([[[1, 2]], null])
    expect(parsed.files_total).toBe(3_000)
    expect(faultsOf(ChangesInput, { files: [...files, { path: 'one more' }] })).toEqual([
      'files: must have at most 3000 items, and has 3001',
    ])
  })

  it('keep at most 100 ranges of a file, and the newest 250 commits', () => {
    const lines = (count: number) => Array.from({ length: count }, (_, n) => [n * 3 + 1, n * 3 + 1])
    const commits = Array.from({ length: 300 }, (_, n) => n.toString(16).padStart(40, '0'))
    const files = [100, 101].map((count) => ({ path: `f${count}`, lines: lines(count) }))
    const parsed = ChangesInput.parse({ files, commits, head_sha: sha })
    expect(parsed.files.map((file) => file.lines?.length)).toEqual([100, undefined])
    expect(parsed.commits).toEqual(commits.slice(0, 250))
    expect(parsed.head_sha).toBe(sha.toLowerCase())
  })

  it.each<[string, object, string]>([
    ['a path twice', { files: [{ path: 'a' }, { path: 'a' }] }, 'files[1].path: is there twice'],
    [
      'a rename without its old path',
      { files: [{ path: 'a', status: 'renamed' }] },
      'files[0].previous_path: is missing: the file is renamed',
    ],
    [
      'lines backwards',
      { files: [{ path: 'a', lines: [[5, 3]] }] },
      'files[0].lines[0]: must be a first and a last line; [n + 1, n] is an insertion after line n',
    ],
    [
      'a short id',
      { head_sha: 'abc', files: [] },
      'head_sha: must be the whole id of a commit: 40 or 64 hexadecimal digits',
    ],
    [
      'too small a total',
      { files: [{ path: 'a' }], files_total: 0 },
      'files_total: must not be less than the files that are sent',
    ],
    ['a long path', { files: [{ path: 'é'.repeat(513) }] }, 'files[0].path: must have at most 1024 bytes'],
    [
      'no path of the repository',
      { files: [{ path: '../a' }] },
      'files[0].path: must be a path from the top of the repository, without empty segments, "." and ".."',
    ],
  ])('are refused for %s', (_, changes, fault) => expect(faultsOf(ChangesInput, changes)).toEqual([fault]))

  it('may be of a path of 1,024 bytes, with an insertion, or as a whole', () => {
    const files = [{ path: 'é'.repeat(512), lines: [[4, 3]] }, { path: 'a\nb', lines: [] }, { path: 'c' }]
    expect(ChangesInput.parse({ files }).files.map(({ lines }) => lines)).toEqual([[[4, 3]], [], null])
  })
})

it('§3 a page has 1 to 500 items, 50 by default', () => {
  expect(['1', '500', undefined].map((limit) => ActivityQuery.parse({ limit }).limit)).toEqual([1, 500, 50])
  for (const limit of ['0', '501', '1.5', '01', ' 1', '1e2'])
    expect(faultsOf(ActivityQuery, { limit })).toEqual(['limit: must be a whole number from 1 to 500'])
})

describe('§9 the settings file', () => {
  it.each<[string, object, string]>([
    ['an unknown key', { nonsense: 1 }, ': Unrecognized key: "nonsense"'],
    ['a short lifetime', { activity_ttl_ms: 59_999 }, 'activity_ttl_ms: must be at least 60000'],
    [
      'a bad glob',
      { areas: { auth: ['/src'] } },
      'areas.auth[0]: "/src" must be written from the top of the repository, as in src/a.ts',
    ],
    ['another report', { pull_request_report: true }, 'pull_request_report: must be one of check, ready, off'],
    [
      'too many alternatives',
      { areas: Object.fromEntries(['a', 'b', 'c', 'd'].map((area) => [area, ['{1..256}']])) },
      ': must have at most 1000 alternatives in all globs together',
    ],
  ])('is refused for %s', (_, file, fault) => expect(faultsOf(SettingsFile, file)).toEqual([fault]))

  it('replaces a default list, for which the item default stands', () => {
    expect(withDefault(undefined, ['a'])).toEqual(['a'])
    expect(withDefault([], ['a'])).toEqual([])
    expect(withDefault(['b', 'default'], ['a'])).toEqual(['b', 'a'])
  })
})
