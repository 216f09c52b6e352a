import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changedFile, insertPullRequest } from '../../support/observed.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { testViewer } from '../../support/viewer.ts'

const viewer = testViewer()
let service: TestService
let withAreas: TestService

beforeAll(async () => {
  service = await startTestService({ viewerOf: viewer.viewerOf })
  const areas = { login: ['src/auth/**'], schema: ['db/schema.sql'] }
  withAreas = await startTestService({ viewerOf: viewer.viewerOf, settings: { areas } })
})
afterAll(async () => {
  await service.stop()
  await withAreas.stop()
})

const work = { title: 'Login', summary: 'Rework it.', actor: 'Bob' }
const files = (...changed: object[]) => ({ changes: { files: changed } })
const login = { path: 'src/auth/login.ts', lines: [[10, 20]] }
const session = { path: 'src/session.ts', lines: [[1, 5]] }
const moved = { path: 'src/new.ts', previous_path: 'src/old.ts', status: 'renamed', lines: [[3, 4]] }
const paths = (...globs: string[]) => ({ scope: { paths: globs } })

/** Work of the caller with these changes, and work of others on the same places. */
async function recorded(repository: TestRepository) {
  const { activity } = await repository.created('/activity', {
    ...work,
    branch: 'own',
    ...files(login, moved),
  })
  const others: Record<string, string> = {}
  for (const [name, change] of Object.entries({ login, moved, session })) {
    const other = await repository.created('/activity', { ...work, actor: name, branch: name, ...files(change) })
    others[name] = other.activity.id
  }
  return { own: activity.id, others }
}

describe('a check of named paths by the id of recorded work', () => {
  it.each([
    ['the changed file', ['src/auth/login.ts'], ['login']],
    ['its directory', ['src/auth/**'], ['login']],
    ['a directory without an extension', ['src/auth'], ['login']],
    ['everything', ['**'], ['moved', 'login']],
    ['a renamed file by its new name', ['src/new.ts'], ['moved']],
    ['a renamed file by its old name', ['src/old.ts'], ['moved']],
    ['braces', ['src/{new,free}.ts'], ['moved']],
  ])('compares the lines that the record changes there: %s', async (_, globs, expected) => {
    const repository = service.newRepository()
    const { own, others } = await recorded(repository)
    const overlap = await repository.check({ activity_id: own, ...paths(...globs) })
    expect(overlap).toMatchObject({ severity: 'high', related_activity_ids: expected.map((name) => others[name]) })
  })

  it('says nothing about what the record changes elsewhere', async () => {
    const repository = service.newRepository()
    const { own } = await recorded(repository)
    const free = { overlap_detected: false, related_activity_ids: [], nearby_count: 0 }
    expect(await repository.check({ activity_id: own, ...paths('src/free.ts') })).toMatchObject(free)
    expect(await repository.check({ activity_id: own, scope: { areas: ['billing'] } })).toMatchObject(free)
    const byName = await repository.check({ activity_id: own, ...paths('src/session.ts') })
    expect(byName).toMatchObject({ severity: 'low', collisions: [{ example_path: 'src/session.ts', lines: null }] })
  })

  it('does not take what GitHub shows elsewhere, either, also where changes are sent', async () => {
    const repository = service.newRepository()
    const seen = [changedFile('src/auth/login.ts', { lines: [[10, 20]] }), changedFile('lib/a.ts')]
    await insertPullRequest(service.db, repository, service.clock.now(), { files: seen })
    const own = await repository.created('/activity', { ...work, branch: 'sessions', base_branch: 'main' })
    const other = await repository.created('/activity', { ...work, branch: 'b', ...files(login) })
    const check = (body: object) => repository.check({ activity_id: own.activity.id, ...body })
    const found = { severity: 'high', related_activity_ids: [other.activity.id] }
    for (const body of [{}, files(session), paths('src/auth/login.ts'), { ...paths('src/auth/**'), ...files() }])
      expect(await check(body), JSON.stringify(body)).toMatchObject(found)
    for (const body of [paths('src/free.ts'), { ...paths('src/free.ts'), ...files() }])
      expect(await check(body), JSON.stringify(body)).toMatchObject({ overlap_detected: false, nearby_count: 0 })
  })

  it('compares what is sent, wherever it is', async () => {
    const repository = service.newRepository()
    const { own, others } = await recorded(repository)
    const overlap = await repository.check({ activity_id: own, ...paths('src/free.ts'), ...files(session) })
    expect(overlap).toMatchObject({ severity: 'high', related_activity_ids: [others.session] })
  })

  it('compares the whole record where the scope names nothing', async () => {
    const repository = service.newRepository()
    const { own, others } = await recorded(repository)
    for (const scope of [undefined, null, {}, { areas: [], paths: [] }])
      expect(await repository.check({ activity_id: own, scope })).toMatchObject({
        related_activity_ids: [others.moved, others.login],
      })
  })
})

describe('changed files', () => {
  it('are places for notables and for areas of the settings, and need no scope', async () => {
    const repository = withAreas.newRepository()
    const inArea = await repository.raised({ scope: { areas: ['login'] } })
    const byPath = await repository.raised({ scope: { paths: ['src/*/login.ts'] } })
    const elsewhere = await repository.raised({ scope: { areas: ['schema'] } })
    const { activity } = await repository.created('/activity', { ...work, scope: { areas: ['login'] } })
    const overlap = await repository.check(files(login))
    expect(overlap).toMatchObject({ severity: 'medium', related_activity_ids: [activity.id] })
    expect(overlap.related_notable_ids.toSorted()).toEqual([inArea.id, byPath.id].sort())
    const own = await repository.created('/activity', { ...work, branch: 'b', ...files(login) })
    expect(own.overlap).toMatchObject({ related_notable_ids: overlap.related_notable_ids })
    const renamed = { path: 'x.sql', previous_path: 'db/schema.sql', status: 'renamed' }
    expect((await repository.check(files(renamed))).related_notable_ids).toEqual([elsewhere.id])
  })

  it('of others are near an area that covers them, as they are near a glob', async () => {
    const repository = withAreas.newRepository()
    const parts = { files: [changedFile('src/auth/login.ts')] }
    const observed = await insertPullRequest(withAreas.db, repository, withAreas.clock.now(), parts)
    const { activity } = await repository.created('/activity', { ...work, branch: 'b', ...files(login) })
    const near = { overlap_detected: false, nearby_count: 2 }
    for (const body of [{ scope: { areas: ['Login'] } }, { tags: ['login'] }, paths('src/auth/**')]) {
      const overlap = await repository.check(body)
      expect(overlap).toMatchObject(near)
      expect(overlap.nearby_activity_ids.toSorted()).toEqual([observed.id, activity.id].sort())
      expect(overlap.recommended_action).toMatch(/^Name the files that you will change, and check again/)
    }
    expect(await repository.check({ tags: ['schema'] })).toMatchObject({ nearby_count: 0 })
  })
})
