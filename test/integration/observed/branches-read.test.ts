import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { day, hour, minute } from '../../support/clock.ts'
import { startTestService } from '../../support/service.ts'
import { hookUp } from '../webhooks/recovery.ts'
import { commits, file, settings, useBranches } from './observed-branches.ts'
import { countingObserver, startObserving } from './observing.ts'

const at = useBranches()
const { push, open, records, live, last, branchRow, branchRequests, observed, deliver, pushPayload } = at

describe('branches that can not be compared', () => {
  it('do not stop the reading of pull requests, and are not requested for a minute after three failures', async () => {
    const path = `/repos/${at.repository.owner}/${at.repository.name}/compare/`
    const mend = at.service.github.fail({ kind: 'reply', reply: { status: 500, body: { message: 'x' } } }, { path })
    onTestFinished(mend)
    for (let n = 0; n < 20; n++) await push(`bad-${n}`)
    at.service.github.data.app.hookUrl = null
    for (const head of ['first', 'second']) await open(head)
    hookUp(at.service)
    at.service.clock.advance(2 * hour)
    const asked = branchRequests()
    await at.observing.all()
    const of = { repository_id: at.repository.id }
    expect(await at.service.db.prisma.pullRequest.count({ where: { ...of, files_head_sha: null } })).toBe(0)
    expect(await at.service.db.prisma.pullRequest.count({ where: of })).toBe(2)
    expect(asked().length).toBeLessThan(20)
    mend()
    at.service.clock.advance(minute)
    await at.observing.read()
    expect((await live()).filter(({ source }) => source === 'branch')).toHaveLength(20)
  })
})

describe('the cost of a push', () => {
  it('is one request, and none is made before the webhook is answered', async () => {
    const asked = branchRequests()
    await push()
    expect(asked()).toEqual([])
    await at.observing.all()
    expect(asked()).toHaveLength(1)
    const again = branchRequests()
    await push()
    await at.observing.all()
    expect(again()).toHaveLength(1)
    await at.observing.all()
    expect(again()).toHaveLength(1)
  })

  it('is one request for several pushes that nobody has read yet', async () => {
    await observed()
    const asked = branchRequests()
    for (let n = 0; n < 5; n++) await push('feat', { changed: [file(`src/${n}.ts`)] })
    await at.observing.all()
    expect(asked()).toHaveLength(1)
    expect(await last()).toMatchObject({ paths: ['src/4.ts'] })
  })

  it('is two requests where GitHub has no comparison, as without a common history, and then it ends', async () => {
    await observed()
    const asked = branchRequests()
    const notFound = { kind: 'reply', reply: { status: 404, body: { message: 'Not Found' } } } as const
    const mend = at.service.github.fail(notFound, {
      path: `/repos/${at.repository.owner}/${at.repository.name}/compare/`,
    })
    await push()
    await at.observing.all()
    await at.observing.all()
    mend()
    expect(asked()).toHaveLength(2)
    expect(await last()).toMatchObject({ archived_reason: 'closed' })
  })

  it('is nothing for the head of an open pull request but that of the pull request', async () => {
    await open('feat')
    await at.observing.all()
    const asked = branchRequests()
    await push()
    await at.observing.all()
    expect(asked()).toEqual([])
  })

  it('is nothing after 3 days without a reading', async () => {
    await push()
    at.service.clock.advance(3 * day)
    const asked = branchRequests()
    await at.observing.all()
    expect(asked().filter((target) => target.includes('/compare/'))).toEqual([])
    expect(await records()).toEqual([])
  })
})

