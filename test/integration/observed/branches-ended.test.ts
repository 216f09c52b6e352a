import { describe, expect, it } from 'vitest'
import { sweep } from '../../../src/service/jobs/sweep.ts'
import { day, hour, minute } from '../../support/clock.ts'
import { appOf, hookUp, meanwhile } from '../webhooks/recovery.ts'
import { file, settings, useBranches } from './observed-branches.ts'
import { startSyncing } from './observing.ts'

const at = useBranches()
const { push, open, records, live, last, branchRow, branchRequests, observed, deliver, pushPayload } = at

describe('what merges a branch without a pull request', () => {
  const sha = 'e'.repeat(40)

  it('is a push to the default branch that brings its head, and it costs no request', async () => {
    const kept = await observed('other')
    await observed('feat', { commits: [{ sha }] })
    await push('unread', { commits: [{}, { sha: 'f'.repeat(40) }] })
    const asked = branchRequests()
    await push('main', { commits: [{ sha }, { sha: 'f'.repeat(40) }, {}] })
    expect((await live()).map(({ id }) => id)).toEqual([kept.id])
    await at.observing.read()
    expect(asked()).toEqual([])
    expect((await records()).map(({ archived_reason }) => archived_reason)).toEqual([null, 'closed'])
  })

  it('shows with the next push of a branch that was merged by squash: nothing is left that differs', async () => {
    await observed('feat')
    await push('main', { changed: [file()] })
    await observed('feat', { commits: [{}, {}], changed: [] })
    expect(await live()).toEqual([])
    expect(await last()).toMatchObject({ archived_reason: 'closed' })
    expect(await observed('feat', { changed: [file('src/next.ts')] })).toMatchObject({ ended_at: null })
  })

  it('is no push to another branch', async () => {
    const { id } = await observed('feat', { commits: [{ sha }] })
    await push('above', { commits: [{ sha }, {}] })
    expect((await live()).map((one) => one.id)).toEqual([id])
  })
})

describe('a branch whose deletion was not delivered', () => {
  const pass = (app = appOf(at.service)) => startSyncing(at.service, { settings, app }).pass()
  async function deleteSilently(branch: string) {
    at.service.github.data.app.hookUrl = null
    await at.service.github.deleteBranch(at.repository, branch)
    hookUp(at.service)
  }

  it('ends with the next reconciliation, and its push that arrives again does not revive it', async () => {
    const kept = await observed('other')
    await observed('feat')
    const payload = pushPayload('feat')
    await pass()
    at.service.clock.advance(hour)
    await deleteSilently('feat')
    expect(await pass()).toMatchObject({ branch_deleted: 1 })
    expect((await live()).map(({ id }) => id)).toEqual([kept.id])
    expect(await last()).toMatchObject({ archived_reason: 'branch_deleted' })
    await deliver(at.service, 'push', payload)
    await at.observing.all()
    expect((await live()).map(({ id }) => id)).toEqual([kept.id])
    expect(await observed('feat')).toMatchObject({ ended_at: null })
  })

  it('ends where it was deleted before the first reconciliation', async () => {
    await observed('feat')
    at.service.clock.advance(hour)
    await deleteSilently('feat')
    await pass()
    expect(await live()).toEqual([])
  })

  it('lives on where it was pushed while GitHub listed the branches', async () => {
    const { id } = await observed('feat')
    at.service.clock.advance(hour)
    await deleteSilently('feat')
    await pass(meanwhile(appOf(at.service), '/git/matching-refs/', () => push('feat')))
    expect((await live()).map((one) => one.id)).toEqual([id])
  })

  it('lives on as its pull request, which decides', async () => {
    const { id } = await observed('feat')
    await open('feat')
    at.service.clock.advance(hour)
    await pass()
    expect((await live()).map((one) => one.id)).toEqual([id])
  })
})

describe('the pull request of a branch', () => {
  it('takes over its record, with what somebody has set', async () => {
    const { id } = await observed()
    await at.repository.patch(`/activity/${id}`, { title: 'My title', blocking: true })
    at.service.clock.advance(hour)
    await open('feat', { title: 'Rework the login', author: 'bob' })
    const [row, ...others] = await live()
    expect(others).toEqual([])
    expect(row).toMatchObject({
      id,
      source: 'pull_request',
      title: 'My title',
      blocking: true,
      summary: 'Pull request #1',
      status: 'ready-for-review',
      pr_number: 1,
      pr_url: expect.stringContaining('/pull/1'),
      has_changes: true,
    })
    await at.observing.all()
    expect(await live()).toHaveLength(1)
    expect(await last()).toMatchObject({ id, summary: 'Pull request #1: 1 file', paths: ['src/a.ts'] })
    expect(await branchRow()).toMatchObject({ activity_id: null })
  })

  it('takes over when it is found by a list', async () => {
    const { id } = await observed()
    at.service.github.data.app.hookUrl = null
    at.service.clock.advance(61 * minute)
    await open('feat')
    hookUp(at.service)
    await at.observing.all()
    expect((await live()).map((one) => [one.id, one.source])).toEqual([[id, 'pull_request']])
  })

  it('does not expire as the branch would', async () => {
    const { id } = await observed()
    await open('feat')
    for (let n = 0; n < 5; n++) {
      at.service.clock.advance(day)
      await at.observing.all()
      await sweep(at.service.db, { now: at.service.clock.now(), retentionMs: 30 * day })
    }
    expect(await last()).toMatchObject({ id, ended_at: null })
  })

  it('that is closed leaves no branch until its next push', async () => {
    const first = await observed()
    await open('feat')
    await at.observing.all()
    at.service.clock.advance(minute)
    await at.service.github.closePullRequest(at.repository, 1)
    await at.observing.all()
    expect(await live()).toEqual([])
    const next = await observed()
    expect(next).toMatchObject({ source: 'branch' })
    expect(next.id).not.toBe(first.id)
  })

  it('of a fork with a branch of the same name takes nothing', async () => {
    const { id } = await observed()
    await open('feat', { from: at.service.newRepository('bob'), author: 'bob' })
    expect((await live()).map(({ source }) => source)).toEqual(['branch', 'pull_request'])
    expect((await live())[0]).toMatchObject({ id })
  })
})
