import { afterAll, beforeAll, expect, it } from 'vitest'
import { insertActivity } from '../../../src/service/records/activity/activities.sql.ts'
import { activityRow } from '../../support/activity-row.ts'
import { describeOnEachPostgres } from '../../support/each-postgres.ts'
import { changedFile, insertPullRequest } from '../../support/observed.ts'
import { countRowsRead } from '../../support/rows-read.ts'
import type { TestRepository, TestService } from '../../support/service.ts'

describeOnEachPostgres('before the first ANALYZE, a few rows are read', (start) => {
  let service: TestService
  let read: Awaited<ReturnType<typeof countRowsRead>>
  let repository: TestRepository

  beforeAll(async () => {
    // One connection, since each keeps the plans that its triggers made for the first rows.
    service = await start({ githubClient: 'own', database: { poolSize: 1 } })
    read = await countRowsRead(service.db, { nested: true })
    repository = service.newRepository()
    const now = service.clock.now()
    await service.db.prisma.observedRepository.create({
      data: { repository_id: repository.id, listed_at: now, by_app: true },
    })
  })
  afterAll(() => service.stop())

  const count = 100
  const few = 20

  const addPullRequest = (number: number) =>
    insertPullRequest(service.db, repository, service.clock.now(), {
      pull: { number, head_ref: `b${number}` },
      activity: { branch: `b${number}` },
      files: [changedFile(`src/p${number}/a.ts`)],
    })

  const addWork = (branch: string) => {
    const row = activityRow(service.clock.now(), { repository_id: repository.id, branch, paths: ['docs/a.md'] })
    return insertActivity(service.db.prisma, row)
  }

  it('for a pull request, however many are open', async () => {
    for (let number = 1; number < count; number++) await addPullRequest(number)
    read.reset()
    await addPullRequest(count)
    expect(read.of('pull_requests')).toBeLessThan(few)
    expect(read.of('activities')).toBeLessThan(few)
  })

  it('for work on the branch of one, however much is live', async () => {
    for (let n = 1; n < count; n++) await addWork(`b${n}`)
    read.reset()
    await addWork(`b${count}`)
    expect(read.of('pull_requests')).toBeLessThan(few)
    expect(read.of('activities')).toBeLessThan(few)
  })

  it('for the newest work on a branch, however much is on it', async () => {
    for (let n = 1; n < count; n++) await addWork('b1')
    read.reset()
    await addWork('b1')
    expect(read.of('activities')).toBeLessThan(few)
  })

  it('for a check that finds a pull request, and the work that covers it', async () => {
    const body = { scope: { paths: [`src/p${count}/a.ts`] } }
    const checks = 10
    for (let n = 0; n < checks; n++) await repository.check(body)
    read.reset()
    for (let n = 0; n < checks; n++) expect(await repository.check(body)).toMatchObject({ overlap_detected: true })
    expect(read.of('activities')).toBeLessThan(2 * few * checks)
    expect(read.of('pull_requests')).toBeLessThan(few * checks)
  })
})
