import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { afterMerges } from '../../../../src/cli/merge/answer/after-merges.ts'
import { readCandidates } from '../../../../src/cli/merge/answer/read-candidates.ts'
import type { Conflict, MergeCandidate, MergeResult, TriedMerges } from '../../../../src/cli/merge/merge-result.ts'
import { notTried, resultOf } from '../../../../src/cli/merge/merge-result.ts'
import { comparableWork } from '../../../../src/core/rules/changed/changed-work.ts'
import { type Decision, decide } from '../../../../src/core/rules/decide.ts'
import { isLoaded } from '../../../../src/core/rules/findings.ts'
import { outcomeOf } from '../../../../src/core/rules/outcome.ts'
import { severityAfterMerge } from '../../../../src/core/rules/severity-after-merge.ts'
import { isStalePull } from '../../../../src/core/rules/stale-rules.ts'
import type { Overlap } from '../../../../src/core/schemas/overlap.ts'
import { workBudget } from '../../../../src/core/scope/match/work-budget.ts'
import { parseScope } from '../../../../src/core/scope/parse-scope.ts'
import { describe as describeDecision } from '../../../../src/service/overlap/describe.ts'
import { activityOf, candidatesOf, comparisonOf, notableOf, now } from '../../overlap/candidates-of.ts'

const paths = ['src/a.ts', 'src/b.ts']
const file = fc.record({
  path: fc.constantFrom(...paths),
  previous_path: fc.constant(null),
  status: fc.constant('modified' as const),
  lines: fc.constantFrom<[number, number][]>([[1, 1]], [[2, 4]], [[6, 6]], [[40, 40]]),
  blob: fc.constantFrom(undefined, undefined, 'e1', 'e2'),
})
const files = fc.uniqueArray(file, { minLength: 1, maxLength: 2, selector: ({ path }) => path })

const known = { baseBranch: null, headSha: 'a1', commits: new Set<string>() }
const dates = fc.constantFrom(1, 3, 900).map((hours) => new Date(now.getTime() - hours * 3_600_000))

/** An open pull request or a pushed branch: a merge with it may be tried. */
const pushed = fc
  .record({
    files,
    number: fc.integer({ min: 1, max: 3 }),
    author: fc.constantFrom('bob', 'carol', 'mallory'),
    isFork: fc.boolean(),
    isBranch: fc.boolean(),
    association: fc.constantFrom('MEMBER', 'NONE'),
    blocking: fc.constantFrom(false, false, false, true),
    issues: fc.constantFrom([], [], [], [42]),
    began_at: dates,
  })
  .map(({ files: changed, number, author, isFork, isBranch, association, issues, ...given }) =>
    activityOf({
      ...given,
      ...{ source: isBranch ? 'branch' : 'pull_request', is_declared: false, author_login: author, actor: author },
      ...{ branch: `work-${number}`, pr_number: isBranch ? null : number, author_id: author === 'carol' ? 3n : 2n },
      issues: { stated: issues, guessed: [] },
      changed: comparableWork({ ...known, author, files: changed, filesTotal: changed.length }),
      pull: isBranch ? null : { number, is_fork: isFork, head_ref: 'x', head_sha: 'a1', association },
    }),
  )

/** Recorded work, of which no head is at GitHub. */
const declared = fc
  .record({ paths: fc.subarray(paths, { minLength: 1 }), risk: fc.constantFrom('low', 'critical'), began_at: dates })
  .map((given) => activityOf({ ...given, branch: 'declared', title: 'Declared “work”' }))

const notable = fc
  .record({
    paths: fc.subarray([...paths, 'docs/**']),
    blocking: fc.boolean(),
    importance: fc.constantFrom('low', 'high', 'critical'),
  })
  .map(notableOf)

function worlds(most: number) {
  return fc.record({
    ours: files,
    works: fc.array(fc.oneof({ arbitrary: pushed, weight: 3 }, { arbitrary: declared, weight: 1 }), {
      maxLength: most,
    }),
    notables: fc.oneof(
      { arbitrary: fc.constant([]), weight: 4 },
      { arbitrary: fc.array(notable, { maxLength: 2 }), weight: 1 },
    ),
    isCut: fc.constantFrom(...Array(6).fill(false), true),
    partlyListed: fc.constantFrom(...Array(6).fill([]), ['big']),
    unread: fc.constantFrom(0, 0, 0, 0, 2),
    began: fc.constantFrom(undefined, 2),
    isOurs: fc.boolean(),
  })
}
type World = ReturnType<typeof worlds> extends fc.Arbitrary<infer Value> ? Value : never

/** The answer of the service about a world, and how it answers where merges change what is decided. */
async function answerOf({ ours, works, notables, isCut, partlyListed, unread, began, isOurs }: World) {
  const proposed = parseScope({ areas: [], paths: ours.map(({ path }) => path) })
  const comparison = comparisonOf({
    ...{ proposed, counted: proposed, work: workBudget(), author: 'alice', issues: { stated: [42], guessed: [] } },
    changed: comparableWork({ ...known, headSha: null, author: 'alice', files: ours, filesTotal: ours.length }),
    own: began === undefined ? undefined : { id: 'act_own', began_at: new Date(now.getTime() - began * 3_600_000) },
  })
  comparison.identity.account = isOurs ? { id: 3n, login: 'carol' } : null
  const proposal = { branch: 'mine', base_branch: null }
  const candidates = candidatesOf({
    ...{ candidates: works, notables, isCut, partlyListed, triesMerges: true },
    observed: { pull_requests: 'current', as_of: null, unread },
  })
  const decision = await decide(proposal, candidates, comparison)
  const answer = async (changed: Decision): Promise<Overlap> =>
    JSON.parse(JSON.stringify(await describeDecision(proposal, { ...candidates, decision: changed }, comparison)))
  return { decision, answer }
}

