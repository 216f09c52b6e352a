import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Activity } from '../../../src/core/schemas/activity.ts'
import { openStream } from '../../support/event-stream.ts'
import { changedFile, insertPullRequest } from '../../support/observed.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const work = { title: 'Login', summary: 'Rework it.', actor: 'Bob' }

async function recordedWith(repository: TestRepository, paths: readonly string[]): Promise<Activity> {
  const { activity } = await repository.created('/activity', {
    ...work,
    changes: { files: paths.map((path) => ({ path })) },
  })
  return activity
}

async function snapshotOf(repository: TestRepository): Promise<unknown> {
  const stream = await openStream(`${service.url}/api/v1${repository.path}/events`, repository.reader)
  const [snapshot] = await stream.data('snapshot').finally(() => stream.close())
  return snapshot
}

async function directoriesOf(paths: readonly string[]): Promise<string[]> {
  return (await recordedWith(service.newRepository(), paths)).scope_changed
}

describe('the directories of changed files', () => {
  it('are in the answer of a create, in the list, the retrieve and the snapshot of a stream', async () => {
    const repository = service.newRepository()
    const { id, scope, scope_changed } = await recordedWith(repository, ['src/auth/b.ts', 'src/auth/a.ts', 'docs/a.md'])
    expect(scope_changed).toEqual(['docs', 'src/auth'])
    expect(scope).toEqual({ areas: [], paths: [] })
    expect((await repository.page('/activity')).items).toMatchObject([{ id, scope_changed }])
    expect((await repository.get(`/activity/${id}`)).body).toMatchObject({ id, scope_changed })
    expect(await snapshotOf(repository)).toMatchObject({ activities: [{ id, scope_changed }] })
  })

  it('follow an update, and are none without changes', async () => {
    const repository = service.newRepository()
    const { activity } = await repository.created('/activity', work)
    expect(activity.scope_changed).toEqual([])
    const path = `/activity/${activity.id}`
    const changes = { files: [{ path: 'lib/a.ts' }] }
    expect((await repository.patch(path, { changes })).body).toMatchObject({ scope_changed: ['lib'] })
    expect((await repository.patch(path, { changes: null })).body).toMatchObject({ scope_changed: [] })
  })

  it('have the old directory of a renamed file, the top as a dot, and names as they are', async () => {
    const repository = service.newRepository()
    const files = [
      { path: 'new/a.ts', previous_path: 'old/a.ts', status: 'renamed' },
      { path: 'README.md' },
      { path: 'src/größe/[id]/日本 語/a.ts' },
    ]
    const { activity } = await repository.created('/activity', { ...work, changes: { files } })
    expect(activity.scope_changed).toEqual(['.', 'new', 'old', 'src/größe/[id]/日本 語'])
  })

  it('are cut to the depth at which they are 20', async () => {
    const twenty = Array.from({ length: 20 }, (_, n) => `src/${String.fromCharCode(97 + n)}`)
    expect(await directoriesOf(twenty.map((name) => `${name}/a.ts`))).toEqual(twenty)
    expect(await directoriesOf([...twenty, 'src/z'].map((name) => `${name}/a.ts`))).toEqual(['src'])
    expect(await directoriesOf(['lib/x/y/a.ts', ...twenty.map((name) => `${name}/deep/a.ts`)])).toEqual(['lib', 'src'])
    expect(await directoriesOf([...twenty, 'z'].map((name) => `${name.replace('src/', '')}/a.ts`))).toEqual(['.'])
  })

  it('are at most 8 levels deep and 2,000 bytes long', async () => {
    expect(await directoriesOf(['1/2/3/4/5/6/7/8/9/a.ts', 'a/'.repeat(500).concat('a.ts')])).toEqual([
      '1/2/3/4/5/6/7/8',
      'a/a/a/a/a/a/a/a',
    ])
    const long = 'ü'.repeat(500)
    expect(await directoriesOf([`${long}/${long}/a.ts`])).toEqual([long])
    expect(await directoriesOf([`${'x'.repeat(2_001)}/a.ts`])).toEqual(['.'])
  })

  it('are few for a pull request of 3,000 files in as many directories', async () => {
    const repository = service.newRepository()
    const files = Array.from({ length: 3_000 }, (_, n) => changedFile(`src/${n % 15}/${n}/deep/er/a.ts`))
    await insertPullRequest(service.db, repository, service.clock.now(), { files })
    const scope_changed = Array.from({ length: 15 }, (_, n) => `src/${n}`).sort()
    expect((await repository.page('/activity')).items).toMatchObject([{ scope_changed }])
  })

  it('are those of GitHub and of the client where recorded work covers a pull request: the first 20', async () => {
    const repository = service.newRepository()
    const named = (at: string, count: number) =>
      Array.from({ length: count }, (_, n) => `${at}/${String.fromCharCode(97 + n)}`)
    await insertPullRequest(service.db, repository, service.clock.now(), {
      files: [...named('a', 15), 'b/a'].map((name) => changedFile(`${name}/a.ts`)),
    })
    const changes = { files: named('b', 10).map((name) => ({ path: `${name}/a.ts` })) }
    const { activity } = await repository.created('/activity', { ...work, branch: 'sessions', changes })
    const scope_changed = [...named('a', 15), ...named('b', 5)]
    expect((await repository.page('/activity')).items).toMatchObject([{ id: activity.id, scope_changed }])
    expect((await repository.get(`/activity/${activity.id}`)).body).toMatchObject({ scope_changed })
  })
})
