import { describe, expect, it } from 'vitest'
import { affectedBy, isToBeWritten, type WrittenHeadline } from '../../../src/service/report/rewrite-rules.ts'

const clear = { conclusion: 'success', title: 'No overlap with work in flight' } as const
const same = { conclusion: 'neutral', title: 'Same lines as #31 (alice)' } as const
const close = { conclusion: 'neutral', title: 'Close to #7 (bob)' } as const
const said = (all: typeof clear | typeof same | typeof close, fresh = all): WrittenHeadline => ({ ...all, fresh })

describe('a report is written', () => {
  it('for a head that has none', () => expect(isToBeWritten(null, said(clear))).toBe(true))
  it('where its conclusion or title changed', () => {
    expect(isToBeWritten(said(clear), said(same))).toBe(true)
    expect(isToBeWritten(said(same), said(close))).toBe(true)
  })
  it('not where both are the same, whatever else changed', () => {
    expect(isToBeWritten(said(same), said(same))).toBe(false)
  })
  it('not because of pull requests that had no push for long', () => {
    expect(isToBeWritten(said(clear), { ...same, fresh: clear })).toBe(false)
    expect(isToBeWritten({ ...same, fresh: clear }, said(clear))).toBe(false)
    expect(isToBeWritten({ ...same, fresh: clear }, said(close))).toBe(true)
  })
  it('not where a pull request that it names goes stale', () => {
    expect(isToBeWritten(said(same), { ...same, fresh: clear })).toBe(false)
  })
})

describe('the pull requests that an event affects', () => {
  it('are those named now, then those named before, each once, and never itself', () => {
    expect(affectedBy([12], [31, 7], [7, 12, 40])).toEqual([31, 7, 40])
  })
  it('are at most 20', () => {
    const many = Array.from({ length: 30 }, (_, n) => n + 1)
    expect(affectedBy([1], many, [])).toEqual(many.slice(1, 21))
  })
})
