import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FileChange } from '../../../src/core/changes/file-change.ts'
import { ActivityCreated } from '../../../src/service/api/operations/activities.ts'
import { repositoryOf } from '../../support/github/data.ts'
import { changedFile, insertPullRequest } from '../../support/observed.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { alice, bob, testViewer } from '../../support/viewer.ts'

const viewer = testViewer()
let service: TestService

beforeAll(async () => {
  service = await startTestService({ viewerOf: viewer.viewerOf })
  viewer.account = bob
})
afterAll(() => service.stop())

const session = 'src/session.ts'
const at = (line: number, path = session) => changedFile(path, { lines: [[line, line]] })
const mine = { base_branch: 'main', changes: { files: [{ path: session, lines: [[10, 20]] }] } }
let numbers = 0

type Parts = NonNullable<Parameters<typeof insertPullRequest>[3]>

/** An open pull request of another member. */
async function opened(repository: TestRepository, files: FileChange[], { pull = {}, activity = {} }: Parts = {}) {
  numbers += 1
  service.clock.advance(1_000)
  const named = { number: numbers, head_ref: `change-${numbers}`, author_login: 'carol', author_id: 99n }
  const { id } = await insertPullRequest(service.db, repository, service.clock.now(), {
    files,
    pull: { ...named, ...pull },
    activity: { author_login: 'carol', author_id: 99n, branch: named.head_ref, ...activity },
  })
  return { id, number: numbers }
}

const byAlice = <T>(work: () => Promise<T>) => viewer.as({ account: alice }, work)

const numbersOf = ({ candidates }: { candidates?: { number: number | null }[] | undefined }) =>
  candidates?.map(({ number }) => number)

