import { describe, expect, it } from 'vitest'
import { untilDay, untilOf } from '../../../src/core/notable.ts'
import { type Known, sentenceFor } from '../../../src/core/texts/sentence.ts'

type Pair = Known['collisions'][number]
type Work = Known['activities'][number]

function work(id: string, author_login: string | null, more: Partial<Work> = {}): Work {
  const times = { began_at: '2026-11-20T09:00:00.000Z', heartbeat_at: null }
  return {
    id,
    author_login,
    actor: author_login ?? 'Somebody',
    title: `Work ${id}`,
    branch: id,
    pr_url: null,
    source: 'recorded',
    ...times,
    ...more,
  }
}

function pair(newer: string, older: string, more: Partial<Pair> = {}): Pair {
  const lines = { lines: [[130, 133]], their_lines: [[120, 131]] }
  const rest = { severity: 'high' as const, by: 'lines' as const, example_path: 'src/a.ts', areas: [], issues: [] }
  return { activity_ids: [newer, older], ...rest, ...lines, ...more }
}

const mine = work('mine', 'Me')
const carla = work('act_1', 'carla', {
  ...{ source: 'pull_request', pr_url: 'https://github.com/a/b/pull/41', heartbeat_at: '2026-11-20T10:00:00.000Z' },
})

function say(changed: Partial<Known>) {
  const observed = { pull_requests: 'current' as const, as_of: '2026-11-20T11:59:00.000Z', unread: 0 }
  const { kind, title, detail, count } = sentenceFor({
    ...{
      repository: 'A/b',
      login: 'me',
      activities: [mine, carla],
      collisions: [],
      notables: [],
      isWhole: true,
      observed,
    },
    now: new Date('2026-11-20T12:00:00Z'),
    ...changed,
  })
  const textOf = (parts: typeof title) => parts.map(({ text }) => text).join('')
  return { kind, title: textOf(title), detail: textOf(detail), count }
}

const observed = (pull_requests: Known['observed']['pull_requests'], unread = 0, as_of: string | null = null) => ({
  observed: { pull_requests, unread, as_of },
})

const collides: [what: string, known: Partial<Known>, title: string, detail: string][] = [
  [
    'the same lines',
    { collisions: [pair('act_1', 'mine', { lines: [[120, 131]], their_lines: [[130, 133]] })] },
    'carla changes the lines you change.',
    'src/a.ts, 130–133 · #41, pushed 2 h ago',
  ],
  [
    'lines beside mine',
    { collisions: [pair('mine', 'act_1', { lines: [[5, 5]], their_lines: [[7, 7]] })] },
    'carla changes lines next to yours.',
    'src/a.ts, 5 · #41, pushed 2 h ago',
  ],
  [
    'a file',
    { collisions: [pair('mine', 'act_1', { by: 'file', lines: null, their_lines: null })] },
    'carla works on a file you work on.',
    'src/a.ts · #41, pushed 2 h ago',
  ],
  [
    'globs',
    { collisions: [pair('mine', 'act_1', { by: 'globs', lines: null, their_lines: null })] },
    'carla may change the files you change.',
    'src/a.ts · #41, pushed 2 h ago',
  ],
  [
    'an issue',
    { collisions: [pair('mine', 'act_1', { by: 'issue', issues: [42], example_path: null })] },
    'carla works on #42 too.',
    '#41, pushed 2 h ago',
  ],
  [
    'an area',
    { collisions: [pair('mine', 'act_1', { by: 'area', areas: ['auth'], example_path: null })] },
    'carla works in an area you work in.',
    'auth · #41, pushed 2 h ago',
  ],
  [
    'recorded work',
    { activities: [mine, work('act_2', 'ben')], collisions: [pair('mine', 'act_2')] },
    'ben changes the lines you change.',
    'src/a.ts, 130–133 · act_2, begun 3 h ago',
  ],
  [
    'two agents of mine',
    { activities: [mine, work('other', 'ME')], collisions: [pair('mine', 'other')] },
    'Two works of yours change the same lines.',
    'src/a.ts, 130–133',
  ],
  [
    'work that the list has no room for',
    { activities: [mine], isWhole: false, collisions: [pair('act_9', 'mine')] },
    'Somebody changes the lines you change.',
    'src/a.ts, 120–131',
  ],
]

const notKnown = 'It is not known whether something collides with you.'
const nearness = 'What is only near yours is told by headsup check.'

