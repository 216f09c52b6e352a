import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { ActivityCreate, ActivityQuery, ActivityUpdate } from '../../../src/core/schemas/activity.ts'
import { NotableCreate, NotableUpdate } from '../../../src/core/schemas/notable.ts'
import { OverlapCheck } from '../../../src/core/schemas/overlap.ts'
import { SettingsFile, withDefault } from '../../../src/core/schemas/settings.ts'
import { faultsOf } from './faults.ts'

const work = { title: 'a', summary: 'b', actor: 'c' }
const notable = { title: 'a', summary: 'b', importance: 'low', category: 'release' }

describe('§2 lengths are in code points', () => {
  it.each<[string, number, z.ZodType, object, string?]>([
    ['title', 200, ActivityCreate, work],
    ['summary', 2_000, ActivityCreate, work],
    ['actor', 100, ActivityCreate, work],
    ['agent', 100, ActivityCreate, work],
    ['branch', 255, ActivityCreate, work],
    ['base_branch', 255, ActivityCreate, work],
    ['pr_url', 2_048, ActivityCreate, work],
    ['title', 200, NotableCreate, notable],
    ['summary', 2_000, NotableCreate, notable],
    ['decision_url', 2_048, NotableCreate, notable, 'https://example.com/'],
  ])('%s has at most %i', (field, most, schema, rest, start = '') => {
    const long = (length: number) => ({ ...rest, [field]: start + '😀'.repeat(length - start.length) })
    expect(faultsOf(schema, long(most))).toEqual([])
    expect(faultsOf(schema, long(most + 1))).toEqual([
      `${field}: must have at most ${most} characters, and has ${most + 1}`,
    ])
  })

  it.each<[string, number, z.ZodType, (items: number[]) => object]>([
    ['scope.areas', 100, ActivityCreate, (all) => ({ ...work, scope: { areas: all.map(String) } })],
    ['scope.paths', 100, ActivityCreate, (all) => ({ ...work, scope: { paths: all.map(String) } })],
    ['tags', 100, OverlapCheck, (all) => ({ tags: all.map(String) })],
    ['issues', 20, OverlapCheck, (issues) => ({ issues })],
    ['supersedes', 100, NotableCreate, (all) => ({ ...notable, supersedes: all.map(String) })],
  ])('%s holds at most %i', (field, most, schema, input) => {
    const many = (count: number) => input(Array.from({ length: count }, (_, at) => at + 1))
    expect(faultsOf(schema, many(most))).toEqual([])
    expect(faultsOf(schema, many(most + 1))).toEqual([`${field}: must have at most ${most} items, and has ${most + 1}`])
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
  expect(faultsOf(NotableCreate, { ...notable, decision_url: null, applies_until: null, scope: null })).toEqual([])
  expect(NotableUpdate.parse({ decision_url: null, applies_until: null })).toEqual({
    decision_url: null,
    applies_until: null,
  })
  const isNull = (field: string, type: string) => `${field}: Invalid input: expected ${type}, received null`
  const faults = [isNull('blocking', 'boolean'), isNull('issues', 'array'), isNull('title', 'string')]
  for (const schema of [ActivityCreate.omit({ actor: true }), OverlapCheck, ActivityUpdate]) {
    const given = { summary: 'b', title: null, blocking: null, issues: null }
    expect(faultsOf(schema, given).toSorted()).toEqual(faults)
  }
  expect(faultsOf(ActivityUpdate, { scope: null })).toEqual([isNull('scope', 'object')])
  expect(faultsOf(ActivityUpdate, { scope: { areas: null } })).toEqual([isNull('scope.areas', 'array')])
})

it('§2 a scope replaces the whole one, and a PATCH of nothing sends nothing', () => {
  expect(ActivityUpdate.parse({ scope: { paths: ['src'] } })).toEqual({ scope: { paths: ['src'], areas: [] } })
  expect(ActivityUpdate.parse({})).toEqual({})
  expect(NotableUpdate.parse({})).toEqual({})
})

it('a create names what it must have, and no more', () => {
  const missing = (schema: z.ZodType) => faultsOf(schema, {}).map((fault) => fault.split(':')[0])
  expect(missing(ActivityCreate)).toEqual(['title', 'summary', 'actor'])
  expect(missing(NotableCreate)).toEqual(['title', 'summary', 'importance', 'category'])
})

it('the words of the specification are taken, and no others', () => {
  const levels = ['low', 'medium', 'high', 'critical']
  const categories = ['architecture', 'process', 'pattern', 'warning', 'migration', 'testing', 'security']
  const others = ['dependency', 'api-contract', 'temporary-workaround', 'deprecation', 'release']
  expect(NotableCreate.shape.category.options).toEqual([...categories, ...others])
  expect(NotableCreate.shape.importance.options).toEqual(levels)
  expect(OverlapCheck.shape.risk.unwrap().options).toEqual(levels)
})

it('§2 text is stored and returned as it is', () => {
  const given = { title: ' e\u0301 ', summary: '\tTwo\nlines ', actor: ' Ana', agent: 'Codex ', branch: ' b' }
  const scope = { areas: ['Auth '], paths: ['./src//a.ts'] }
  expect(ActivityCreate.parse({ ...given, scope })).toMatchObject({ ...given, scope })
})

describe('§2 one line of text', () => {
  const ofScope = (kind: 'areas' | 'paths') => (text: string) => ({ scope: { [kind]: [text] } })
  const fields: [string, (text: string) => object][] = [
    ...['title', 'actor', 'agent', 'branch', 'base_branch'].map((field): (typeof fields)[0] => [
      field,
      (text) => ({ [field]: text }),
    ]),
    ['scope.areas[0]', ofScope('areas')],
    ['scope.paths[0]', ofScope('paths')],
    ['tags[0]', (text) => ({ tags: [text] })],
  ]

  it.each(fields)('%s holds no control characters and is not white space alone', (field, input) => {
    for (const text of ['a\nb', 'a\u0085b', 'a\x7fb'])
      expect(faultsOf(OverlapCheck, input(text))).toEqual([`${field}: must not hold control characters`])
    expect(faultsOf(OverlapCheck, input(' \u2003'))).toHaveLength(1)
  })

  it('title of a notable is one too', () => {
    for (const title of ['a\nb', ' ']) expect(faultsOf(NotableCreate, { ...notable, title })).toHaveLength(1)
  })
})

it('§2 a check takes the body of a create as it is', () => {
  const texts = { ...work, agent: 'codex', branch: 'b', base_branch: 'main', pr_url: 'https://github.com/a/b/pull/1' }
  const flags = { risk: 'high', draft_pr: true, blocking: true }
  const body = { ...texts, ...flags, scope: { paths: ['src'] }, issues: [1], changes: { files: [] }, tags: null }
  expect(Object.keys(body).sort()).toEqual(Object.keys(ActivityCreate.shape).sort())
  for (const schema of [ActivityCreate, OverlapCheck]) expect(faultsOf(schema, body)).toEqual([])
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

it('§3 a page has 1 to 500 items, 50 by default', () => {
  expect(['1', '500', undefined].map((limit) => ActivityQuery.parse({ limit }).limit)).toEqual([1, 500, 50])
  for (const limit of ['0', '501', '1.5', '01', ' 1', '1e2'])
    expect(faultsOf(ActivityQuery, { limit })).toEqual(['limit: must be a whole number from 1 to 500'])
})

it('§3 a cursor of another form is refused', () => {
  const id = '01h455vb4pex5vsknk084sn02q'
  for (const cursor of ['2', id, `ntb_${id}`, `act_${id}0`, `ACT_${id}`])
    expect(faultsOf(ActivityQuery, { cursor })).toEqual(['cursor: must be the next_cursor of the page before'])
  expect(faultsOf(ActivityQuery, { cursor: `act_${id}` })).toEqual([])
})

describe('§9 the settings file', () => {
  it.each<[string, object, string]>([
    ['an unknown key', { nonsense: 1 }, ': Unrecognized key: "nonsense"'],
    ['a short lifetime', { activity_ttl_ms: 59_999 }, 'activity_ttl_ms: Too small: expected number to be >=60000'],
    [
      'a lifetime over 30 days',
      { activity_ttl_ms: 2_592_000_001 },
      'activity_ttl_ms: Too big: expected number to be <=2592000000',
    ],
    [
      'a longest life over a year',
      { max_activity_ttl_ms: 31_536_000_001 },
      'max_activity_ttl_ms: Too big: expected number to be <=31536000000',
    ],
    [
      'a notable over a year',
      { notable_ttl_ms: 31_536_000_001 },
      'notable_ttl_ms: Too big: expected number to be <=31536000000',
    ],
    [
      '101 areas',
      { areas: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`a${at}`, ['a']])) },
      'areas: must have at most 100 areas',
    ],
    [
      '101 globs of an area',
      { areas: { a: Array(101).fill('a') } },
      'areas.a: must have at most 100 items, and has 101',
    ],
    [
      'a bad glob',
      { areas: { auth: ['/src'] } },
      'areas.auth[0]: "/src" must be written from the top of the repository, as in src/a.ts',
    ],
    [
      'another report',
      { pull_request_report: true },
      'pull_request_report: Invalid option: expected one of "check"|"ready"|"off"',
    ],
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
