import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Observed } from '../../../src/core/schemas/observation.ts'
import { freezesOf, type Known, sentenceFor } from '../../../src/core/texts/sentence/sentence.ts'
import { textOf } from '../../../src/core/texts/sentence/sentence-parts.ts'
import { activity, notable, pair } from '../page/records.ts'

const now = Date.parse('2026-11-22T14:00:00.000Z')
const read: Observed = { pull_requests: 'current', as_of: '2026-11-22T14:00:00.000Z', unread: 0 }
const mine = activity({ id: 'act_1', author_login: 'ana' })
const carla = activity({
  ...{
    id: 'act_2',
    actor: 'carla',
    author_login: 'carla',
    title: 'Limit the attempts',
    source: 'pull_request' as const,
  },
  ...{ pr_url: 'https://github.com/acme/shop/pull/41', branch: 'fix/limit' },
  scope: { areas: [], paths: ['src/auth/login.ts'] },
})
const far = activity({ id: 'act_3', actor: 'Ben', title: 'Prices', scope: { areas: [], paths: ['src/prices/**'] } })
const atLines = pair({ activity_ids: ['act_2', 'act_1'], lines: [[130, 133]] })
const freeze = notable({ blocking: true, title: 'Freeze until Wednesday' })

const known = (facts: Partial<Known> = {}): Known => ({
  mine: new Set(['act_1']),
  activities: new Map([mine, carla, far].map((one) => [one.id, one])),
  pairs: [],
  isComplete: true,
  notables: [],
  observed: read,
  access: 'write',
  githubRepository: 'https://github.com/acme/shop',
  now,
  ...facts,
})

const say = (facts: Partial<Known> = {}) => {
  const { kind, title, detail, more, acts, collides } = sentenceFor(known(facts))
  return { kind, title: textOf(title), detail: textOf(detail), more, acts: acts.map(({ label }) => label), collides }
}

