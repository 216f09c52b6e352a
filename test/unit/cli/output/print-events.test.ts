import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../src/cli/client/json.ts'
import { createEventPrinter, describePair } from '../../../../src/cli/output/print-events.ts'
import { printingTerminal } from '../../../support/printing-terminal.ts'

describe('a collision in one line', () => {
  it.each([
    ['one line', [[44, 44]], ', line 44'],
    ['several lines', [[40, 50]], ', lines 40–50'],
    ['no lines', null, ''],
  ])('names %s', (_, lines, end) => {
    const pair = { activity_ids: ['act_2', 'act_1'], severity: 'high', example_path: 'a.ts', lines }
    const line = describePair(pair, new Map(), (_style, text) => text)
    expect(line).toBe(`Collision, high severity: act_2 and act_1, such as “a.ts”${end}`)
  })
})

describe('the same change in one line', () => {
  it('is called so', () => {
    const pair = { activity_ids: ['act_2', 'act_1'], severity: 'high', example_path: 'a.ts', same_change: true }
    const line = describePair(pair, new Map(), (_style, text) => text)
    expect(line).toBe('Same change, high severity: act_2 and act_1, such as “a.ts”')
  })
})

describe('what headsup watch prints of collisions', () => {
  function printedBy(...events: (readonly [string, Json])[]): string[] {
    const { terminal, out } = printingTerminal()
    const printer = createEventPrinter(terminal, { lines: true })
    for (const [event, data] of events) printer.print(event, data)
    return out
  }

  const pair = { activity_ids: ['act_2', 'act_1'], severity: 'low' }
  const snapshot = (facts: object = {}) =>
    ['snapshot', { activities: [], collisions: [], notables: [], ...facts }] as const
  const all = (items: object[], collisions_complete = true) => ['collisions', { items, collisions_complete }] as const
  const comparing = 'Not all live work is compared yet: there may be more collisions.'

  it('says where not all is compared, and when that is over', () => {
    const lines = printedBy(snapshot({ collisions_complete: false }), all([], false), all([pair]), all([pair]))
    expect(lines).toEqual([
      '0 pieces of live work, 0 collisions, 0 notables. Text in quotation marks is other people’s.',
      comparing,
      comparing,
      'Collision, low severity: act_2 and act_1',
      'All live work is compared now.',
    ])
  })

  it.each([
    [
      { pull_requests: 'reading', unread: 0 },
      'The open pull requests are still being read: there may be more of them.',
    ],
    [{ pull_requests: 'stale', unread: 1 }, 'Open pull requests could not be read of late: there may be newer ones.'],
  ])('says where open pull requests are not known: %j', (observed, line) => {
    expect(printedBy(snapshot({ collisions_complete: true, observed })).slice(1)).toEqual([line])
  })

  it('marks pull requests from outside', () => {
    const [, line] = printedBy(snapshot({ collisions: [{ ...pair, outside_ids: ['act_1'] }] }))
    expect(line).toBe('Collision, low severity: act_2 and act_1 from outside')
  })

  it('says where there is more than a snapshot holds', () => {
    const truncated = { activities: true, notables: false, collisions: true }
    const [counts] = printedBy(snapshot({ truncated, collisions_complete: false }))
    expect(counts).toMatch(/^0\+ pieces of live work, 0\+ collisions, 0 notables\./)
  })

  it('prints of all pairs only those that are not printed yet, or got worse', () => {
    const worse = { ...pair, severity: 'high' }
    const lines = printedBy(snapshot({ collisions: [pair] }), all([pair]), all([worse]), ['collision', worse])
    expect(lines.slice(1)).toEqual([
      'Collision, low severity: act_2 and act_1',
      'Collision, high severity: act_2 and act_1',
      'Collision, high severity: act_2 and act_1',
    ])
  })
})