const target = { branch: 'main', sha: null, merge: 'clean' as const, paths: [] }
const merged = (results: MergeResult[]): TriedMerges => ({ tried_at: 0, failure: null, target, results })
const candidatesIn = (answer: Overlap) => readCandidates({ ...answer }).map(({ candidate }) => candidate)

/** The fields and the advice, without what only a tried merge adds. */
function comparedFields(answer: Record<string, unknown>) {
  const { collisions, messages, reason: _, candidates: __, candidates_total: ___, target: ____, ...rest } = answer
  const items = (collisions as Record<string, unknown>[]).map(
    ({ merge: _, merge_reason: __, severity_by_lines: ___, merge_paths: ____, ...item }) => item,
  )
  return { ...rest, items, advice: (messages as { kind: string }[]).filter(({ kind }) => kind === 'advice') }
}

describe('the answer after merges', () => {
  it('is that of the service where none was tried', async () => {
    const counts = { colliding: 0, clear: 0 }
    await fc.assert(
      fc.asyncProperty(fc.oneof(worlds(1), worlds(9)), async (world) => {
        const { decision, answer } = await answerOf(world)
        const before = await answer(decision)
        const untried = candidatesIn(before).map((candidate) => notTried(candidate, 'network'))
        const after = afterMerges({ ...before }, merged(untried), 'Tried now')
        expect(comparedFields(after.overlap)).toEqual(comparedFields(before))
        if (before.collisions.length > 0) counts.colliding++
        if (before.clear) counts.clear++
      }),
      { numRuns: 500 },
    )
    expect(Math.min(counts.colliding, counts.clear)).toBeGreaterThan(20)
  })

  const conflict: Conflict = { path: 'src/a.ts', type: 'contents', removed_by: null }
  const tryOf = (candidate: MergeCandidate, merge: string): MergeResult =>
    merge === 'not_tried'
      ? notTried(candidate, 'network')
      : resultOf(candidate, merge === 'clean' ? [] : [conflict], 'a1')

  it('is that of the service where that decides with the same results', async () => {
    const counts = { worse: 0, better: 0, clear: 0 }
    const merges = fc.array(fc.constantFrom('clean', 'clean', 'clean', 'conflicts', 'conflicts', 'not_tried'), {
      minLength: 5,
      maxLength: 5,
    })
    await fc.assert(
      fc.asyncProperty(fc.oneof(worlds(1), worlds(5)), merges, async (world, given) => {
        const { decision, answer } = await answerOf(world)
        const before = await answer(decision)
        const results = candidatesIn(before).map((candidate, at) => tryOf(candidate, given[at] ?? 'clean'))
        const after = afterMerges({ ...before }, merged(results), 'Tried now').overlap
        const { changed, harmless } = withMerges(decision, before, results)
        const expected = await answer(changed)
        const others = before.obstacles.filter((one) => one !== 'collision' && one !== 'notable')
        const works = changed.collisions.map((work) => ({ ...work, isHarmless: harmless.has(work.id) }))
        const outcome = outcomeOf({ works, notables: changed.notables, others })
        expect(after).toMatchObject(outcome)
        const { related_activity_ids, related_order, relationships, nearby_count } = expected
        expect(after).toMatchObject({ related_activity_ids, related_order, relationships, nearby_count })
        if (outcome.clear && results.some(({ merge }) => merge === 'clean')) {
          expect(after.recommended_action).toMatch(/No conflict: tried with .* Go ahead\./)
          counts.clear++
        } else expect(after.recommended_action).toBe(expected.recommended_action)
        if (outcome.severity !== before.severity) counts[outcome.severity === 'high' ? 'worse' : 'better']++
      }),
      { numRuns: 600 },
    )
    expect(Math.min(...Object.values(counts)), JSON.stringify(counts)).toBeGreaterThan(2)
  })
})

/** The decision with results of merges, and which collisions they show to be harmless. */
function withMerges(decision: Decision, before: Overlap, results: readonly MergeResult[]) {
  const byId = new Map(results.map((result) => [result.activity_id, result]))
  const judged = new Map(
    readCandidates({ ...before }).map(({ candidate: { activity_id: id }, known: facts }) => [
      id,
      severityAfterMerge(facts, byId.get(id) ?? { merge: 'not_tried', conflicts: [], is_only_ignored: false }),
    ]),
  )
  const collisions = decision.collisions.filter(isLoaded).map((one) => {
    const severity = judged.get(one.id)?.severity ?? one.severity
    const sameChange = one.sameChange && { ...one.sameChange, isTold: one.sameChange.severity === severity }
    return { ...one, severity, sameChange }
  })
  const isFound = ({ id }: { id: string }) => (judged.get(id)?.severity ?? null) !== null
  const found = decision.nearby.filter(({ activity }) => isFound(activity))
  return {
    harmless: new Set([...judged].flatMap(([id, { isHarmless }]) => (isHarmless ? id : []))),
    changed: {
      ...decision,
      nearby: decision.nearby.filter(({ activity }) => !isFound(activity)),
      collisions: [
        ...collisions,
        ...found.map(({ activity, changes, byStranger }) => ({
          ...{ id: activity.id, activity, changes, byStranger, overlap: null, sameChange: null, issues: [] },
          ...{ severity: judged.get(activity.id)?.severity ?? ('high' as const), ownership: 'of others' as const },
          ...{ isWide: false, isStale: isStalePull(activity, now, 30 * 86_400_000) },
        })),
      ],
    },
  }
}