describe('the sentence about the viewer', () => {
  it('says who changes my lines, where, and what to do next', () => {
    expect(say({ pairs: [atLines] })).toEqual({
      kind: 'collides',
      title: 'carla changes the lines you change.',
      detail: 'src/auth/login.ts, 130–133 · #41, pushed 2 h ago · yours feat/login',
      more: 'Nothing else of yours collides.',
      acts: ['Open these lines', 'Copy a message', 'Copy the commands'],
      collides: 1,
    })
  })

  it.each([
    ['high', 'carla makes the change that you make.'],
    ['low', 'carla makes the change that you make, or a part of it.'],
  ] as const)('tells the same change of %s severity', (severity, title) => {
    const same = pair({ activity_ids: ['act_2', 'act_1'], severity, lines: [[1, 2]], same_change: true })
    expect(say({ pairs: [same] }).title).toBe(title)
  })

  it('says that two works of mine are the same change', () => {
    const same = pair({ activity_ids: ['act_2', 'act_1'], same_change: true })
    expect(say({ mine: new Set(['act_1', 'act_2']), pairs: [same] }).title).toBe(
      'Two works of yours are the same change, or one is a part of the other.',
    )
  })

  it('names the worst of several, and how many more', () => {
    const low = pair({ activity_ids: ['act_1', 'act_3'], severity: 'low', example_path: null, areas: ['checkout'] })
    const { title, more, collides } = say({ pairs: [low, atLines] })
    expect([title, more, collides]).toEqual(['carla changes the lines you change.', '1 more collision of yours.', 2])
  })

  it('names both agents where both sides are mine', () => {
    const agents = [
      { ...mine, agent: 'claude-code' },
      { ...mine, id: 'act_2', agent: 'codex', branch: 'feat/b' },
    ]
    const facts = { mine: new Set(['act_1', 'act_2']), pairs: [atLines] }
    const said = say({ ...facts, activities: new Map(agents.map((one) => [one.id, one])) })
    expect(said.title).toBe('Your codex and your claude-code change the same lines.')
    expect(said.acts).not.toContain('Copy a message')
  })

  it('tells a file, a glob and an area apart', () => {
    const of = (facts: Parameters<typeof pair>[0]) => say({ pairs: [pair(facts)] }).title
    expect(of({})).toBe('carla works on the file you work on.')
    expect(of({ severity: 'medium' })).toBe('carla may change the files you change.')
    expect(of({ severity: 'medium', lines: [[1, 2]] })).toBe('carla changes lines near yours.')
    expect(of({ severity: 'low', example_path: null, areas: ['x'] })).toBe('carla works in the area you work in.')
  })

  it('says that they meet at an issue', () => {
    const onIssue = { ...pair({ severity: 'medium', example_path: null }), issues: [42] }
    expect(say({ pairs: [onIssue] })).toMatchObject({
      title: 'carla works on issue #42 too.',
      detail: 'issue #42 · #41, pushed 2 h ago · yours feat/login',
    })
  })

  it('says who works near me where nothing collides', () => {
    const said = say()
    expect([said.kind, said.title]).toEqual(['near', 'Nothing collides with you, and 1 works near you.'])
    expect(said.detail).toBe('carla: #41 Limit the attempts')
  })

  it('says that nothing collides', () => {
    const said = say({ activities: new Map([mine, far].map((one) => [one.id, one])) })
    expect([said.kind, said.title]).toEqual(['nothing', 'Nothing collides with you.'])
  })

  it('says a freeze before everything but a collision of mine', () => {
    expect(say({ notables: [freeze] })).toMatchObject({ kind: 'freeze', title: 'Freeze until Wednesday' })
    expect(say({ notables: [freeze], mine: new Set() }).kind).toBe('freeze')
    expect(say({ notables: [freeze], pairs: [atLines] }).kind).toBe('collides')
  })

  it('says how far the work is compared', () => {
    expect(say({ isComplete: false })).toMatchObject({
      kind: 'comparing',
      title: 'Comparing 3 activities, 0 found so far.',
    })
    expect(say({ isComplete: false, pairs: [atLines] }).more).toBe('Comparing 3 activities, 1 found so far.')
  })

  it('says what is at work where I have no work', () => {
    const others = pair({ activity_ids: ['act_3', 'act_2'] })
    expect(say({ mine: new Set(), pairs: [others] })).toMatchObject({
      kind: 'no work',
      title: 'You have no work in flight here.',
      detail: '3 activities in flight, 1 collision.',
      collides: 0,
    })
    expect(say({ mine: new Set(), access: 'read' }).acts).toEqual([])
  })

  it('is about the repository where the account is not known, and never says you', () => {
    const said = say({ mine: null, pairs: [atLines] })
    expect(said).toMatchObject({ kind: 'no account', detail: '3 activities in flight, 1 collision.', collides: 0 })
    expect(said.title).toMatch(/^This sign-in has no account, so nothing is marked as yours/)
    expect(said.title + said.detail + said.more).not.toMatch(/with you/)
  })

  it.each([
    [{ mine: undefined }, 'not known', 'Looking for your work …'],
    [{ observed: undefined }, 'not known', 'Not known yet whether something collides with you.'],
    [{ observed: { ...read, unread: 2 } }, 'not known', 'Not known yet whether something collides with you.'],
    [
      { observed: { ...read, pull_requests: 'off' as const } },
      'near',
      'Nothing recorded collides with you, and 1 works near you.',
    ],
  ])('gives no all-clear that is not known: %j', (facts, kind, title) => {
    expect(say(facts)).toMatchObject({ kind, title })
  })

  it('gives an all-clear only where all is compared and read, whatever else is so', () => {
    const states = fc.constantFrom<Observed['pull_requests']>('current', 'reading', 'stale', 'unavailable', 'off')
    const facts = fc.record({
      isComplete: fc.boolean(),
      observed: fc.option(fc.record({ pull_requests: states, unread: fc.nat(1) }), { nil: undefined }),
      mine: fc.constantFrom(undefined, null, new Set<string>(), new Set(['act_1'])),
      pairs: fc.subarray([atLines, pair({ activity_ids: ['act_3', 'act_2'] })]),
      notables: fc.subarray([freeze]),
    })
    fc.assert(
      fc.property(facts, ({ observed, ...rest }) => {
        const all = { ...rest, observed: observed && { ...read, ...observed } }
        const { title, detail, more } = say(all)
        const isKnown = all.isComplete && all.observed?.pull_requests === 'current' && all.observed.unread === 0
        if (!isKnown) expect(`${title} ${detail}`).not.toMatch(/nothing collides/i)
        if (!all.isComplete) expect(more).not.toMatch(/nothing/i)
        expect(say(all).collides).toBe(all.mine?.has('act_1') && all.pairs.includes(atLines) ? 1 : 0)
      }),
    )
  })
})

it('a freeze is a blocking or critical notable about the whole repository', () => {
  const narrow = notable({ blocking: true, scope: { areas: [], paths: ['src/**'] } })
  const critical = notable({ importance: 'critical' })
  expect(freezesOf([narrow, critical, freeze, notable()])).toEqual([critical, freeze])
})