describe('the notifications of headsup watch --notify', () => {
  /** The events that ask the terminal for a notification. */
  function notifiedBy(events: readonly (readonly [string, Json])[], ownId?: string): Json[] {
    const { terminal, out: lines } = printingTerminal()
    const printer = createEventPrinter(terminal, { lines: true, notify: true, ownId })
    return events.flatMap(([event, data]) => {
      lines.length = 0
      printer.print(event, data)
      return lines.some((line) => line.includes('\u0007')) ? [data] : []
    })
  }

  const work = (id: string, fields: object = {}) => ({
    ...{ id, actor: 'bob', title: 'B', status: 'active', branch: `branch-of-${id}` },
    ...fields,
  })
  const pair = (ids: readonly string[], severity = 'medium', fields: object = {}) =>
    ['collision', { activity_ids: ids, severity, ...fields }] as const

  it('come once per pair, and again only when it gets worse', () => {
    const first = pair(['act_2', 'act_1'])
    const worse = pair(['act_2', 'act_1'], 'high')
    const events = [
      first,
      pair(['act_2', 'act_1'], 'medium', { example_path: 'b.ts' }),
      pair(['act_2', 'act_1'], 'low'),
      worse,
      pair(['act_2', 'act_1'], 'medium'),
      pair(['act_1', 'act_2'], 'high'),
    ]
    expect(notifiedBy(events)).toEqual([first[1], worse[1]])
  })

  it('do not come for the end of a collision, nor when it begins again', () => {
    const first = pair(['act_2', 'act_1'])
    expect(notifiedBy([first, pair(['act_2', 'act_1'], 'medium', { gone: true }), first])).toEqual([first[1]])
  })

  it.each([
    ['branch and actor', { branch: 'fix' }],
    ['pull request', { pr_url: 'https://github.com/acme/shop/pull/7' }],
  ])('recognise work with a new record by its %s', (_, fields) => {
    const first = pair(['act_2', 'act_1'])
    const events = [
      ['activity', work('act_1')] as const,
      ['activity', work('act_2', fields)] as const,
      first,
      ['activity', work('act_3', fields)] as const,
      pair(['act_3', 'act_1']),
    ]
    expect(notifiedBy(events)).toEqual([first[1]])
    expect(notifiedBy(events, 'act_1')).toEqual([first[1]])
  })

  it('come for each of several who work on one branch, and for each that one piece of work collides with', () => {
    const activities = [
      work('act_1'),
      work('act_2', { branch: 'main', actor: 'bob' }),
      work('act_3', { branch: 'main', actor: 'carol' }),
    ]
    const pairs = [pair(['act_2', 'act_1']), pair(['act_3', 'act_1']), pair(['act_3', 'act_2'])]
    const events = [['snapshot', { activities, collisions: [], notables: [] }] as const, ...pairs]
    expect(notifiedBy(events)).toEqual(pairs.map(([, data]) => data))
  })

  it('come again for new work on the default branch, which identifies no work', () => {
    const onMain = (id: string, actor: string) => ['activity', work(id, { branch: 'main', actor })] as const
    const onFeature = ['activity', work('act_5', { actor: 'carol', base_branch: 'main' })] as const
    const pairs = [
      pair(['act_2', 'act_1']),
      pair(['act_4', 'act_3']),
      pair(['act_5', 'act_3']),
      pair(['act_6', 'act_5']),
    ]
    const works = [
      ...[onMain('act_1', 'alice'), onMain('act_2', 'bob'), onMain('act_3', 'alice'), onMain('act_4', 'bob')],
      ...[onFeature, onMain('act_6', 'alice')],
    ]
    expect(notifiedBy([...works, ...pairs, ...pairs])).toEqual(pairs.map(([, data]) => data))
  })

  it('do not come again with the snapshot or the list after a lost connection', () => {
    const known = {
      activities: [work('act_1'), work('act_2')],
      collisions: [pair(['act_2', 'act_1'])[1]],
      notables: [],
    }
    const list = (severity: string) => ['collisions', { items: [pair(['act_2', 'act_1'], severity)[1]] }] as const
    const [worse, first] = [list('high'), ['snapshot', known] as const]
    expect(notifiedBy([first, first, list('medium'), worse])).toEqual([known, worse[1]])
  })
})
