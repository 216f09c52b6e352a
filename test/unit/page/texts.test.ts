import { describe, expect, it } from 'vitest'
import { pairKey } from '../../../src/core/rules/order/pair-order.ts'
import { lineList } from '../../../src/core/texts/line-list.ts'
import { observationText } from '../../../src/core/texts/sentence/sentence.ts'
import { adviceOn } from '../../../src/core/texts/sentence/sentence-parts.ts'
import { readProblem } from '../../../src/page/client/requests.ts'
import { cardsOf } from '../../../src/page/model/board.ts'
import { problemOf } from '../../../src/page/model/problem.ts'
import {
  announcement,
  cutText,
  doneText,
  endOf,
  isStale,
  repositoryLink,
  safeLink,
  ssoLink,
  untilText,
} from '../../../src/page/model/words.ts'
import { activity, notable, pair } from './records.ts'

const github = 'https://github.com'
const now = Date.parse('2026-11-22T12:00:00.000Z')

describe('links', () => {
  it.each([
    ['https://example.com/adr/7', true],
    ['http://10.0.0.1/x', true],
    ['javascript:alert(1)', false],
    ['data:text/html,x', false],
    ['https://user:secret@example.com/', false],
    ['https://user@example.com/', false],
    ['//example.com', false],
    [null, false],
  ])('to %s: %s', (url, isSafe) => {
    expect(safeLink(url)).toBe(isSafe ? url : undefined)
  })

  it('to single sign-on lead only to our own GitHub', () => {
    expect(ssoLink('required; url=https://github.com/orgs/a/sso?x=1', github)).toBe('https://github.com/orgs/a/sso?x=1')
    expect(ssoLink('required; url=https://evil.example/orgs/a/sso', github)).toBeUndefined()
    expect(ssoLink('required', github)).toBeUndefined()
    expect(ssoLink(null, undefined)).toBeUndefined()
  })

  it('to the repository need the address of GitHub', () => {
    expect(repositoryLink(github, { owner: 'a', repo: 'b' })).toBe('https://github.com/a/b')
    expect(repositoryLink(undefined, { owner: 'a', repo: 'b' })).toBeUndefined()
  })
})

describe('why nothing is shown', () => {
  const faultOf = (field: string) => ({ field, message: 'is too long' })
  const refusal = { status: 503, code: 'unavailable', retryAfter: '7' }

  it.each([
    [{ status: 401, code: 'invalid_token' }, 'session-over', undefined],
    [{ status: 403, code: 'sso_required' }, 'sso', undefined],
    [{ status: 403, code: 'insecure' }, 'insecure', undefined],
    [{ status: 403, code: 'forbidden' }, 'forbidden', undefined],
    [{ status: 404, code: 'not_found' }, 'not-found', undefined],
    [{ status: 429, code: 'github_rate_limited' }, 'busy', 7],
    [{ status: 503, code: 'unavailable' }, 'unavailable', 7],
    [{ status: 502, code: '', retryAfter: null }, 'unavailable', 10],
    [{ retryAfter: 'Fri, 31 Dec 1999 23:59:59 GMT' }, 'unavailable', 10],
    [{ retryAfter: '0' }, 'unavailable', 1],
  ])('%j is %s', (facts, kind, retryAfterSeconds) => {
    const { status, code, retryAfter } = { ...refusal, ...facts }
    const headers = new Headers(retryAfter === null ? {} : { 'retry-after': retryAfter })
    expect(problemOf({ status, headers }, { code, message: '' })).toMatchObject({ kind, retryAfterSeconds })
  })

  it.each([
    [{ code: 403, details: 'none' }, 'The service refused the request.'],
    [{ message: { text: 'no' } }, '[object Object]'],
    [{ message: null }, 'The service refused the request.'],
    [{ message: 'Bad.', details: [faultOf('title'), faultOf('summary')] }, 'title: is too long; summary: is too long'],
  ])('is said as text, by the status, whatever a proxy sends: %j', async (error, message) => {
    const problem = await readProblem(Response.json({ error }, { status: 404 }))
    expect(problem).toMatchObject({ kind: 'not-found', message })
  })
})

