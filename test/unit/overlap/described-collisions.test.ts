import { expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { compareCandidates } from '../../../src/overlap/compare-candidates.ts'
import type { KnownActivity } from '../../../src/overlap/known-activities.ts'
import { parseScope } from '../../../src/scope/compare.ts'
import { workBudget } from '../../../src/scope/match/work-budget.ts'
import type { Scope } from '../../../src/scope/schema.ts'
import { worldOf } from './world.ts'

function activity(paths: string[], ended_at: Date | null = null, risk = 'low'): KnownActivity {
  const own = { title: 'Work', actor: 'Alice', agent: null, status: 'active', risk, blocking: false, areas: [] }
  const placed = { branch: null, base_branch: null, pr_url: null }
  return { id: newId('act'), ...own, ...placed, paths, ended_at }
}

/** The answer where the index was certain of all of these, which are read as they are now; and which of them are read. */
async function check(paths: string[], there: readonly KnownActivity[], gone: readonly string[] = []) {
  const read: string[] = []
  const nowhere = { branch: null, base_branch: null }
  const certain = there.map(({ id }) => ({ id, version: '1', meets: 'paths' as const, is_grave: false, ...nowhere }))
  const readActivities = async (rows: readonly { id: string }[]) => {
    read.push(...rows.map(({ id }) => id))
    return rows.flatMap((row) => there.find(({ id }) => id === row.id && !gone.includes(id)) ?? [])
  }
  const comparison = {
    proposed: parseScope({ areas: [], paths }),
    read: (scope: Scope) => parseScope(scope),
    work: workBudget(),
  }
  return { read, overlap: await compareCandidates(nowhere, worldOf({ certain, readActivities }), comparison) }
}

const newestFirst = (activities: readonly KnownActivity[]) => activities.map(({ id }) => id).toReversed()

it('of what the index is certain of only what is told is read', async () => {
  const there = Array.from({ length: 30 }, () => activity(['src/**']))
  const { read, overlap } = await check(['src/a.ts'], there)
  expect(overlap.related_activity_ids).toEqual(newestFirst(there))
  expect(overlap.severity).toBe('medium')
  expect(overlap.reason).toMatch(/^(.* “src\/a\.ts” .*\n){5}And 25 more: 30 live activities overlap in all\.\n$/)
  expect(read).toEqual(newestFirst(there).slice(0, 5))
})

it('what has ended, is gone, or has moved elsewhere since the index was read is not told, and the next one is', async () => {
  const there = Array.from({ length: 9 }, () => activity(['src/**']))
  const [ended, elsewhere, gone] = [activity(['src/**'], new Date()), activity(['docs/**']), activity(['src/**'])]
  const { read, overlap } = await check(['src/a.ts'], [...there, ended, elsewhere, gone], [gone.id])
  expect(overlap.related_activity_ids).toEqual(newestFirst(there))
  expect(overlap.reason).toMatch(/^(.*\n){5}And 4 more: 9 live activities overlap in all\.\n$/)
  expect(read).toHaveLength(8)
  expect((await check(['src/a.ts'], [ended])).overlap).toMatchObject({
    overlap_detected: false,
    severity: null,
    related_activity_ids: [],
  })
})

it('what weighs more since the index was read stands where it belongs by that', async () => {
  const [graver, calm] = [activity(['src/**'], null, 'critical'), activity(['src/**'])]
  const { overlap } = await check(['src/a.ts'], [graver, calm])
  expect(overlap).toMatchObject({ severity: 'high', related_activity_ids: [graver.id, calm.id] })
  expect(overlap.reason).toMatch(/\(high severity, of critical risk\)\.\n.* \(medium severity\)\.\n$/)
})

it('wide scopes that share a file have it as their example', async () => {
  const wide = (letter: string) =>
    Array.from({ length: 40 }, (_, n) => `src/*/{${Array.from({ length: 20 }, (_, i) => `${letter}${20 * n + i}`)}}.ts`)
  const { overlap } = await check([...wide('f'), 'lib/a.js'], [activity([...wide('g'), 'lib'])])
  expect(overlap.reason).toMatch('touching files such as “lib/a.js”')
})

it('globs that are too costly for an example still collide, and the answer is whole', async () => {
  const costly = (end: string) => Array.from({ length: 99 }, (_, n) => `${'*[ab]'.repeat(200 - n)}*${end}?`)
  const { overlap } = await check([...costly('x'), 'src/a.ts'], [activity([...costly('y'), 'src/**'])])
  expect(overlap).toMatchObject({ overlap_detected: true, severity: 'medium' })
  expect(overlap.reason).toMatch(/touching the same files \(medium severity\)\.\n$/)
})
