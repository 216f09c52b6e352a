import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { collapsePaths } from '../../../src/core/changes/collapse-paths.ts'
import { decide } from '../../../src/core/rules/decide.ts'
import { collisionItem } from '../../../src/core/rules/response/collision-item.ts'
import { scopeColumns } from '../../../src/core/scope/columns.ts'
import { pairLine } from '../../../src/core/texts/lines/collision-line.ts'
import type { Context } from '../../../src/service/context.ts'
import { type ActivityCheck, checksOfActivities } from '../../../src/service/overlap/check-activities.ts'
import { loadDescribed } from '../../../src/service/overlap/load-described.ts'
import { loadProposals } from '../../../src/service/overlap/load-proposals.ts'
import { loadOwnDetails, proposalOf } from '../../../src/service/overlap/own-proposals.ts'
import {
  type ActivityRow,
  findActivities,
  insertActivity,
} from '../../../src/service/records/activity/activities.sql.ts'
import { mergeSettings } from '../../../src/service/records/settings/effective.ts'
import { activityRow } from '../../support/activity-row.ts'
import { areaMap, scope } from '../../support/arbitrary/scope.ts'
import { testContext } from '../../support/context.ts'
import { changedFile, insertPullRequest } from '../../support/observed.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { testViewer } from '../../support/viewer.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const branch = fc.constantFrom('a', 'b', 'c', 'd', 'main', null)
const file = fc.record({ path: fc.constantFrom('src/a', 'src/core/a', 'web/b.ts', 'a/b.ts'), line: fc.nat(20) })
const kind = fc.constantFrom('recorded', 'recorded', 'recorded', 'client', 'pull_request', 'branch')
const work = fc.record({
  ...{ kind, scope, branch, base_branch: branch, isGrave: fc.boolean() },
  files: fc.uniqueArray(file, { selector: ({ path }) => path, minLength: 1, maxLength: 3 }),
})
type Work = typeof work extends fc.Arbitrary<infer One> ? One : never

/** Stores each work as its kind is stored. Work on one branch may cover observed work on it. */
async function store(repository: TestRepository, works: readonly Work[]): Promise<void> {
  const [now, repository_id] = [service.clock.now(), repository.id]
  for (const [n, { kind: source, scope: own, files, isGrave, ...branches }] of works.entries()) {
    const changed = files.map(({ path, line }) => changedFile(path, { lines: [[line + 1, line + 3]] }))
    const paths = collapsePaths(changed.map(({ path }) => path))
    const risk = isGrave ? 'critical' : 'low'
    if (source === 'pull_request') {
      const pull = {
        number: n + 1,
        head_ref: branches.branch ?? `pull-${n}`,
        head_sha: `sha${n}`,
        files_head_sha: `sha${n}`,
      }
      const shas = { commits: [`sha${n}`, `sha${n - 1}`] }
      const base_branch = branches.base_branch ?? 'main'
      const activity = { base_branch, risk }
      await insertPullRequest(service.db, repository, now, {
        pull: { ...pull, ...shas, base_ref: base_branch },
        activity,
        files: changed,
      })
      continue
    }
    const columns = { repository_id, risk, ...branches, created_at: new Date(now.getTime() - n * 1000) }
    const changes = { headSha: `sha${n}`, files: changed, filesTotal: changed.length, readAt: now }
    if (source === 'branch') {
      const name = `pushed-${n}`
      const row = activityRow(now, {
        ...columns,
        branch: name,
        paths,
        source,
        author_login: 'alice',
        has_changes: true,
      })
      await insertActivity(service.db.prisma, row, { by: 'github', ...changes })
      const pushed = {
        repository_id,
        branch: name,
        activity_id: row.id,
        head_sha: `sha${n}`,
        files_head_sha: `sha${n}`,
      }
      await service.db.prisma.pushedBranch.create({ data: { ...pushed, pushed_at: now, read_after: now } })
      continue
    }
    const row = activityRow(now, { ...columns, ...scopeColumns(own), has_changes: source === 'client' })
    await insertActivity(service.db.prisma, row, source === 'client' ? { by: 'client', ...changes } : undefined)
  }
}

async function rowsOf(repository: TestRepository): Promise<ActivityRow[]> {
  const { rows } = await service.db.query<{ id: string }>('select id from activities where repository_id = $1', [
    repository.id,
  ])
  return findActivities(
    service.db,
    repository.id,
    rows.map(({ id }) => id),
  )
}

/** What a check of the activity finds, which loads all for it alone, with notables and merged work. */
async function viewByCheck(context: Context, row: ActivityRow): Promise<ActivityCheck> {
  const proposal = proposalOf(context, row, await loadOwnDetails(context, [row]))
  const merged = { endedAfter: new Date(0), closedAfter: new Date(0), count: 50 }
  const seesObserved = await context.viewer.mayReadPullRequests()
  const [one] = await loadProposals(context, [proposal], { seesObserved, notables: true, merged, described: false })
  if (!one) throw new Error('Nothing was loaded.')
  const comparison = await one.comparison()
  const { collisions, nearby } = await decide(proposal, { ...one, notables: [] }, comparison)
  const { loaded } = await loadDescribed(collisions, one.loadActivities, comparison, 50)
  return {
    collisions: loaded.map((found) => ({ ...collisionItem(found), reason: pairLine(found, row.actor) })),
    nearby: nearby.map(({ activity }) => activity.id),
    isCut: collisions.length > 50,
    byStranger: false,
  }
}

/** The order of work that is nearby does not matter. */
function sorted(view: ActivityCheck | undefined) {
  return view && { ...view, nearby: view.nearby.toSorted() }
}

it.each([
  ['that sees observed work', true],
  ['that does not', false],
])('comparing many activities at once says what a check of each says, for a viewer %s', async (_, mayRead) => {
  let collisions = 0
  const viewer = { ...testViewer().viewerOf(), account: () => null, mayReadPullRequests: async () => mayRead }
  // Without shrinking: it would take minutes.
  for (const works of fc.sample(fc.array(work, { minLength: 20, maxLength: 30 }), { numRuns: 2, seed: 1 })) {
    const repository = service.newRepository()
    await store(repository, works)
    const { settings } = mergeSettings({ areas: areaMap }, {})
    const known = { ...repository, defaultBranch: 'main' }
    const context: Context = testContext(service.db, known, service.clock.now(), { settings, viewer })
    const rows = (await rowsOf(repository)).filter(({ source }) => mayRead || source === 'recorded')
    const checks = await checksOfActivities(context, rows, 50)
    expect(checks.size).toBe(rows.length)
    for (const row of rows) {
      const view = await checks.get(row.id)?.()
      const alone = await (await checksOfActivities(context, [row], 50)).get(row.id)?.()
      expect(sorted(view)).toEqual(sorted(alone))
      expect(sorted(view)).toEqual(sorted(await viewByCheck(context, row)))
      collisions += view?.collisions.length ?? 0
    }
  }
  expect(collisions).toBeGreaterThan(50)
})
