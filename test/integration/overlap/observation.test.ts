import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ObservationCase, type ObservedSide, observationCases } from '../../support/observation-cases.ts'
import { changedFile, insertPullRequest } from '../../support/observed.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { testViewer } from '../../support/viewer.ts'

const viewer = testViewer()
let service: TestService

beforeAll(async () => {
  service = await startTestService({ viewerOf: viewer.viewerOf })
})
afterAll(async () => {
  for (const own of services.values()) await own.stop()
  await service.stop()
})

let numbers = 0

/** Inserts this side as an open pull request, with everything that the case says of it. */
async function open(repository: TestRepository, side: Partial<ObservedSide>): Promise<string> {
  const number = ++numbers
  const { base_branch = 'main', author = null, head_sha = null, commits = [], files = [], files_total } = side
  const sha = head_sha ?? `sha-${number}`
  const { id } = await insertPullRequest(service.db, repository, service.clock.now(), {
    files,
    pull: { number, head_ref: `branch-${number}`, head_sha: sha, files_head_sha: sha, commits },
    activity: { base_branch, author_login: author, actor: author ?? 'somebody', author_id: null },
  })
  await service.db.query(
    `with changes as (
       update activity_changes set head_sha = $3, files_total = $4 where repository_id = $1 and activity_id = $2)
     update activities set updated_at = updated_at where repository_id = $1 and id = $2`,
    [repository.id, id, sha, files_total ?? files.length],
  )
  return id
}

/** What a check says of the other side. */
async function seen(repository: TestRepository, other: string, body: object) {
  const { collisions, nearby_activity_ids, relationships } = await repository.check(body)
  const collision = collisions.find(({ activity_id }) => activity_id === other)
  if (collision) return { severity: collision.severity, path: collision.example_path }
  if (nearby_activity_ids.includes(other)) return { severity: null }
  return relationships[other] ?? null
}

function expected({ result }: ObservationCase, { head_sha, commits }: ObservedSide, other: ObservedSide) {
  if (result) return result.severity ? { severity: result.severity, path: result.files[0]?.path } : { severity: null }
  const isStacked = [head_sha, other.head_sha].some(
    (sha) => sha !== null && (sha === head_sha ? other.commits : commits).includes(sha),
  )
  return isStacked ? 'stacked' : null
}

/** One for all cases with the same settings. */
const services = new Map<string, TestService>()

async function serviceFor({ rules }: ObservationCase): Promise<TestService> {
  const { ignored_authors, ignored_paths, max_files } = rules
  const settings = { ignored_authors, ignored_paths, max_files }
  const key = JSON.stringify(settings)
  const own =
    services.get(key) ?? (await startTestService({ sharedWith: service, viewerOf: viewer.viewerOf, settings }))
  services.set(key, own)
  return own
}

describe.each(observationCases())('the case $name', (given) => {
  it.each([
    ['as it is', given.ours, given.theirs],
    ['the other way round', given.theirs, given.ours],
  ])('is decided by a check %s', async (_, ours, theirs) => {
    const repository = (await serviceFor(given)).newRepository()
    // Six others change a hot file, in places of their own. They come first: texts tell of the newest.
    for (const path of given.rules.hot) {
      for (let n = 0; n < 6; n++)
        await open(repository, { files: [changedFile(path, { lines: [[90_000 + 10 * n, 90_001 + 10 * n]] })] })
    }
    const other = await open(repository, theirs)
    const account = ours.author === null ? null : { id: 99n, login: ours.author }
    await viewer.as({ account }, async () => {
      const isInBody = ours.commits.length === 0 && ours.files_total === undefined
      const head_sha = ours.head_sha ?? undefined
      if (isInBody) {
        const body = { base_branch: ours.base_branch, changes: { head_sha, files: ours.files } }
        expect(await seen(repository, other, body)).toEqual(expected(given, ours, theirs))
      }
      const activity_id = await open(repository, ours)
      expect(await seen(repository, other, { activity_id })).toEqual(expected(given, ours, theirs))
    })
  })
})
