import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  epicsAmong,
  issueOverlap,
  mostWorksOfIssue,
  type NamedIssues,
  namedIssues,
  numbersOf,
  sharedIssues,
} from '../../../src/core/rules/duplicates/same-issue-rules.ts'

const plain = { isOfIgnoredAuthor: false, isMinor: false, isGrave: false }
const none = new Set<number>()
const stated = (...numbers: number[]): NamedIssues => ({ stated: numbers, guessed: [] })
const guessed = (...numbers: number[]): NamedIssues => ({ stated: [], guessed: numbers })

const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 5 })
const named = fc
  .record({ issues: numbers, issues_from: fc.constantFrom('branch', null), ofPull: numbers })
  .map(({ ofPull, ...own }) => namedIssues(own, ofPull))

describe('the issues of stored work', () => {
  it('are guessed where they are from the name of the branch, and the pull request does not state them', () => {
    expect(namedIssues({ issues: [42, 7], issues_from: 'branch' }, [7, 9])).toEqual({ stated: [7, 9], guessed: [42] })
    expect(namedIssues({ issues: [42, 7], issues_from: null }, [7, 9])).toEqual(stated(7, 9, 42))
  })
})

describe('the issues that two works share', () => {
  it('are guessed only where both guess', () => {
    expect(sharedIssues(guessed(1, 2), { stated: [2], guessed: [1] })).toEqual({ stated: [2], guessed: [1] })
    expect(sharedIssues(stated(1), stated(2))).toBeNull()
  })

  it('are the numbers that both name, whichever side asks', () => {
    fc.assert(
      fc.property(named, named, (a, b) => {
        const shared = sharedIssues(a, b)
        expect(shared).toEqual(sharedIssues(b, a))
        expect(shared === null ? [] : numbersOf(shared)).toEqual(
          numbersOf(a).filter((number) => numbersOf(b).includes(number)),
        )
      }),
    )
  })
})

describe('the severity of a shared issue', () => {
  it.each([
    ['medium', stated(42), {}],
    ['low', stated(42), { isMinor: true }],
    ['low', guessed(42), {}],
    ['medium', { stated: [42], guessed: [7] }, {}],
    ['high', stated(42), { isGrave: true }],
    ['medium', guessed(42), { isGrave: true }],
    ['medium', stated(42), { isMinor: true, isGrave: true }],
    [null, stated(42), { isOfIgnoredAuthor: true, isGrave: true }],
  ] as const)('is %s for %j with %j', (severity, shared, weight) => {
    expect(issueOverlap(shared, none, { ...plain, ...weight }).severity).toBe(severity)
  })

  it('is none for an epic, unless another shared issue is none', () => {
    const epics = new Set([42])
    expect(issueOverlap(stated(42), epics, plain)).toEqual({ numbers: [42], severity: null })
    expect(issueOverlap(stated(7, 42), epics, plain)).toEqual({ numbers: [7], severity: 'medium' })
    expect(issueOverlap({ stated: [42], guessed: [7] }, epics, plain)).toEqual({ numbers: [7], severity: 'low' })
  })
})

describe('an epic', () => {
  it('is an issue that more than 5 other works of members name', () => {
    const works = (count: number, byStranger = false) =>
      Array.from({ length: count }, () => ({ shared: stated(42), byStranger }))
    expect([...epicsAmong(works(mostWorksOfIssue))]).toEqual([])
    expect([...epicsAmong(works(mostWorksOfIssue + 1))]).toEqual([42])
    expect([...epicsAmong([...works(mostWorksOfIssue), ...works(100, true)])]).toEqual([])
  })
})
