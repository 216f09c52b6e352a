import createClient from 'openapi-fetch'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { components, paths } from '../../fixtures/openapi/headsup.d.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService
let repository: TestRepository

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())
beforeEach(() => {
  repository = service.newRepository()
})

type Failed = components['schemas']['Error']

const clientOf = (token: string) =>
  createClient<paths>({ baseUrl: `${service.url}/api/v1`, headers: { Authorization: `Bearer ${token}` } })

const repositoryPath = () => ({ owner: repository.owner, repo: repository.name })

/** The body of a response that has to be a success. */
function bodyOf<Body>({ data, error }: { data?: Body; error?: unknown }): Body {
  expect(error).toBeUndefined()
  if (data === undefined) throw new Error('No body')
  return data
}

const work = { title: 'Rework the login', summary: 'Sessions move.', actor: 'Alice', scope: { paths: ['src/auth/**'] } }

describe('a client with the types of the OpenAPI document', () => {
  it('creates, checks, keeps alive, changes and archives an activity', async () => {
    const client = clientOf(repository.writer)
    const created = await client.POST('/repos/{owner}/{repo}/activity', {
      params: { path: repositoryPath(), header: { 'Idempotency-Key': 'one' } },
      body: work,
    })
    expect(created.response.status).toBe(201)
    const { activity, overlap } = bodyOf(created)
    expect([overlap.overlap_detected, activity.risk, activity.branch]).toEqual([false, 'low', null])

    const plan = {
      params: { path: repositoryPath() },
      body: { scope: { paths: ['src/auth/login.ts'] }, tags: ['auth'] },
    }
    const check = bodyOf(await client.POST('/repos/{owner}/{repo}/activity/check', plan))
    expect([check.severity, check.related_activity_ids]).toEqual(['medium', [activity.id]])
    expect(check.relationships[activity.id]).toBe('collision')

    const path = { ...repositoryPath(), id: activity.id }
    service.clock.advance(60_000)
    const heartbeat = bodyOf(await client.POST('/repos/{owner}/{repo}/activity/{id}/heartbeat', { params: { path } }))
    expect(heartbeat.expires_at > activity.expires_at).toBe(true)

    const change = { status: 'paused', risk: 'high', branch: 'feat/login' } as const
    const changed = bodyOf(
      await client.PATCH('/repos/{owner}/{repo}/activity/{id}', { params: { path }, body: change }),
    )
    expect(changed).toMatchObject(change)

    const query = { status: 'paused', has_pr: false, limit: 1 } as const
    const page = bodyOf(
      await client.GET('/repos/{owner}/{repo}/activity', { params: { path: repositoryPath(), query } }),
    )
    expect(page).toMatchObject({ items: [changed], next_cursor: null, observed: { pull_requests: 'off' } })

    const archived = bodyOf(await client.POST('/repos/{owner}/{repo}/activity/{id}/archive', { params: { path } }))
    const read = bodyOf(await client.GET('/repos/{owner}/{repo}/activity/{id}', { params: { path } }))
    expect(read).toMatchObject({ ...archived, archived_reason: 'caller', pr_reminder_due: false })
  })

  it('creates, lists, changes and archives notables', async () => {
    const client = clientOf(repository.writer)
    const body = { title: 'Freeze', summary: 'Today.', importance: 'high', category: 'release' } as const
    const created = bodyOf(
      await client.POST('/repos/{owner}/{repo}/notables', { params: { path: repositoryPath() }, body }),
    )
    const path = { ...repositoryPath(), id: created.id }
    const query = { importance: 'high' } as const
    const list = bodyOf(
      await client.GET('/repos/{owner}/{repo}/notables', { params: { path: repositoryPath(), query } }),
    )
    expect(list.items).toEqual([created])
    const importance = { importance: 'low' } as const
    const changed = await client.PATCH('/repos/{owner}/{repo}/notables/{id}', { params: { path }, body: importance })
    expect(bodyOf(changed).importance).toBe('low')
    const archived = bodyOf(await client.POST('/repos/{owner}/{repo}/notables/{id}/archive', { params: { path } }))
    expect(archived.status).toBe('archived')
    const settings = bodyOf(await client.GET('/repos/{owner}/{repo}/settings', { params: { path: repositoryPath() } }))
    expect(settings.settings.activity_ttl_ms).toBe(86_400_000)
  })

  it('reads every error as the type Error', async () => {
    const path = { ...repositoryPath(), id: 'act_01h455vb4pex5vsknk084sn02q' }
    const absent = await clientOf(repository.writer).GET('/repos/{owner}/{repo}/activity/{id}', { params: { path } })
    const anonymous = await clientOf('').GET('/repos/{owner}/{repo}/activity/{id}', { params: { path } })
    const sent = { params: { path: repositoryPath() }, body: { ...work, title: '' } }
    const invalid = await clientOf(repository.writer).POST('/repos/{owner}/{repo}/activity', sent)
    const reader = await clientOf(repository.reader).POST('/repos/{owner}/{repo}/activity', sent)
    const seen = [absent, anonymous, invalid, reader].map(({ data, error, response }) => {
      const failed: Failed | undefined = error
      return [response.status, data, failed?.error.code]
    })
    expect(seen).toEqual([
      [404, undefined, 'not_found'],
      [401, undefined, 'unauthenticated'],
      [400, undefined, 'validation_failed'],
      [403, undefined, 'forbidden'],
    ])
    expect(invalid.error?.error.details).toMatchObject([{ field: 'title', code: 'too_short' }])
  })

  it('does not compile if the document says otherwise', () => {
    const client = clientOf('')
    const params = { path: { ...repositoryPath(), id: '' } }
    const wrong = () => [
      // @ts-expect-error There is no such risk.
      client.PATCH('/repos/{owner}/{repo}/activity/{id}', { params, body: { risk: 'x' } }),
      // @ts-expect-error A title is required.
      client.POST('/repos/{owner}/{repo}/activity', { params, body: { summary: '', actor: '' } }),
      // @ts-expect-error There is no such path.
      client.GET('/repos/{owner}/{repo}/nowhere', { params }),
    ]
    expect(wrong).toBeTypeOf('function')
  })
})
