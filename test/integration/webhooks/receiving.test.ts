import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import examples from '@octokit/webhooks-examples' with { type: 'json' }
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isHandled } from '../../../src/service/github/app.ts'
import { call, refusal } from '../../support/client.ts'
import { minute } from '../../support/clock.ts'
import { deliver, pullRequestPayload, repositoryPayload, secret, sign } from '../../support/deliveries.ts'
import { connect } from '../../support/query.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ webhookSecret: secret })
})
afterAll(() => service.stop())

async function record(repository: TestRepository): Promise<string> {
  const work = { title: 'Login', summary: 'Rework it.', actor: 'Alice', branch: 'feat' }
  return (await repository.created('/activity', work)).activity.id
}

async function status(repository: TestRepository, id: string): Promise<unknown> {
  return ((await repository.get(`/activity/${id}`)).body as { status: string }).status
}

function deletion(repository: TestRepository) {
  return { ref: 'feat', ref_type: 'branch', repository: repositoryPayload(repository) }
}

describe('a delivery', () => {
  it.each([
    ['unsigned', { 'x-hub-signature-256': '' }, 400],
    ['signed with another secret', { 'x-hub-signature-256': sign('{}', 'guess') }, 400],
    ['signed with nonsense', { 'x-hub-signature-256': 'sha256=zz' }, 400],
    [
      'signed with SHA-1',
      { 'x-hub-signature-256': '', 'x-hub-signature': 'sha1=7d38cdd689735b008b3c702edd92eea23791c5f6' },
      400,
    ],
    ['of another content type', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['of an event without a name', { 'x-github-event': '' }, 400],
    ['without a GUID', { 'x-github-delivery': '' }, 400],
    ['under a GUID that is none', { 'x-github-delivery': 'x'.repeat(201) }, 400],
  ])('that is %s is refused, and does nothing', async (_name, headers, expected) => {
    const repository = service.newRepository()
    const id = await record(repository)
    expect(refusal(await deliver(service, 'delete', deletion(repository), { headers })).status).toBe(expected)
    expect(await status(repository, id)).toBe('active')
  })

  it('without X-GitHub-Event is refused', async () => {
    const body = '{}'
    const headers = { 'x-github-delivery': randomUUID(), 'x-hub-signature-256': sign(body) }
    const answer = await call(`${service.url}/api/github/webhooks`, { method: 'POST', raw: body, headers })
    expect(refusal(answer)).toMatchObject({ status: 400, details: ['X-GitHub-Event required'] })
  })

  it('whose body was changed on the way is refused', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    const signed = sign(JSON.stringify({ ...deletion(repository), ref: 'other' }))
    const response = await deliver(service, 'delete', deletion(repository), {
      headers: { 'x-hub-signature-256': signed },
    })
    expect(response.status).toBe(400)
    expect(await status(repository, id)).toBe('active')
  })

  it('of 26 MB is refused before its signature is checked', async () => {
    const headers = { 'x-hub-signature-256': 'sha256=00' }
    const response = await deliver(service, 'delete', `{"x":"${'x'.repeat(26 * 1024 * 1024)}"}`, { headers })
    expect(refusal(response)).toEqual({ status: 413, code: 'payload_too_large' })
  })

  it('of 26 MB without a Content-Length is refused', async () => {
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
    const sending = request(`${service.url}/api/github/webhooks`, { method: 'POST', headers })
    for (let n = 0; n < 26; n++) sending.write(Buffer.alloc(1024 * 1024))
    sending.end()
    const [response] = await once(sending, 'response')
    expect(response).toMatchObject({ statusCode: 413 })
  })

  it('that is empty is refused', async () => {
    expect(refusal(await deliver(service, 'delete', ''))).toMatchObject({ status: 400, code: 'validation_failed' })
  })

  it('of several MB is handled', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    const response = await deliver(service, 'delete', { ...deletion(repository), padding: 'x'.repeat(5_000_000) })
    expect(response.status).toBe(200)
    expect(await status(repository, id)).toBe('archived')
  })

  it.each(['ping', 'star', 'nonsense'])('of the event %j is acknowledged and ignored', async (event) => {
    expect(await deliver(service, event, { zen: 'x' })).toMatchObject({ status: 200, body: { outcome: 'ignored' } })
  })

  it.each([
    ['an action that does nothing', 'pull_request', 'labeled'],
    ['an action that GitHub does not have', 'repository', 'closed'],
    ['an event that names an action, which no event of GitHub does', 'pull_request.closed', 'closed'],
    ['an event named as an own name of Probot', 'error', 'closed'],
    ['an event named as a property of every object', '__proto__', 'closed'],
  ])('of %s is ignored, and not recorded', async (_name, event, action) => {
    const repository = service.newRepository()
    const id = await record(repository)
    const guid = randomUUID()
    const merged = pullRequestPayload(repository, action, { merged: true, state: 'closed' })
    expect((await deliver(service, event, merged, { guid })).body).toEqual({ outcome: 'ignored' })
    const { rowCount } = await service.db.query('select 1 from webhook_deliveries where guid = $1', [guid])
    expect(rowCount).toBe(0)
    expect(await status(repository, id)).toBe('active')
  })

  it('that is signed but of another shape, or no JSON, is refused', async () => {
    expect(refusal(await deliver(service, 'delete', { ref: 7 }))).toMatchObject({
      status: 400,
      code: 'validation_failed',
    })
    expect(refusal(await deliver(service, 'delete', '{'))).toMatchObject({ status: 400, code: 'invalid_json' })
    for (const payload of ['null', '7', '"x"', '[]', '{}', '{"ref":"refs/heads/x"}'])
      expect(refusal(await deliver(service, 'push', payload))).toMatchObject({ status: 400 })
  })

  it.each([
    ['an action that is no text', { action: { toString: '' } }],
    ['an installation that is none', { installation: 'x' }],
    ['an installation whose id is a text', { installation: { id: 'x' } }],
    ['an installation whose id is an object', { installation: { id: { toString: '' } } }],
  ])('with %s is refused, though only Probot reads it', async (_name, changes) => {
    const repository = service.newRepository()
    const id = await record(repository)
    const response = await deliver(service, 'delete', { ...deletion(repository), ...changes })
    expect(refusal(response)).toMatchObject({ status: 400, code: 'validation_failed' })
    expect(await status(repository, id)).toBe('active')
  })

  it.each([
    ['no action and no installation', { action: null, installation: null }],
    ['an installation without an id', { installation: { id: null } }],
  ])('with %s is handled', async (_name, changes) => {
    const delivery = { ...deletion(service.newRepository()), ...changes }
    expect((await deliver(service, 'delete', delivery)).body).toEqual({ outcome: 'handled' })
  })

  it('is only accepted by POST', async () => {
    expect((await service.call('GET', '/api/github/webhooks')).status).toBe(405)
  })

  it('has no path without a secret', async () => {
    const without = await startTestService()
    expect((await deliver(without, 'delete', {})).status).toBe(404)
    await without.stop()
  })
})

