import { describe, expect, it, vi } from 'vitest'
import { apiVersion } from '../../../src/service/github/api-version.ts'
import type { Fault } from '../../support/github/faults.ts'
import { failure } from '../../support/github/route.ts'
import { appOf, run } from './running.ts'

const route = 'GET /repos/{owner}/{repo}'
const header = 'x-github-api-version'
/** A permission is asked for again in each request, and nothing is read beside it. */
const alone = { HEADSUP_PERMISSION_CACHE_MS: '0', HEADSUP_ENABLED: 'false', HEADSUP_AUTHOR_LOGIN: 'off' }

describe('the version of GitHub’s API', () => {
  it('is named by every request: of callers, of the App and of its installations, and for tokens', async () => {
    const { github, ask } = await run({}, appOf)
    const { writer } = github.addRepository('web')
    github.install('acme')
    await ask(writer, '/api/v1/repos/acme/web/activity')
    const kinds = () => new Set(github.log.map(({ tokenKind }) => tokenKind))
    await vi.waitFor(() => expect(kinds().size).toBeGreaterThan(2), 30_000)
    const operations = github.log.map(({ operation }) => operation)
    expect(operations).toContain('POST /app/installations/{}/access_tokens')
    expect(new Set(github.log.map(({ headers }) => headers[header]))).toEqual(new Set([apiVersion]))
  })

  it('is left out once where GitHub refuses it, which the log says once a day', async () => {
    const { github, ask, lines } = await run(alone)
    const { writer } = github.addRepository('web')
    const refusal = `"${apiVersion}" is not a supported API version`
    for (const _request of [1, 2]) {
      github.fail({ kind: 'reply', reply: failure(400, refusal) }, { times: 1 })
      expect((await ask(writer, '/api/v1/repos/acme/web/activity')).status).toBe(200)
    }
    const asked = github.log.map(({ headers, status }) => [headers[header], status])
    expect(asked).toEqual([
      [apiVersion, 400],
      [undefined, 200],
      [apiVersion, 400],
      [undefined, 304],
    ])
    const logged = lines.filter(({ message }) => message.startsWith('GitHub refuses the version of its API'))
    expect(logged.map(({ fields }) => fields)).toMatchObject([{ level: 'warn', route, version: apiVersion }])
  })

  it('has nothing to do with any other 400', async () => {
    const { github, ask } = await run(alone)
    const { writer } = github.addRepository('web')
    github.fail({ kind: 'reply', reply: failure(400, 'Problems parsing JSON') })
    expect((await ask(writer, '/api/v1/repos/acme/web/activity')).status).toBe(503)
    expect(github.log.map(({ status }) => status)).toEqual([400])
  })
})

describe('a route that GitHub ends', () => {
  const sunset = 'Wed, 10 Mar 2027 00:00:00 GMT'
  const announced = (headers: Record<string, string>): Fault => ({
    kind: 'change',
    change: (reply) => ({ ...reply, headers: { ...reply.headers, ...headers } }),
  })

  it.each([
    [
      { deprecation: '@1773100800', sunset },
      { deprecation: '@1773100800', sunset },
    ],
    [{ sunset }, { deprecation: null, sunset }],
  ])('is logged once a day and counted each time: %j', async (headers, fields) => {
    const { github, ask, lines, scrape } = await run(alone)
    const { writer } = github.addRepository('web')
    github.fail(announced(headers))
    for (const _request of [1, 2, 3]) await ask(writer, '/api/v1/repos/acme/web/activity')
    const logged = lines.filter(({ message }) => message === 'GitHub announces the end of a route that Headsup uses')
    expect(logged.map((line) => line.fields)).toMatchObject([{ level: 'warn', route, ...fields }])
    expect((await scrape()).value(`headsup_github_deprecations_total{route="${route}"}`)).toBe(3)
  })
})
