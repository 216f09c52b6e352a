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

const where = () => ({ owner: repository.owner, repo: repository.name })

/** The body of what has to succeed, as its type says. */
function done<Answer>({ data, error }: { data?: Answer; error?: unknown }): Answer {
  expect(error).toBeUndefined()
  if (data === undefined) throw new Error('No body')
  return data
}

const work = { title: 'Rework the login', summary: 'Sessions move.', actor: 'Alice', scope: { paths: ['src/auth/**'] } }

describe('a client whose types come from the document', () => {
  it('announces, checks, keeps alive, changes and ends work', async () => {
    const client = clientOf(repository.writer)
    const created = await client.POST('/repos/{owner}/{repo}/activity', {
      params: { path: where(), header: { 'Idempotency-Key': 'one' } },
      body: work,
    })
    expect(created.response.status).toBe(201)
    const { activity, overlap } = done(created)
    expect([overlap.overlap_detected, activity.risk, activity.branch]).toEqual([false, 'low', null])

    const plan = { params: { path: where() }, body: { scope: { paths: ['src/auth/login.ts'] }, tags: ['auth'] } }
    const check = done(await client.POST('/repos/{owner}/{repo}/activity/check', plan))
    expect([check.severity, check.related_activity_ids]).toEqual(['medium', [activity.id]])
    expect(check.relationships[activity.id]).toBe('collision')

    const path = { ...where(), id: activity.id }
    service.clock.advance(60_000)
    const beat = done(await client.POST('/repos/{owner}/{repo}/activity/{id}/heartbeat', { params: { path } }))
    expect(beat.expires_at > activity.expires_at).toBe(true)

    const change = { status: 'paused', risk: 'high', branch: 'feat/login' } as const
    const changed = done(await client.PATCH('/repos/{owner}/{repo}/activity/{id}', { params: { path }, body: change }))
    expect(changed).toMatchObject(change)

    const query = { status: 'paused', has_pr: false, limit: 1 } as const
    const page = done(await client.GET('/repos/{owner}/{repo}/activity', { params: { path: where(), query } }))
    expect(page).toEqual({ items: [changed], next_cursor: null })

    const ended = done(await client.POST('/repos/{owner}/{repo}/activity/{id}/archive', { params: { path } }))
    const read = done(await client.GET('/repos/{owner}/{repo}/activity/{id}', { params: { path } }))
    expect(read).toMatchObject({ ...ended, archived_reason: 'caller', pr_reminder_due: false })
  })

  it('raises, lists, changes and ends notables', async () => {
    const client = clientOf(repository.writer)
    const body = { title: 'Freeze', summary: 'Today.', importance: 'high', category: 'release' } as const
    const raised = done(await client.POST('/repos/{owner}/{repo}/notables', { params: { path: where() }, body }))
    const path = { ...where(), id: raised.id }
    const query = { importance: 'high' } as const
    const list = done(await client.GET('/repos/{owner}/{repo}/notables', { params: { path: where(), query } }))
    expect(list.items).toEqual([raised])
    const importance = { importance: 'low' } as const
    const changed = await client.PATCH('/repos/{owner}/{repo}/notables/{id}', { params: { path }, body: importance })
    expect(done(changed).importance).toBe('low')
    const ended = done(await client.POST('/repos/{owner}/{repo}/notables/{id}/archive', { params: { path } }))
    expect(ended.status).toBe('archived')
    const settings = done(await client.GET('/repos/{owner}/{repo}/settings', { params: { path: where() } }))
    expect(settings.settings.activity_ttl_ms).toBe(86_400_000)
  })

  it('reads a refusal as an error of its type, whatever the status', async () => {
    const path = { ...where(), id: 'act_01h455vb4pex5vsknk084sn02q' }
    const absent = await clientOf(repository.writer).GET('/repos/{owner}/{repo}/activity/{id}', { params: { path } })
    const nobody = await clientOf('').GET('/repos/{owner}/{repo}/activity/{id}', { params: { path } })
    const sent = { params: { path: where() }, body: { ...work, title: '' } }
    const invalid = await clientOf(repository.writer).POST('/repos/{owner}/{repo}/activity', sent)
    const reader = await clientOf(repository.reader).POST('/repos/{owner}/{repo}/activity', sent)
    const seen = [absent, nobody, invalid, reader].map(({ data, error, response }) => {
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

  it('is stopped by the compiler where the document says otherwise', () => {
    const client = clientOf('')
    const params = { path: { ...where(), id: '' } }
    const wrong = () => [
      // @ts-expect-error No such word.
      client.PATCH('/repos/{owner}/{repo}/activity/{id}', { params, body: { risk: 'x' } }),
      // @ts-expect-error A title is required.
      client.POST('/repos/{owner}/{repo}/activity', { params, body: { summary: '', actor: '' } }),
      // @ts-expect-error There is no such path.
      client.GET('/repos/{owner}/{repo}/nowhere', { params }),
    ]
    expect(wrong).toBeTypeOf('function')
  })
})
