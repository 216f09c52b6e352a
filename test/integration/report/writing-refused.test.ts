import { describe, expect, it } from 'vitest'
import type { GithubApp } from '../../../src/service/github/installation/app-client.ts'
import { mostWrites } from '../../../src/service/report/write-pace.ts'
import { loadWriteTimes, saveWriteTimes } from '../../../src/service/report/write-times-store.ts'
import { hour, minute, second } from '../../support/clock.ts'
import { startObserving, unreadIn } from '../observed/observing.ts'
import { appOf, recordRequests } from '../webhooks/recovery.ts'
import { readOnly, useReports } from './check-runs.ts'

const at = useReports()
const { runs, titleOn, open, push, settle, reportState } = at

describe('without checks: write', () => {
  it('nothing is written, and nothing else depends on it', async () => {
    at.installation.permissions = readOnly
    await open('alice', [10, 20])
    await open('bob', [15, 16])
    const asked = recordRequests(at.service)
    await settle()
    expect(asked().filter((target) => target.includes('/check-'))).toEqual([])
    const { items } = await at.repository.page('/activity?source=pull_request')
    expect(items).toHaveLength(2)
    expect(
      await at.repository.check({ base_branch: 'main', changes: { files: [{ path: 'src/a.ts', lines: [[15, 15]] }] } }),
    ).toMatchObject({ severity: 'high' })
  })

  it('that is revoked, no further check run is written, and the settings say so', async () => {
    await open('alice', [10, 20])
    await settle()
    at.installation.permissions = readOnly
    at.service.clock.advance(2 * hour)
    await push('alice', [11, 20])
    await settle()
    expect(runs()).toHaveLength(1)
    expect(await reportState()).toMatchObject({ state: 'permission_missing' })
    const asked = recordRequests(at.service)
    await push('alice', [12, 20])
    await settle()
    expect(asked().filter((target) => target.includes('/check-'))).toEqual([])
  })

  it('for only one repository, a refusal ends the reports there', async () => {
    await open('alice', [10, 20])
    const refusal = { status: 403, body: { message: 'Resource not accessible by integration' } }
    at.service.github.fail({ kind: 'reply', reply: refusal }, { path: /check-runs/ })
    await settle()
    at.service.github.heal()
    await push('alice', [10, 21])
    await settle()
    expect(runs()).toEqual([])
    expect(await reportState()).toMatchObject({ state: 'permission_missing' })
  })
})

it('the settings say why there are no check runs where the App does not read the repository', async () => {
  at.repository = at.service.newRepository('without-app')
  expect(await reportState()).toEqual({ state: 'off', reason: 'not_read', approve_url: null })
})

it('a pull request that GitHub does not show is no refusal of check runs', async () => {
  await open('alice', [10, 20])
  const hidden = { status: 403, body: { message: 'Resource not accessible by integration' } }
  at.service.github.fail({ kind: 'reply', reply: hidden }, { path: /\/pulls\/1$/ })
  expect(await settle()).toMatchObject({ created: 0, failed: 1 })
  expect(await reportState()).toMatchObject({ state: 'active' })
  at.service.github.heal()
  at.service.clock.advance(2 * minute)
  expect(await settle()).toMatchObject({ created: 1 })
})

