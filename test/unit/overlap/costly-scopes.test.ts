import { describe, expect, it } from 'vitest'
import { comparableWork } from '../../../src/core/rules/changed/changed-work.ts'
import { namedPaths } from '../../../src/core/rules/changed/compare-names.ts'
import { createGlobCache } from '../../../src/core/scope/glob/glob-cache.ts'
import { workBudget } from '../../../src/core/scope/match/work-budget.ts'
import { parseScope } from '../../../src/core/scope/parse-scope.ts'
import type { Scope } from '../../../src/core/scope/schema.ts'
import { activityOf, candidatesOf, comparisonOf, evaluate, notableOf } from './candidates-of.ts'

/** Two such lists with different ends do not intersect. It takes millions of steps to find that out. */
const costly = (end: string) => Array.from({ length: 5 }, (_, n) => `${'*[ab]'.repeat(200 - n)}*${end}?`)

function live(paths: string[]) {
  return activityOf({ paths })
}

const stepsOfTheTest = 100_000

const noBranches = { branch: null, base_branch: null }

const note = (paths: string[]) => notableOf({ paths })

async function check(
  paths: string[],
  candidates: ReturnType<typeof live>[],
  notables: ReturnType<typeof note>[] = [],
  work = workBudget(stepsOfTheTest),
) {
  const proposed = parseScope({ areas: [], paths })
  const loaded = candidatesOf({ candidates, notables })
  const comparison = comparisonOf({ proposed, work })
  return evaluate({ branch: null, base_branch: null }, loaded, comparison)
}

describe('a scope that takes more than one slice to compare', () => {
  it('is compared to its end', async () => {
    const work = workBudget()
    const other = live([...costly('y'), 'src/**'])
    const { related_activity_ids } = await check([...costly('x'), 'src/a.ts'], [other], [], work)
    expect(related_activity_ids).toEqual([other.id])
    expect(work.steps).toBeGreaterThan(workBudget().sliceEnd)
  })
})

describe('hundreds of records that share nothing with a scope of many areas', () => {
  it('are compared in slices', async () => {
    const labels = Array.from({ length: 50 }, (_, n) => `area-${n}`)
    const areaMap = Object.fromEntries(labels.map((label) => [label, labels.map((of) => `${label}/${of}/**`)]))
    const work = workBudget()
    const notables = Array.from({ length: 300 }, () => ({ ...note([]), areas: ['unknown'] }))
    const loaded = candidatesOf({ notables })
    const parse = (scope: Scope) => parseScope(scope, areaMap)
    const comparison = comparisonOf({ proposed: parse({ areas: labels, paths: [] }), parse, work })
    const { overlap_detected } = await evaluate({ branch: null, base_branch: null }, loaded, comparison)
    expect(overlap_detected).toBe(false)
    expect(work.sliceEnd).toBeGreaterThan(workBudget().sliceEnd)
  })
})