describe('§12 the one sentence about the viewer', () => {
  it.each(collides)('tells of %s', (_, known, title, detail) => {
    expect(say(known)).toEqual({ kind: 'collides', title, detail, count: 1 })
  })

  it('names a pull request of another repository in full', () => {
    const recorded = { ...carla, source: 'recorded' as const }
    const elsewhere = { ...recorded, pr_url: 'https://github.com/a/c/pull/41' }
    const detailWith = (theirs: Work) =>
      say({ activities: [mine, theirs], collisions: [pair('mine', 'act_1')] }).detail.split(' · ')[1]
    expect(detailWith(recorded)).toBe('#41, seen 2 h ago')
    expect(detailWith(elsewhere)).toBe('a/c#41, seen 2 h ago')
  })

  it('counts each work of mine that one work collides with', () => {
    const activities = [mine, work('second', 'Me'), carla]
    const collisions = [pair('act_1', 'mine'), pair('act_1', 'second')]
    expect(say({ activities, collisions })).toMatchObject({ title: 'carla changes the lines you change.', count: 2 })
  })

  it('tells of the first of several collisions of mine, counts them, and leaves those of others out', () => {
    const activities = [mine, carla, work('act_2', 'ben'), work('act_3', 'eva')]
    const collisions = [pair('act_2', 'act_3'), pair('mine', 'act_1'), pair('act_2', 'mine')]
    expect(say({ activities, collisions })).toMatchObject({ title: 'carla changes the lines you change.', count: 2 })
  })

  it.each<[string, Partial<Known>, string, string, string]>([
    [
      'no account',
      { login: null },
      'no_account',
      'This token has no account.',
      'So nothing here can be marked as yours.',
    ],
    [
      'not all compared',
      { isWhole: false },
      'cut',
      notKnown,
      'There is too much work in flight to compare all of it here.',
    ],
    ['nothing of mine', { activities: [carla] }, 'no_work', 'You have no work in flight here.', ''],
    ['being read', observed('reading'), 'not_read', notKnown, 'The open pull requests are being read.'],
    [
      'read long ago',
      observed('stale', 0, '2026-11-20T09:00:00.000Z'),
      'not_read',
      notKnown,
      'The open pull requests were last read 3 h ago.',
    ],
    ['not all read', observed('current', 2), 'not_read', notKnown, 'The files of 2 open pull requests are not read.'],
    [
      'not to be read',
      observed('unavailable'),
      'not_read',
      notKnown,
      'This token may not read the pull requests: only recorded work is known.',
    ],
    [
      'not observed',
      observed('off'),
      'nothing',
      'Nothing recorded collides with you.',
      `Open pull requests are not watched here. ${nearness}`,
    ],
    ['nothing, and what may be near', {}, 'nothing', 'Nothing collides with you.', nearness],
  ])('says that nothing collides only where that is known: %s', (_, known, kind, title, detail) => {
    expect(say(known)).toEqual({ kind, title, detail, count: 0 })
  })

  it('says that it compares while nothing is read yet', () => {
    expect(sentenceFor(null)).toMatchObject({ kind: 'comparing', detail: [], count: 0 })
  })

  it('names a freeze, and no other notable', () => {
    const whole = { areas: [], paths: [] }
    const times = { applies_until: null, expires_at: '2026-11-20T12:00:01Z' }
    const freeze = { title: 'Release', blocking: true, importance: 'low' as const, scope: whole, ...times }
    expect(say({ notables: [freeze] })).toMatchObject({
      kind: 'freeze',
      title: 'Nothing collides with you, but Release holds.',
      detail: nearness,
    })
    expect(say({ notables: [{ ...freeze, blocking: false }] }).kind).toBe('nothing')
    expect(say({ notables: [{ ...freeze, scope: { areas: ['a'], paths: [] } }] }).kind).toBe('nothing')
    expect(say({ notables: [{ ...freeze, applies_until: '2026-11-20T12:00:00Z' }] }).kind).toBe('nothing')
  })

  it('a notable holds until the earlier of its two times, however these are written', () => {
    const [earlier, later] = ['2026-11-30T00:00:00+02:00', '2026-11-29T23:00:00Z']
    expect(untilDay({ applies_until: earlier, expires_at: later })).toBe('2026-11-29')
    expect(untilOf({ applies_until: later, expires_at: earlier })).toEqual(new Date(earlier))
    expect(untilOf({ applies_until: null, expires_at: later })).toEqual(new Date(later))
  })

  it('tells of a collision also while not everything is compared', () => {
    expect(say({ isWhole: false, collisions: [pair('mine', 'act_1')] }).kind).toBe('collides')
  })
})
