import nock from 'nock'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import { secondsToRetry } from '../../src/service/api/errors.ts'
import { githubApiUrl, newRepository } from '../support/github.ts'
import { clientOf, startTestService } from '../support/service.ts'

describe('§15 limits', () => {
  it('refuses more than a number of requests a minute of one token, and nobody else', async () => {
    const limited = await startTestService({ HEADSUP_RATE_LIMIT: '2' })
    const [busy, quiet] = [clientOf(limited), clientOf(limited)]
    await busy.get('/activity')
    await busy.post('/activity/check', {})
    const refused = await busy.get('/activity')
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50)
    expect((await quiet.get('/activity')).status).toBe(200)
    // The requests of the page are counted apart.
    const ownPage = { 'sec-fetch-site': 'same-origin' }
    const signedIn = { method: 'POST', headers: ownPage, body: JSON.stringify({ token: busy.token }) }
    const [cookie = ''] = (await fetch(`${limited.url}/-/session`, signedIn)).headers.getSetCookie()
    const { owner, name } = busy.repository
    const byPage = () =>
      fetch(`${limited.url}/api/v1/repos/${owner}/${name}/activity`, { headers: { ...ownPage, cookie } })
    const statuses = [(await byPage()).status, (await byPage()).status, (await byPage()).status]
    expect(statuses).toEqual([200, 200, 429])
    await limited.stop()
  })

  it('refuses more than a number of requests at once, of which streams are none', async () => {
    const narrow = await startTestService({ HEADSUP_MAX_REQUESTS: '1' })
    const own = clientOf(narrow)
    const at = `${narrow.url}/api/v1/repos/${own.repository.owner}/${own.repository.name}`
    const headers = { authorization: `Bearer ${own.token}` }
    const stream = await fetch(`${at}/events`, { headers })
    expect((await own.get('/activity')).status).toBe(200)

    const slow = newRepository()
    nock(githubApiUrl).get(`/repos/acme/${slow.name}`).delay(500).reply(404)
    const waiting = fetch(`${narrow.url}/api/v1/repos/acme/${slow.name}/activity`, { headers })
    await expect.poll(() => nock.pendingMocks().some((mock) => mock.includes(slow.name))).toBe(false)
    const refused = await own.get('/activity')
    expect([refused.status, refused.body.error.code]).toEqual([503, 'unavailable'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(2)
    expect((await fetch(`${narrow.url}/readyz`)).status).toBe(200)
    await waiting
    expect((await own.get('/activity')).status).toBe(200)
    await stream.body?.cancel()
    await narrow.stop()
  })

  it('says when to come back, and not to all the same', () => {
    const told = Array.from({ length: 200 }, () => secondsToRetry(new AppError('unavailable', '')) ?? 0)
    expect(Math.min(...told)).toBeGreaterThanOrEqual(2)
    expect(Math.max(...told)).toBeLessThanOrEqual(10)
    expect(new Set(told).size).toBeGreaterThan(3)
    const known = new AppError('rate_limited', '', { retryAt: Date.now() + 60_000 })
    expect(secondsToRetry(known)).toBeGreaterThanOrEqual(60)
    expect(secondsToRetry(new AppError('forbidden', ''))).toBeNull()
  })
})
