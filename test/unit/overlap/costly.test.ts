import { describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { compareCandidates } from '../../../src/overlap/compare-candidates.ts'
import { parseScope } from '../../../src/scope/compare.ts'
import { workBudget } from '../../../src/scope/match/work-budget.ts'
import type { Scope } from '../../../src/scope/schema.ts'
import { worldOf } from './world.ts'

/** Hundreds of thousands of steps against one another, and they never meet. */
const costly = (end: string) => Array.from({ length: 20 }, (_, n) => `${'*[ab]'.repeat(200 - n)}*${end}?`)

function live(paths: string[]) {
  const placed = { branch: null, base_branch: null }
  const own = { title: 'Work', actor: 'Alice', agent: null, status: 'active', risk: 'low', blocking: false, areas: [] }
  return { id: newId('act'), ...own, ...placed, paths }
}

const stepsOfTheTest = 100_000

const note = (paths: string[]) => ({
  ...{ id: newId('ntb'), title: 'Mind', importance: 'high', blocking: false, areas: [] },
  paths,
})

async function check(
  paths: string[],
  candidates: ReturnType<typeof live>[],
  notables: ReturnType<typeof note>[] = [],
  work = workBudget(stepsOfTheTest),
) {
  const proposed = parseScope({ areas: [], paths })
  const world = worldOf({ candidates, notables })
  const comparison = { proposed, read: (scope: Scope) => parseScope(scope), work }
  return compareCandidates({ branch: null, base_branch: null }, world, comparison)
}

describe('a scope that takes more than one turn to compare', () => {
  it('is compared to its end', async () => {
    const work = workBudget()
    const other = live([...costly('y'), 'src/**'])
    const { related_activity_ids } = await check([...costly('x'), 'src/a.ts'], [other], [], work)
    expect(related_activity_ids).toEqual([other.id])
    expect(work.steps).toBeGreaterThan(workBudget().sliceEnd)
  })
})

describe('thousands of records that share nothing with a scope of many areas', () => {
  it('are compared in turns', async () => {
    const labels = Array.from({ length: 50 }, (_, n) => `area-${n}`)
    const areaMap = Object.fromEntries(labels.map((label) => [label, labels.map((of) => `${label}/${of}/**`)]))
    const work = workBudget()
    const notables = Array.from({ length: 300 }, () => ({ ...note([]), areas: ['unknown'] }))
    const world = worldOf({ notables })
    const read = (scope: Scope) => parseScope(scope, areaMap)
    const comparison = { proposed: read({ areas: labels, paths: [] }), read, work }
    const { overlap_detected } = await compareCandidates({ branch: null, base_branch: null }, world, comparison)
    expect(overlap_detected).toBe(false)
    expect(work.sliceEnd).toBeGreaterThan(workBudget().sliceEnd)
  })
})

describe('scopes too costly to compare', () => {
  it('make an answer that says it is not whole', async () => {
    const { reason, overlap_detected } = await check(costly('x'), [live(costly('y'))])
    expect(overlap_detected).toBe(false)
    expect(reason).toBe('These globs are too costly to compare with everything: this is not the whole answer.\n')
  })

  it('hide no overlap that is cheap to see, wherever they stand', async () => {
    const cheap = live(['src/auth/login.ts'])
    const { reason, related_activity_ids } = await check(
      ['src/auth/**', ...costly('x')],
      [live(costly('y')), cheap, live(costly('z'))],
    )
    expect(related_activity_ids).toEqual([cheap.id])
    expect(reason).toMatch('this is not the whole answer')
  })

  it('hide no notable that is cheap to see, and those of notables no work', async () => {
    const [cheap, mind] = [live(['src/auth/login.ts']), note(['src/auth/**'])]
    const proposal = ['src/auth/**', ...costly('x')]
    const found = await check(proposal, [live(costly('y')), cheap], [note(costly('z')), mind])
    expect(found).toMatchObject({ related_activity_ids: [cheap.id], related_notable_ids: [mind.id] })
  })

  it('hide no area that is shared, and are never told to be clear', async () => {
    const work = workBudget(stepsOfTheTest)
    const rows = { live: { ...live(costly('y')), areas: ['Auth'] }, note: { ...note(costly('z')), areas: ['auth'] } }
    const world = worldOf({ candidates: [rows.live, live(costly('w'))], notables: [rows.note] })
    const proposed = parseScope({ areas: ['AUTH'], paths: costly('x') })
    const comparison = { proposed, read: (scope: Scope) => parseScope(scope), work }
    const found = await compareCandidates({ branch: null, base_branch: null }, world, comparison)
    expect(found).toMatchObject({ related_activity_ids: [rows.live.id], related_notable_ids: [rows.note.id] })
    expect(found.reason).toMatch('this is not the whole answer')
    for (const { recommended_action } of [found, await check(costly('x'), [live(costly('y'))])]) {
      expect(recommended_action).toMatch('check again: what was not compared may collide')
      expect(recommended_action.toLowerCase()).not.toMatch('go ahead')
    }
  })

  it('are not spoken of where everything was compared', async () => {
    expect((await check(['src/auth/**'], [live(costly('y'))])).reason).not.toMatch('costly')
  })
})
