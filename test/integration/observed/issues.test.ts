import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Activity } from '../../../src/core/schemas/activity.ts'
import { day, minute } from '../../support/clock.ts'
import { repositoryOf } from '../../support/github/data.ts'
import type { Opening } from '../../support/github/pull-actions.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { hookUp } from '../webhooks/recovery.ts'
import { countingObserver, startObserving } from './observing.ts'

let service: TestService
let repository: TestRepository

beforeAll(async () => {
  service = await startTestService({ githubApp: true, observer: countingObserver() })
  hookUp(service)
})
afterAll(() => service.stop())

beforeEach(() => {
  repository = service.newRepository()
  service.github.install(repository.owner)
})

const open = (number: number, more: Partial<Opening> = {}) => {
  service.clock.advance(minute)
  return service.github.openPullRequest(repository, { head: `branch-${number}`, files: [{ path: 'a.ts' }], ...more })
}
const edit = (number: number, body: string) => {
  service.clock.advance(minute)
  return service.github.editPullRequest(repository, number, { body })
}
const issuesOf = async (number: number) => {
  const { items } = (await repository.get('/activity')).body as { items: Activity[] }
  return items.find(({ pr_url }) => pr_url?.endsWith(`/pull/${number}`))?.issues
}

describe('the issues of an open pull request', () => {
  it('are those after the closing keywords of its title and body, of this repository alone', async () => {
    const { owner, name } = repository
    const { number } = await open(1, {
      title: 'Fixes #71: log in',
      body: `Closes ${owner}/${name}#80, resolves other/place#81.\nFix https://github.com/${owner}/${name}/issues/82 <!-- closes #83 -->\nSee #84.`,
    })
    expect(await issuesOf(number)).toEqual([71, 80, 82])
  })

  it('follow an edit, and a PATCH of them is 409', async () => {
    const { number } = await open(1, { body: 'Closes #80' })
    await edit(number, 'Closes #81')
    expect(await issuesOf(number)).toEqual([81])
    await edit(number, 'See #81')
    expect(await issuesOf(number)).toEqual([])
  })

  it('follow each list, where no event told', async () => {
    const { number } = await open(1, { body: 'Closes #80' })
    const pull = repositoryOf(service.github.data, Number(repository.id)).pulls.find((one) => one.number === number)
    service.clock.advance(2 * day)
    Object.assign(pull ?? {}, { body: 'Closes #90', updatedAt: service.clock.now() })
    await startObserving(service).all()
    expect(await issuesOf(number)).toEqual([90])
  })

  it('are not the numbers of pull requests, also of those that become known later', async () => {
    const first = await open(1)
    const { number } = await open(2, { body: `Closes #${first.number}, closes #3, closes #80` })
    expect(await issuesOf(number)).toEqual([3, 80])
    const third = await open(3)
    expect(third.number).toBe(3)
    expect(await issuesOf(number)).toEqual([80])
    await edit(number, 'Closes #3, fixes #81')
    expect(await issuesOf(number)).toEqual([81])
  })

  it('collide with recorded work for the same issue, since the edit that names it', async () => {
    const { number } = await open(1, { body: 'See #80' })
    const body = { title: 'Login', summary: 'x', actor: 'bob', issues: [80] }
    const { activity } = await repository.created('/activity', body)
    const related = async () => (await repository.check({ activity_id: activity.id })).related_activity_ids
    expect(await related()).toEqual([])
    await edit(number, 'Fixes #80')
    expect(await related()).toHaveLength(1)
  })
})