describe('not observed is', () => {
  const none = async () => {
    await at.observing.all()
    expect((await live()).filter(({ source }) => source === 'branch')).toEqual([])
  }

  it('the default branch, a branch of a merge queue, a tag, and one that has nothing that the default branch lacks', async () => {
    await push('main')
    await push('gh-readonly-queue/main/pr-1')
    await deliver(at.service, 'push', pushPayload('main', { ref: 'refs/tags/v1' }))
    expect(await at.service.db.prisma.pushedBranch.count({ where: { repository_id: at.repository.id } })).toBe(0)
    await push('feat', { commits: [] })
    expect(await branchRow()).not.toBeNull()
    await none()
  })

  it('one more than 50 commits ahead; one that is 50 ahead is', async () => {
    await push('feat', { commits: commits(51) })
    await none()
    expect(await observed('feat', { commits: commits(50), forced: true })).toMatchObject({ source: 'branch' })
    expect((await branchRow())?.commits).toHaveLength(50)
    await push('feat')
    await none()
    expect(await last()).toMatchObject({ archived_reason: 'closed' })
  })

  it('the base of an open pull request, unless the author of that one pushed it', async () => {
    await open('topic', { base: 'develop', author: 'alice' })
    await push('develop')
    await none()
    expect(await observed('develop', { author: 'alice' })).toMatchObject({ branch: 'develop', ended_at: null })
  })

  it('a branch from the time on at which a pull request of somebody else is based on it', async () => {
    await observed('develop')
    await open('topic', { base: 'develop', author: 'alice' })
    await none()
  })

  it('one with the head of an open pull request, whenever that is opened', async () => {
    const sha = 'c'.repeat(40)
    await push('copy', { commits: [{ sha }] })
    await at.observing.all()
    expect(await last()).toMatchObject({ branch: 'copy', ended_at: null })
    await open('feat', { commits: [{ sha }] })
    await none()
    await push('other', { commits: [{ sha }] })
    await none()
  })

  it('anything without the App', async () => {
    await push('feat')
    const { installation: _, ...payload } = pushPayload('feat')
    await deliver(at.service, 'push', { ...payload, ref: 'refs/heads/by-hand' })
    expect(await branchRow('by-hand')).toBeNull()
    const without = await startTestService({ sharedWith: at.service, githubApp: true, settings })
    await deliver(without, 'push', { ...pushPayload('feat'), ref: 'refs/heads/no-app' })
    await without.stop()
    expect(await branchRow('no-app')).toBeNull()
  })

  it('anything in a repository that the App did not list yet', async () => {
    await at.service.db.query('delete from observed_repositories where repository_id = $1', [at.repository.id])
    await push()
    const asked = branchRequests()
    await at.observing.read()
    expect(asked()).toEqual([])
    expect(await records()).toEqual([])
  })
})

describe('the settings', () => {
  it('end the records when branches are turned off, with the next list, and pull requests stay', async () => {
    await observed()
    await open('other')
    at.service.clock.advance(61 * minute)
    await startObserving(at.service, { settings: { observe: ['pull_requests'] } }).all()
    expect((await live()).map(({ source }) => source)).toEqual(['pull_request'])
    expect((await records())[0]).toMatchObject({ source: 'branch', archived_reason: 'closed' })
    expect(await branchRow()).toBeNull()
  })

  it('end a branch that is ignored from now on', async () => {
    await observed('sync/a')
    await observed('feat')
    at.service.clock.advance(61 * minute)
    await startObserving(at.service, { settings: { ...settings, ignored_branches: ['sync/**'] } }).all()
    expect((await live()).map(({ branch }) => branch)).toEqual(['feat'])
  })

  describe('that nobody read yet', () => {
    beforeEach(async () => {
      await at.service.db.prisma.repositorySettings.delete({ where: { repository_id: at.repository.id } })
      const other = await startTestService({ sharedWith: at.service, githubApp: true, observer: countingObserver() })
      hookUp(other)
      return async () => {
        hookUp(at.service)
        await other.stop()
      }
    })

    it('lose no push: the job that reads the branch decides', async () => {
      await push('kept')
      await push('ignored')
      const asked = branchRequests()
      await startObserving(at.service, { settings: { ...settings, ignored_branches: ['ignored'] } }).all()
      expect((await live()).map(({ branch }) => branch)).toEqual(['kept'])
      expect(asked()).toHaveLength(1)
    })

    it('keep no branch once it is known that branches are not observed', async () => {
      await push()
      expect(await branchRow()).not.toBeNull()
      at.service.clock.advance(61 * minute)
      await startObserving(at.service).all()
      expect(await branchRow()).toBeNull()
      expect(await records()).toEqual([])
    })

    it('lose no deletion, and no merge into the default branch', async () => {
      await push('deleted')
      await at.service.github.deleteBranch(at.repository, 'deleted')
      await push('merged')
      const head = (await branchRow('merged'))?.head_sha
      await deliver(at.service, 'push', pushPayload('main', { commits: [{ id: head }] }))
      const asked = branchRequests()
      await at.observing.all()
      expect(await records()).toEqual([])
      expect(asked()).toEqual([])
    })
  })

  it('observe no branch by default, nor without pull requests', async () => {
    for (const observe of [['pull_requests'], ['branches'], []] as const) {
      const other = await startTestService({
        ...{ sharedWith: at.service, githubApp: true, observer: countingObserver() },
        settings: { observe: [...observe] },
      })
      await deliver(other, 'push', pushPayload('main', { ref: 'refs/heads/feat' }))
      await other.stop()
    }
    expect(await branchRow()).toBeNull()
  })

  it('end what is observed when everything is turned off', async () => {
    await observed()
    at.service.clock.advance(61 * minute)
    await startObserving(at.service, { settings: { ...settings, enabled: false } }).all()
    expect(await last()).toMatchObject({ archived_reason: 'closed' })
  })
})