describe('the candidates of a check', () => {
  it('are the works that share a changed file, closest first, those that are only nearby too', async () => {
    const repository = service.newRepository()
    const far = await opened(repository, [at(200)])
    const close = await opened(repository, [at(21)])
    const same = await opened(repository, [at(15)])
    await opened(repository, [at(15, 'src/other.ts')])
    const found = await repository.check(mine)
    expect(numbersOf(found)).toEqual([same.number, close.number, far.number])
    expect(found.candidates_total).toBe(3)
    expect(found.candidates).toMatchObject([
      {
        ...{
          activity_id: same.id,
          severity: 'high',
          example_path: session,
          lines: [[10, 20]],
          their_lines: [[15, 15]],
        },
        ...{ branch: null, head_sha: 'a1', base_branch: 'main', distance: 0, severity_without_lines: null },
        ...{ severity_limit: null, grave: false, ignored_author: false, has_unpushed_lines: false, hides_words: false },
        files: [{ path: session, previous_path: null, ignored: false }],
      },
      { activity_id: close.id, severity: 'high' },
      { activity_id: far.id, severity: null, distance: 179 },
    ])
  })

  it('are there only where the check sends changes, and the caller may list pull requests', async () => {
    const repository = service.newRepository()
    await opened(repository, [at(15)])
    expect(await repository.check({ scope: { paths: [session] } })).not.toHaveProperty('candidates')
    const unseen = await viewer.as({ mayRead: false }, () => repository.check(mine))
    expect(unseen).not.toHaveProperty('candidates')
    expect(unseen).not.toHaveProperty('candidates_total')
    expect(await repository.check({ changes: { files: [] } })).toMatchObject({ candidates: [], candidates_total: 0 })
  })

  it('are in the answer of a create and of a PATCH that send changes, too', async () => {
    const repository = service.newRepository()
    const { number } = await opened(repository, [at(15)])
    const work = { title: 'Login', summary: 'Rework it.', actor: 'Dan', base_branch: 'main' }
    const sent = await repository.created('/activity', { ...work, branch: 'one', changes: mine.changes })
    expect(numbersOf(sent.overlap)).toEqual([number])
    const named = await repository.created('/activity', { ...work, branch: 'two', scope: { paths: [session] } })
    expect(named.overlap).not.toHaveProperty('candidates')
    const updated = async (fields: object) => {
      const { body } = await repository.patch(`/activity/${named.activity.id}?overlap=true`, fields)
      return ActivityCreated.parse(body).overlap
    }
    expect(numbersOf(await updated({ changes: mine.changes }))).toEqual([number])
    expect(await updated({ heartbeat: true })).not.toHaveProperty('candidates')
  })

  it('are 20 at most, with a count of all', async () => {
    const repository = service.newRepository()
    for (let line = 100; line < 122; line++) await opened(repository, [at(line)])
    const { candidates, candidates_total } = await repository.check(mine)
    expect(candidates).toHaveLength(20)
    expect(candidates_total).toBe(22)
    expect(candidates?.map(({ distance }) => distance)).toEqual(Array.from({ length: 20 }, (_, n) => 79 + n))
  })

  it('have the base branch of the proposal, which is the default branch where it names none', async () => {
    const repository = service.newRepository()
    const main = await opened(repository, [at(15)])
    const next = await opened(repository, [at(15)], { pull: { base_ref: 'next' }, activity: { base_branch: 'next' } })
    expect(numbersOf(await repository.check(mine))).toEqual([main.number])
    expect(numbersOf(await repository.check({ ...mine, base_branch: 'next' }))).toEqual([next.number])
    expect(numbersOf(await repository.check({ changes: mine.changes }))).toEqual([main.number])
  })

  it('have a head at GitHub: declared scopes and unpushed lines alone are none', async () => {
    const repository = service.newRepository()
    const work = { title: 'Login', summary: 'Rework it.', actor: 'Dan' }
    await repository.created('/activity', { ...work, scope: { paths: [session] } })
    await repository.created('/activity', { ...work, branch: 'local', base_branch: 'main', changes: mine.changes })
    const found = await repository.check(mine)
    expect(found.related_activity_ids).toHaveLength(2)
    expect(found).toMatchObject({ candidates: [], candidates_total: 0 })
  })

  it('are by the activity that covers a pull request, which says whether it knows newer lines', async () => {
    const repository = service.newRepository()
    const { number } = await opened(repository, [at(200)], {
      pull: { head_ref: 'login' },
      activity: { branch: 'login' },
    })
    const work = { title: 'Login', summary: 'Rework it.', actor: 'Dan', branch: 'login', base_branch: 'main' }
    const changes = { files: [{ path: session, lines: [[15, 15]] }] }
    const { activity } = await byAlice(() => repository.created('/activity', { ...work, changes }))
    expect(await repository.check(mine)).toMatchObject({
      candidates: [{ activity_id: activity.id, number, head_sha: 'a1', severity: 'high', has_unpushed_lines: true }],
    })
  })

  it('name a pushed branch by its name', async () => {
    const repository = service.newRepository()
    const branch = {
      source: 'branch',
      pr_number: null,
      pr_repository_id: null,
      pr_url: null,
      branch: 'pushed',
    } as const
    await opened(repository, [at(15)], { activity: branch })
    const { candidates = [] } = await repository.check(mine)
    expect(candidates).toMatchObject([{ source: 'branch', branch: 'pushed' }])
  })

  it('leave out own and stacked work', async () => {
    const repository = service.newRepository()
    await opened(repository, [at(15)], { pull: { author_id: bob.id }, activity: { author_id: bob.id } })
    await opened(repository, [at(15)], { pull: { head_ref: 'lower' }, activity: { branch: 'lower' } })
    const stacked = { ...mine, branch: 'upper', base_branch: 'lower' }
    expect(await repository.check(stacked)).toMatchObject({ candidates: [] })
    expect((await repository.check(mine)).candidates).toHaveLength(1)
  })

  it('list members before strangers at equal distance, and strangers who are closer first', async () => {
    const repository = service.newRepository()
    repositoryOf(service.github.data, Number(repository.id)).private = false
    const fork = { head_repository_id: 99n, head_owner: 'evil', author_association: 'NONE', author_login: 'evil' }
    const member = await opened(repository, [at(15)])
    const stranger = await opened(repository, [at(15)], { pull: fork, activity: { author_login: 'evil' } })
    const far = await opened(repository, [at(100)])
    const found = await repository.check(mine)
    expect(numbersOf(found)).toEqual([member.number, stranger.number, far.number])
    expect(found.candidates?.map(({ hides_words }) => hides_words)).toEqual([false, true, false])
    expect(found.candidates?.map(({ outside = false }) => outside)).toEqual([false, true, false])
  })

  it('mark ignored files, and need one that is not ignored', async () => {
    const repository = service.newRepository()
    const lock = changedFile('package-lock.json', { lines: [[1, 5]] })
    await opened(repository, [lock])
    const both = await opened(repository, [lock, at(100)])
    const files = [...mine.changes.files, { path: 'package-lock.json', lines: [[1, 5]] }]
    const found = await repository.check({ ...mine, changes: { files } })
    expect(numbersOf(found)).toEqual([both.number])
    expect(found.candidates?.[0]?.files).toEqual([
      { path: 'package-lock.json', previous_path: null, ignored: true },
      { path: session, previous_path: null, ignored: false },
    ])
  })

  it('say what a declared scope and a grave risk give without the lines', async () => {
    const repository = service.newRepository()
    await opened(repository, [at(200)], { pull: { head_ref: 'login' }, activity: { branch: 'login' } })
    const work = { title: 'Login', summary: 'Rework it.', actor: 'Dan', branch: 'login', base_branch: 'main' }
    await byAlice(() => repository.created('/activity', { ...work, risk: 'high', scope: { areas: ['auth'] } }))
    expect(await repository.check({ ...mine, scope: { areas: ['auth'] } })).toMatchObject({
      candidates: [{ grave: true, severity_without_lines: 'medium' }],
    })
  })
})