describe('scopes too costly to compare', () => {
  it('give a response that says it is not the whole answer', async () => {
    const { reason, overlap_detected } = await check(costly('x'), [live(costly('y'))])
    expect(overlap_detected).toBe(false)
    expect(reason).toBe('Not everything was compared, as that is too costly: this is not the whole answer.')
  })

  it('are given up even where two globs alone take longer than the budget', async () => {
    const alternatives = (write: (character: string) => string) =>
      `{${Array.from({ length: 64 }, (_, n) => write(String.fromCodePoint(0x4e00 + n))).join()}}`
    const [ours, theirs] = [
      `*[abcdefgh]${alternatives((c) => `?${c}/1${c}`)}[]a[][]a[]`,
      `[!a]*{,a}{[!b]*/[!b],[!c]*/[!c],[!d]*/[!d],[!e]*/[!e]}[!a]`,
    ]
    const work = workBudget(stepsOfTheTest)
    const { reason, recommended_action } = await check([ours], [live([theirs])], [], work)
    expect(reason).toMatch('this is not the whole answer')
    expect(recommended_action.toLowerCase()).not.toMatch('go ahead')
    expect(work.steps).toBeLessThan(2 * stepsOfTheTest)
  })

  it('hide no overlap that is cheap to find, wherever they are in the list', async () => {
    const cheap = live(['src/auth/login.ts'])
    const { reason, related_activity_ids } = await check(
      ['src/auth/**', ...costly('x')],
      [live(costly('y')), cheap, live(costly('z'))],
    )
    expect(related_activity_ids).toEqual([cheap.id])
    expect(reason).toMatch('this is not the whole answer')
  })

  it('hide no notable that is cheap to find, and costly notables hide no work', async () => {
    const [cheap, mind] = [live(['src/auth/login.ts']), note(['src/auth/**'])]
    const proposal = ['src/auth/**', ...costly('x')]
    const found = await check(proposal, [live(costly('y')), cheap], [note(costly('z')), mind])
    expect(found).toMatchObject({ related_activity_ids: [cheap.id], related_notable_ids: [mind.id] })
  })

  it('hide no shared area, and the response never says to go ahead', async () => {
    const work = workBudget(stepsOfTheTest)
    const rows = { live: { ...live(costly('y')), areas: ['Auth'] }, note: { ...note(costly('z')), areas: ['auth'] } }
    const loaded = candidatesOf({ candidates: [rows.live, live(costly('w'))], notables: [rows.note] })
    const proposed = parseScope({ areas: ['AUTH'], paths: costly('x') })
    const comparison = comparisonOf({ proposed, work })
    const found = await evaluate({ branch: null, base_branch: null }, loaded, comparison)
    expect(found).toMatchObject({ related_activity_ids: [rows.live.id], related_notable_ids: [rows.note.id] })
    expect(found.reason).toMatch('this is not the whole answer')
    for (const { recommended_action } of [found, await check(costly('x'), [live(costly('y'))])]) {
      expect(recommended_action).toMatch('check again: what was not compared may collide')
      expect(recommended_action.toLowerCase()).not.toMatch('go ahead')
    }
  })

  it('are compared after all cheaper ones by the length of their text, before any of them is parsed', async () => {
    const work = workBudget(stepsOfTheTest)
    const cheap = live(['src/auth/login.ts'])
    const [read, readGlob]: [string[], ReturnType<typeof createGlobCache>] = [[], createGlobCache()]
    const parse = (scope: Scope) => {
      read.push(...scope.paths)
      return parseScope(scope, {}, (text) => readGlob(text, work))
    }
    const long = (n: number) => live([`docs/${n}/${'x'.repeat(900)}`])
    const loaded = candidatesOf({ candidates: [...Array.from({ length: 100 }, (_, n) => long(n)), cheap] })
    const proposed = parseScope({ areas: [], paths: ['src/auth/**'] })
    const found = await evaluate(noBranches, loaded, comparisonOf({ proposed, parse, work }))
    expect(found.related_activity_ids).toEqual([cheap.id])
    expect(found.reason).toMatch('this is not the whole answer')
    expect(read.length).toBeLessThan(100)
  })

  it('are not mentioned if everything was compared', async () => {
    expect((await check(['src/auth/**'], [live(costly('y'))])).reason).not.toMatch('costly')
  })
})

describe('changes too costly to compare', () => {
  const changing = (paths: readonly string[]) =>
    comparableWork({
      ...{ baseBranch: 'main', author: 'bob', headSha: null, commits: new Set() },
      ...{ files: paths.map((path) => ({ path, previous_path: null, status: 'modified', lines: [[1, 2]] })) },
      filesTotal: paths.length,
    })
  const pull = (paths: readonly string[]) =>
    activityOf({ source: 'pull_request', is_declared: false, changed: changing(paths) })
  const elsewhere = (n: number) => Array.from({ length: 300 }, (_, m) => `lib/${n}/${m}/index.ts`)

  it('count in the budget: the smallest come first, and the response never says to go ahead', async () => {
    const large = Array.from({ length: 300 }, (_, n) => pull(elsewhere(n)))
    const small = pull(['src/login.ts'])
    const globs = parseScope({ areas: [], paths: ['src/login.ts', 'docs/*a*b', '**/*x*y'] })
    const work = workBudget(stepsOfTheTest)
    const comparison = comparisonOf({ proposed: globs, named: namedPaths(globs), work })
    const found = await evaluate(noBranches, candidatesOf({ candidates: [...large, small] }), comparison)
    expect(found.related_activity_ids).toEqual([small.id])
    expect(found.reason).toMatch('this is not the whole answer')
    expect(found.recommended_action.toLowerCase()).not.toMatch('go ahead')
  })

  it('are compared in slices', async () => {
    const ours = changing(elsewhere(1))
    const others = Array.from({ length: 50 }, () => pull(elsewhere(1)))
    const work = workBudget()
    const found = await evaluate(
      noBranches,
      candidatesOf({ candidates: others }),
      comparisonOf({ changed: ours, work }),
    )
    expect(found.related_activity_ids).toHaveLength(50)
    expect(work.sliceEnd).toBeGreaterThan(workBudget().sliceEnd)
  })
})
