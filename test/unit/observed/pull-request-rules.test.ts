import { describe, expect, it } from 'vitest'
import {
  isOutdated,
  pushedAtAfterRead,
  staysAside,
  unreadColumns,
} from '../../../src/service/observed/pull-requests/pull-request-rules.ts'

const [before, at, after] = [new Date(1_000), new Date(2_000), new Date(3_000)]
const reopening = { reopened: true, pushedAt: null }

describe('facts', () => {
  const row = (state: string) => ({ state, github_updated_at: at })
  const facts = (state: 'open' | 'closed', updatedAt: Date) => ({ state, updatedAt })

  it('that are older than the row are outdated', () => {
    expect(isOutdated(row('open'), facts('closed', before))).toBe(true)
    expect(isOutdated(row('closed'), facts('open', before), reopening)).toBe(true)
    expect(isOutdated(row('closed'), facts('open', after))).toBe(false)
  })

  it('of the same second are not, but an open state after an end, unless it is a reopening', () => {
    expect(isOutdated(row('open'), facts('open', at))).toBe(false)
    expect(isOutdated(row('open'), facts('closed', at))).toBe(false)
    expect(isOutdated(row('merged'), facts('open', at))).toBe(true)
    expect(isOutdated(row('closed'), facts('open', at), reopening)).toBe(false)
  })
})

describe('a pull request that was put aside', () => {
  it('stays so at its head, while it is open', () => {
    expect(staysAside({ state: 'open', put_aside_head_sha: 'a' }, { headSha: 'a' })).toBe(true)
    expect(staysAside({ state: 'open', put_aside_head_sha: 'a' }, { headSha: 'b' })).toBe(false)
    expect(staysAside({ state: 'closed', put_aside_head_sha: 'a' }, { headSha: 'a' })).toBe(false)
    expect(staysAside({ state: 'open', put_aside_head_sha: null }, { headSha: 'a' })).toBe(false)
  })
})

describe('the last push', () => {
  const row = { head_sha: 'a', pushed_at: before, push_reported_sha: null, github_updated_at: at }

  it('is the last commit, but never later than the last update', () => {
    expect(pushedAtAfterRead(row, new Date(0))).toEqual(new Date(0))
    expect(pushedAtAfterRead(row, after)).toEqual(at)
    expect(pushedAtAfterRead(row, null)).toEqual(before)
  })

  it('is what a webhook said of this head', () => {
    expect(pushedAtAfterRead({ ...row, push_reported_sha: 'a' }, new Date(0))).toEqual(before)
    expect(pushedAtAfterRead({ ...row, push_reported_sha: 'former' }, new Date(0))).toEqual(new Date(0))
  })
})

describe('unread files', () => {
  it('wait since the first head that was not read, and stay urgent once a webhook said so', () => {
    const waiting = { unread_since: before, marked_by_webhook: true }
    expect(unreadColumns(waiting, false, at)).toMatchObject({
      unread_since: before,
      marked_by_webhook: true,
      read_after: at,
    })
    const read = { unread_since: null, marked_by_webhook: false }
    expect(unreadColumns(read, true, at)).toMatchObject({ unread_since: at, marked_by_webhook: true })
  })
})