describe('texts', () => {
  it.each([
    [[], ''],
    [[[5, 5]], 'line 5'],
    [[[5, 9]], 'lines 5–9'],
    [
      [
        [1, 1],
        [3, 4],
      ],
      'lines 1 and 3–4',
    ],
    [
      [
        [1, 1],
        [3, 3],
        [5, 5],
        [7, 7],
      ],
      'lines 1, 3, 5 and 1 more',
    ],
  ] as [[number, number][], string][])('of the lines %j: %s', (lines, text) => {
    expect(lineList(lines)).toBe(text)
  })

  it('advise differently by severity, and where lines are known', () => {
    const severities = ['high', 'medium', 'low'] as const
    const texts = severities
      .flatMap((severity) => [pair({ severity }), pair({ severity, lines: [[1, 2]] })])
      .map(adviceOn)
    const issue = adviceOn({ ...pair({ severity: 'medium', lines: null }), issues: [42] })
    expect(new Set([...texts, adviceOn(pair({ same_change: true })), issue]).size).toBe(7)
  })

  it('say how far ahead an instant is', () => {
    expect(untilText('2026-11-22T15:00:00.000Z', now)).toBe('in 3 h')
    expect(untilText('2026-11-22T11:00:00.000Z', now)).toBe('now')
  })

  it.each([
    ['current', 0, false, 'up to date'],
    ['current', 2, true, '2 open pull requests'],
    ['reading', 0, true, 'first time'],
    ['stale', 0, true, '4 min ago'],
    ['unavailable', 0, true, 'may not read'],
    ['off', 0, true, 'not watched'],
  ] as const)(
    'say of open pull requests that are %s with %s unread what is missing',
    (pull_requests, unread, isGap, words) => {
      const found = observationText({ pull_requests, unread, as_of: '2026-11-22T11:56:00.000Z' }, now)
      expect(found).toMatchObject({ isGap, text: expect.stringContaining(words) })
    },
  )

  it('say of which kinds the work is that is not read yet', () => {
    const textOf = (unread: number, unread_branches: number) =>
      observationText({ pull_requests: 'current', as_of: null, unread, unread_branches }, now).text
    expect(textOf(1, 1)).toBe('The files of 1 pushed branch are still to be read.')
    expect(textOf(4, 2)).toBe('The files of 2 open pull requests and 2 pushed branches are still to be read.')
  })
})

describe('recorded work that is done', () => {
  const changes = { by: 'github', head_sha: null, files_total: 1, files_compared: 1, read_at: now.toString() } as const

  it.each([
    [{ pr_url: 'https://github.com/acme/shop/pull/41' }, 'It is done: it counts again as #41'],
    [{ changes }, 'It is done: what is pushed counts again'],
    [{ changes: { ...changes, by: 'client' as const } }, 'It is done'],
    [{}, 'It is done'],
  ])('with %j: %s', (facts, text) => {
    expect(doneText(activity(facts))).toBe(text)
  })
})

describe('notables', () => {
  it('end when they stop being true, or expire', () => {
    expect(endOf(notable({ applies_until: '2026-11-23T12:00:00.000Z' }))).toBe('2026-11-23T12:00:00.000Z')
    expect(endOf(notable({ applies_until: '2027-11-23T12:00:00.000Z' }))).toBe('2026-11-29T12:00:00.000Z')
  })
})

const nothingCut = { activities: false, notables: false, collisions: false, scopes: false }

describe('what is not known yet', () => {
  it('is said of records that do not fit', () => {
    expect(cutText(nothingCut)).toBeUndefined()
    expect(cutText({ ...nothingCut, scopes: true })).toMatch(/^Of some only the first 20 paths/)
    expect(cutText({ ...nothingCut, notables: true, scopes: true })).toMatch(/^More than 500 or 1 MiB/)
  })
})

describe('the text for screen readers', () => {
  const state = (...paths: string[]) => {
    const pairs = paths.map((path, index) => pair({ activity_ids: ['act_1', `act_${index + 2}`], example_path: path }))
    const activities = new Map([['act_1', activity()]])
    return cardsOf({ activities, collisions: new Map(pairs.map((one) => [pairKey(one), one])) }, new Set())
  }

  it('is each new card, with its people, and each that is over', () => {
    expect(announcement(undefined, state('a.ts'))).toBe('')
    expect(announcement([], state('a.ts'))).toBe('New collision, high severity: Ana and other work, a.ts.')
    expect(announcement(state(), state('a.ts', 'b.ts'))).toBe('2 new collisions.')
    expect(announcement(state('a.ts'), [])).toBe('A collision is over.')
    expect(announcement(state('a.ts'), state('a.ts'))).toBe('')
  })
})

describe('what is shown', () => {
  it.each([
    ['live', 20_000, false],
    ['live', 31_000, true],
    ['polling', 31_000, false],
    ['connecting', 0, true],
    ['lost', 0, true],
  ] as const)('%s with the last message %i ms ago is old: %s', (connection, age, isOld) => {
    expect(isStale(connection, now - age, now)).toBe(isOld)
  })
})