describe('exactly once', () => {
  it('a second delivery with the same GUID changes nothing', async () => {
    const repository = service.newRepository()
    const guid = randomUUID()
    await deliver(service, 'delete', deletion(repository), { guid })
    const id = await record(repository)
    expect((await deliver(service, 'delete', deletion(repository), { guid })).body).toEqual({ outcome: 'duplicate' })
    expect(await status(repository, id)).toBe('active')
    expect((await deliver(service, 'delete', deletion(repository))).body).toEqual({ outcome: 'handled' })
    expect(await status(repository, id)).toBe('archived')
  })

  it('of ten concurrent ones on two instances, one is handled', async () => {
    const second = await startTestService({ sharedWith: service, webhookSecret: secret })
    const repository = service.newRepository()
    await record(repository)
    const guid = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => deliver(n % 2 ? service : second, 'delete', deletion(repository), { guid })),
    )
    const outcomes = answers.map(({ body }) => (body as { outcome: string }).outcome).sort()
    expect(outcomes).toEqual([...Array(9).fill('duplicate'), 'handled'])
    await second.stop()
  })

  it('one that fails because the database is down gets a 500, and is handled when it is redelivered', async () => {
    const own = await startTestService({ webhookSecret: secret })
    const repository = own.newRepository()
    const id = await record(repository)
    const { rows } = await own.db.query<{ name: string }>('select current_database() as name')
    const admin = await connect(own.adminUrl)
    const database = admin.escapeIdentifier(rows[0]?.name ?? '')
    await admin.query(`alter database ${database} allow_connections false`)
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [rows[0]?.name])
    const guid = randomUUID()
    expect(refusal(await deliver(own, 'delete', deletion(repository), { guid }))).toMatchObject({ status: 500 })
    await admin.query(`alter database ${database} allow_connections true`)
    await admin.end()
    expect((await deliver(own, 'delete', deletion(repository), { guid })).body).toEqual({ outcome: 'handled' })
    expect(await status(repository, id)).toBe('archived')
    await own.stop()
  })

  it('events out of order end the same: merged, whichever comes first', async () => {
    for (const order of [
      ['merge', 'delete', 'open'],
      ['delete', 'merge', 'open'],
      ['open', 'delete', 'merge'],
    ]) {
      const repository = service.newRepository()
      const id = await record(repository)
      const merged_at = service.clock.now().toISOString()
      const merged = { merged: true, state: 'closed', merged_at }
      const events: Record<string, () => Promise<unknown>> = {
        merge: () => deliver(service, 'pull_request', pullRequestPayload(repository, 'closed', merged)),
        delete: () => deliver(service, 'delete', deletion(repository)),
        open: () => deliver(service, 'pull_request', pullRequestPayload(repository, 'opened')),
      }
      for (const name of order) await events[name]?.()
      expect((await repository.get(`/activity/${id}`)).body).toMatchObject({ archived_reason: 'merged' })
      service.clock.advance(minute)
    }
  })
})

describe('GitHub’s own examples', () => {
  const Examples = z.array(z.object({ name: z.string(), examples: z.array(z.looseObject({})) }))
  const handled = ['pull_request', 'delete', 'push', 'repository', 'installation', 'installation_repositories']
  const cases = Examples.parse(examples)
    .filter(({ name }) => handled.includes(name))
    .flatMap(({ name, examples: payloads }) => payloads.map((payload, n) => [name, n, payload] as const))

  it('exist for every registered event', () => {
    expect(new Set(cases.map(([name]) => name))).toEqual(new Set(handled))
  })

  const isOurs = ([name, , payload]: (typeof cases)[number]) => isHandled(name, String(payload.action))

  it.each(cases.filter(isOurs))('%s, example %i, is handled', async (name, _n, payload) => {
    expect(await deliver(service, name, payload)).toMatchObject({ status: 200, body: { outcome: 'handled' } })
  })

  it.each(cases.filter((one) => !isOurs(one)))('%s, example %i, is ignored', async (name, _n, payload) => {
    expect(await deliver(service, name, payload)).toMatchObject({ status: 200, body: { outcome: 'ignored' } })
  })

  it('are handled or ignored by their action', () => {
    const handled = cases.filter(isOurs).map(([name, , { action }]) => (action ? `${name}.${String(action)}` : name))
    expect(handled).toEqual(expect.arrayContaining(['pull_request.closed', 'repository.renamed', 'delete', 'push']))
    expect(handled.length).toBeLessThan(cases.length)
  })
})
