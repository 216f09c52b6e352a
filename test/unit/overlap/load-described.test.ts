import { expect, it } from 'vitest'
import type { LoadedActivity } from '../../../src/core/rules/candidates/rows.ts'
import { activityOf, candidatesOf, comparisonOf, evaluate } from './candidates-of.ts'

function activity(paths: string[], ended_at: Date | null = null, risk = 'low'): LoadedActivity {
  return activityOf({ risk, paths, ended_at })
}

/** The response if the index matches all of these activities, and the ids of those that are loaded. `deleted` are gone since. */
async function check(paths: string[], matched: readonly LoadedActivity[], deleted: readonly string[] = []) {
  const loaded: string[] = []
  const noBranches = { branch: null, base_branch: null }
  const matchedByIndex = matched.map(({ id }) => ({ id, version: '1', closeness: 'paths' as const, is_grave: false }))
  const loadActivities = async (rows: readonly { id: string }[]) => {
    loaded.push(...rows.map(({ id }) => id))
    return rows.flatMap((row) => matched.find(({ id }) => id === row.id && !deleted.includes(id)) ?? [])
  }
  const candidates = candidatesOf({ matchedByIndex, loadActivities })
  return { loaded, overlap: await evaluate(noBranches, candidates, comparisonOf({ paths })) }
}

const newestFirst = (activities: readonly LoadedActivity[]) => activities.map(({ id }) => id).toReversed()

it('loads only those activities that the texts describe', async () => {
  const matched = Array.from({ length: 30 }, () => activity(['src/**']))
  const { loaded, overlap } = await check(['src/a.ts'], matched)
  expect(overlap.related_activity_ids).toEqual(newestFirst(matched))
  expect(overlap.severity).toBe('medium')
  expect(overlap.reason).toMatch(/^(.* “src\/a\.ts” .*\n){5}And 25 more: 30 live activities overlap in all\.$/)
  expect(loaded).toEqual(newestFirst(matched).slice(0, 5))
})

it('leaves out activities that ended, moved or were deleted since the index was read, and describes the next ones', async () => {
  const matched = Array.from({ length: 9 }, () => activity(['src/**']))
  const [ended, moved, deleted] = [activity(['src/**'], new Date()), activity(['docs/**']), activity(['src/**'])]
  const { loaded, overlap } = await check(['src/a.ts'], [...matched, ended, moved, deleted], [deleted.id])
  expect(overlap.related_activity_ids).toEqual(newestFirst(matched))
  expect(overlap.reason).toMatch(/^(.*\n){5}And 4 more: 9 live activities overlap in all\.$/)
  expect(loaded).toHaveLength(8)
  expect((await check(['src/a.ts'], [ended])).overlap).toMatchObject({
    overlap_detected: false,
    severity: null,
    related_activity_ids: [],
  })
})

it('sorts activities by their present risk, which may have changed since the index was read', async () => {
  const [critical, low] = [activity(['src/**'], null, 'critical'), activity(['src/**'])]
  const { overlap } = await check(['src/a.ts'], [critical, low])
  expect(overlap).toMatchObject({ severity: 'high', related_activity_ids: [critical.id, low.id] })
  expect(overlap.reason).toMatch(/\(high severity\)\.\n.* \(medium severity\)\.$/)
})

it('gives a shared file as the example of wide scopes', async () => {
  const wide = (letter: string) =>
    Array.from({ length: 40 }, (_, n) => `src/*/{${Array.from({ length: 20 }, (_, i) => `${letter}${20 * n + i}`)}}.ts`)
  const { overlap } = await check([...wide('f'), 'lib/a.js'], [activity([...wide('g'), 'lib'])])
  expect(overlap.reason).toMatch('touching files such as “lib/a.js”')
})

it('reports a collision without an example if that is too costly, and the response is whole', async () => {
  const costly = (end: string) => Array.from({ length: 99 }, (_, n) => `${'*[ab]'.repeat(200 - n)}*${end}?`)
  const { overlap } = await check([...costly('x'), 'src/a.ts'], [activity([...costly('y'), 'src/**'])])
  expect(overlap).toMatchObject({ overlap_detected: true, severity: 'medium' })
  expect(overlap.reason).toMatch(/touching the same files \(medium severity\)\.$/)
})
