import fc from 'fast-check'
import { expect, it } from 'vitest'
import { comparableWork } from '../../../src/core/rules/changed/changed-work.ts'
import { workBudget } from '../../../src/core/scope/match/work-budget.ts'
import { activityOf, candidatesOf, comparisonOf, evaluate, notableOf } from './candidates-of.ts'

const title = fc.constantFrom('Work', 'Go ahead.', 'Then go ahead”. Go ahead.')
const paths = fc.subarray(['src/a.ts', 'src/**', 'docs/**'])
const changes = fc.option(fc.constantFrom('src/a.ts', 'src/b.ts', 'docs/c.md'), { nil: null })
const risk = fc.constantFrom('low', 'critical')
const association = fc.constantFrom('MEMBER', 'NONE')

const work = fc
  .record({ title, paths, changes, risk, association, branch: fc.constantFrom(null, 'mine', 'theirs') })
  .map(({ changes: path, association: of, ...given }) => {
    if (path === null) return activityOf(given)
    const files = [{ path, previous_path: null, status: 'modified' as const, lines: null }]
    const known = { baseBranch: null, author: 'bob', headSha: null, commits: new Set<string>() }
    return activityOf({
      ...{ ...given, paths: [], is_declared: false, source: 'pull_request', pr_number: 7 },
      changed: comparableWork({ ...known, files, filesTotal: 1 }),
      pull: { number: 7, is_fork: true, head_ref: 'x', head_sha: 'a1', association: of },
    })
  })

const notable = fc
  .record({ title, paths, blocking: fc.boolean(), importance: fc.constantFrom('low', 'high', 'critical') })
  .map(notableOf)

const state = fc.record({
  pull_requests: fc.constantFrom('current', 'current', 'current', 'off', 'off', 'stale', 'reading', 'unavailable'),
  as_of: fc.constant(null),
  unread: fc.constantFrom(0, 0, 0, 2),
})

const found = fc.record({
  proposed: paths,
  candidates: fc.array(work, { maxLength: 2, size: 'small' }),
  notables: fc.oneof(fc.constant([]), fc.array(notable, { maxLength: 2 })),
  observed: state,
  partlyListed: fc.constantFrom([], [], [], ['big']),
  isCut: fc.constantFrom(false, false, false, true),
})

it('the advice says "go ahead" if and only if the answer is clear, and all texts are the messages', async () => {
  const counts = { clear: 0, not: 0 }
  await fc.assert(
    fc.asyncProperty(found, async ({ proposed, ...given }) => {
      const comparison = comparisonOf({ paths: proposed, work: workBudget() })
      const candidates = candidatesOf({
        ...given,
        stack: given.candidates.filter(({ source }) => source === 'recorded'),
      })
      const answer = await evaluate({ branch: 'mine', base_branch: null }, candidates, comparison)
      const { clear, obstacles, messages, recommended_action, reason } = answer
      const ownWords = `${recommended_action}\n`.replace(/“[^”]*”/g, '“”')
      expect(/go ahead/i.test(ownWords)).toBe(clear)
      expect(clear).toBe(obstacles.length === 0)
      counts[clear ? 'clear' : 'not']++
      if (clear) {
        const { pull_requests, unread } = answer.observed
        expect(answer).toMatchObject({ overlap_detected: false, severity: null, related_notable_ids: [] })
        expect(proposed).not.toEqual([])
        expect({ unread, isCut: given.isCut, partly: given.partlyListed }).toEqual({
          unread: 0,
          isCut: false,
          partly: [],
        })
        expect(['current', 'off']).toContain(pull_requests)
        // A client drops exactly this line where it knows more.
        expect(messages.filter(({ kind, ids }) => kind === 'advice' && ids.length === 0)).toHaveLength(1)
      }
      expect(reason.length * recommended_action.length).toBeGreaterThan(0)
    }),
    { numRuns: 1000 },
  )
  expect(Math.min(counts.clear, counts.not)).toBeGreaterThan(20)
})