describe('GitHub', () => {
  it('that fails is repeated, and a check run that it created nevertheless is found', async () => {
    await open('alice', [10, 20])
    at.service.github.fail({ kind: 'drop', when: 'in_body' }, { path: /check-runs/, times: 1 })
    expect(await settle()).toMatchObject({ created: 0, failed: 1 })
    expect(runs()).toHaveLength(1)
    at.service.clock.advance(2 * minute)
    expect(await settle()).toMatchObject({ created: 1 })
    expect(runs()).toHaveLength(1)
  })

  it.each([404, 422, 500, 502])(
    'that answers %s is asked again later, and nothing else depends on it',
    async (status) => {
      await open('alice', [10, 20])
      const reply = { status, body: { message: 'No' } }
      at.service.github.fail({ kind: 'reply', reply }, { path: /check-(runs|suites$)/ })
      expect(await settle()).toMatchObject({ created: 0, failed: 1 })
      expect(await reportState()).toMatchObject({ state: 'active' })
      at.service.github.heal()
      at.service.clock.advance(2 * minute)
      expect(await settle()).toMatchObject({ created: 1, failed: 0 })
    },
  )

  it('gets one check run though the service is killed after GitHub made it', async () => {
    await open('alice', [10, 20])
    const dying: GithubApp = {
      ...at.app,
      async requestForChecks(of, request) {
        const response = await at.app.requestForChecks(of, request)
        const isMade = request.route.endsWith('/check-runs') && 'status' in response && response.status === 201
        if (isMade) throw new Error('killed')
        return response
      },
    }
    const observing = startObserving(at.service, { app: dying })
    await observing.read()
    await expect(observing.report()).rejects.toThrow('killed')
    expect(runs()).toHaveLength(1)
    at.service.clock.advance(2 * minute)
    expect(await settle()).toMatchObject({ created: 1 })
    expect(runs()).toHaveLength(1)
  })

  it('gets each check run once, from however many instances', async () => {
    await open('alice', [10, 20])
    await open('bob', [15, 16])
    await startObserving(at.service, { app: at.app }).read()
    const instances = [
      startObserving(at.service, { app: at.app }),
      startObserving(at.service, { app: appOf(at.service) }),
    ]
    await Promise.all(instances.map(({ report }) => report()))
    await Promise.all(instances.map(({ report }) => report()))
    expect([1, 2].map(titleOn)).toEqual(['Same lines as #2 (bob)', 'Same lines as #1 (alice)'])
    expect(runs()).toHaveLength(2)
  })

  it('that limits the App gets no request until then', async () => {
    await open('alice', [10, 20])
    const limited = {
      status: 403,
      headers: { 'retry-after': '600' },
      body: { message: 'You have exceeded a secondary rate limit.' },
    }
    at.service.github.fail({ kind: 'reply', reply: limited }, { path: /check-runs/, times: 1 })
    const observing = startObserving(at.service, { app: at.app })
    await observing.read()
    expect(await observing.report()).toMatchObject({ created: 0, paused: 1 })
    at.service.clock.advance(5 * minute)
    // Reading goes on: nothing else depends on check runs.
    await open('bob', [40, 41])
    await observing.read()
    expect(await unreadIn(at.service, at.repository)).toBe(0)
    expect(await observing.report()).toMatchObject({ created: 0 })
    at.service.clock.advance(6 * minute)
    expect(await observing.report()).toMatchObject({ created: 2 })
  })

  it('gets at most 400 check runs an hour: what falls off is written with the next event of its head', async () => {
    const now = at.service.clock.now().getTime()
    const times = Array.from({ length: mostWrites.hour }, () => now - 10 * minute)
    await saveWriteTimes(at.service.db, at.repository.owner, { all: times, forNotables: [] })
    await open('alice', [10, 20])
    expect(await settle()).toMatchObject({ created: 0, dropped: 1 })
    at.service.clock.advance(hour)
    expect(await settle()).toMatchObject({ created: 0, dropped: 0 })
    await open('bob', [15, 16])
    expect(await settle()).toMatchObject({ created: 2 })
  })
})

describe('the limit of the owner', () => {
  it('counts every request for a check run or its suite, a second apart', async () => {
    const asked = recordRequests(at.service)
    await open('alice', [10, 20])
    await settle()
    await push('alice', [10, 21])
    await settle()
    const writes = asked().filter((target) => /\/check-(runs|suites)$/.test(target))
    // The first check run. Then one that is refused, its suite, and the check run.
    expect(writes).toHaveLength(4)
    const { all: times } = await loadWriteTimes(at.service.db, at.repository.owner)
    expect(times).toHaveLength(writes.length)
    expect(times.slice(1).every((time, n) => time - (times[n] ?? 0) >= second)).toBe(true)
  })
})
