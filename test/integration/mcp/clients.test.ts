import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RetrievedActivity } from '../../../src/core/schemas/activity.ts'
import type { Collisions } from '../../../src/core/schemas/live.ts'
import type { BatchOverlap, Overlap } from '../../../src/core/schemas/overlap.ts'
import { tools } from '../../../src/service/api/mcp/tools.ts'
import { connectModel, eras, type ModelClient } from '../../support/mcp.ts'
import { changedFile, insertPullRequest } from '../../support/observed.ts'
import { type Created, startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const path = 'src/auth/session.ts'
const lines = (...range: [number, number]) => ({ files: [{ path, lines: [range] }] })
const work = { title: 'Login', summary: 'Rework it.', actor: 'Alice', scope: { areas: ['auth'], paths: [path] } }
const warning = {
  title: 'Freeze',
  summary: 'No merges.',
  importance: 'critical',
  category: 'release',
  scope: work.scope,
}

/** Work on the same lines, near them and only on the same area, recorded and as a pull request; and merged work. */
async function fill(repository: TestRepository): Promise<void> {
  const { db, clock } = service
  const near = { ...work, scope: { paths: [path] }, branch: 'near', changes: lines(300, 310) }
  await repository.created('/activity', { ...work, branch: 'same', changes: lines(10, 20) })
  await repository.created('/activity', near)
  await repository.created('/activity', { ...work, branch: 'area', scope: { areas: ['auth'] } })
  await insertPullRequest(db, repository, clock.now(), { files: [changedFile(path, { lines: [[15, 18]] })] })
  const merged = await repository.created('/activity', { ...work, branch: 'merged' })
  await repository.patch(`/activity/${merged.activity.id}`, { status: 'merged' })
  await repository.raised(warning)
}

describe.each(eras)('the client of generation %s, which has listed the tools, accepts the result of', (era) => {
  let repository: TestRepository
  let model: ModelClient
  const called = new Set<string>()

  beforeAll(async () => {
    repository = service.newRepository()
    await fill(repository)
    model = await connectModel(service.url, repository.writer, era)
  })
  afterAll(() => model.close())

  function done<Answer>(tool: string, args: Record<string, unknown> = {}): Promise<Answer> {
    called.add(tool)
    return model.done<Answer>(tool, { repository: `${repository.owner}/${repository.name}`, ...args })
  }

  it('a check whose lines collide', async () => {
    const overlap = await done<Overlap>('check_overlap', { scope: work.scope, changes: lines(12, 16) })
    expect(overlap).toMatchObject({ severity: 'high', nearby_count: 1 })
    expect(overlap.collisions.map(({ their_lines }) => their_lines)).toEqual([[[15, 18]], [[10, 20]], null])
    expect(overlap.related_notable_ids).toHaveLength(1)
    expect(overlap.reuse_opportunities).toHaveLength(1)
  })

  it('many tasks, two of which collide', async () => {
    const proposals = [{ changes: lines(12, 16) }, { changes: lines(14, 20) }]
    const { results, pairs } = await done<BatchOverlap>('check_tasks', { proposals })
    expect(pairs).toMatchObject([{ indexes: [0, 1], severity: 'high' }])
    expect(results).toMatchObject([{ clear: false, severity: 'high' }, { clear: false }])
  })

  it('every tool about an activity whose lines collide', async () => {
    const { activity, overlap } = await done<Created>('start_activity', {
      ...{ ...work, branch: 'own', changes: lines(12, 16) },
    })
    expect(overlap.collisions.map(({ lines: own }) => own)).toEqual([[[12, 16]], [[12, 16]], null])
    const own = { activity_id: activity.id }
    const read = await done<RetrievedActivity>('get_activity', own)
    expect(read.changes?.files).toMatchObject([{ path, lines: [[12, 16]] }])
    const { items } = await done<Collisions>('list_collisions', own)
    expect(items.map((pair) => pair.lines)).toEqual([[[12, 16]], [[12, 16]], null])
    await done('heartbeat_activity', own)
    await done('update_activity', { ...own, changes: lines(12, 17) })
    await done('list_activities', { source: 'recorded,pull_request' })
    await done('finish_activity', own)
    await done('heartbeat_activity', own)
  })

  it('every tool about notables, and the settings', async () => {
    const { id } = await done<{ id: string }>('raise_notable', warning)
    await done('get_notable', { notable_id: id })
    await done('update_notable', { notable_id: id, blocking: true })
    await done('list_notables')
    await done('archive_notable', { notable_id: id })
    await done('get_settings')
  })

  it('every tool that there is', () => {
    expect([...called].sort()).toEqual(tools.map(({ name }) => name).sort())
  })
})
