import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Overlap } from '../../../src/core/schemas/overlap.ts'
import { newId } from '../../../src/service/lib/ids.ts'
import { errorOf, refusal } from '../../support/client.ts'
import { hour, minute } from '../../support/clock.ts'
import { query } from '../../support/query.ts'
import { startTestService, type TestRepository, type TestService, twoConnections } from '../../support/service.ts'

let service: TestService
/** With enough connections for requests at the same time. */
let concurrent: TestService

beforeAll(async () => {
  service = await startTestService(twoConnections)
  concurrent = await startTestService()
})
afterAll(async () => {
  await service.stop()
  await concurrent.stop()
})

async function record(repository: TestRepository, fields: object = {}) {
  const body = { title: 'Login', summary: 'Rework the login form.', actor: 'Alice', ...fields }
  return (await repository.created('/activity', body)).activity
}

async function updated(repository: TestRepository, id: string, change: object): Promise<Record<string, unknown>> {
  const answer = await repository.patch(`/activity/${id}`, change)
  expect(answer.status).toBe(200)
  return answer.body as Record<string, unknown>
}

describe('PATCH /activity/{id}: 200', () => {
  it('changes the fields sent, and only those', async () => {
    const repository = service.newRepository()
    const before = await record(repository, { branch: 'a', scope: { areas: ['x'], paths: ['src/a.ts'] } })
    service.clock.advance(minute)
    const change = {
      risk: 'high',
      title: 'New',
      summary: 'New.',
      branch: 'b',
      base_branch: 'main',
      draft_pr: true,
      blocking: true,
    }
    const after = await updated(repository, before.id, change)
    expect(after).toEqual({ ...before, ...change, updated_at: service.clock.now().toISOString() })
    expect((await repository.get(`/activity/${before.id}`)).body).toMatchObject(after)
  })

  it('replaces the scope whole: a part left out is empty', async () => {
    const repository = service.newRepository()
    const { id } = await record(repository, { scope: { areas: ['x'], paths: ['src/a.ts'] } })
    expect(await updated(repository, id, { scope: { areas: ['y'] } })).toMatchObject({
      scope: { areas: ['y'], paths: [] },
    })
    expect(await updated(repository, id, { scope: {} })).toMatchObject({ scope: { areas: [], paths: [] } })
  })

  it('clears what null may clear', async () => {
    const repository = service.newRepository()
    const pr_url = `${service.pullRequestHost}/${repository.owner}/${repository.name}/pull/1`
    const { id } = await record(repository, { branch: 'a', base_branch: 'b', pr_url })
    const cleared = { branch: null, base_branch: null, pr_url: null }
    expect(await updated(repository, id, cleared)).toMatchObject(cleared)
  })

  it('changes nothing by {}, by heartbeat: false, or by what is there already, updated_at included', async () => {
    const repository = service.newRepository()
    const before = await record(repository, { branch: 'a', scope: { paths: ['x'] } })
    service.clock.advance(minute)
    expect(await updated(repository, before.id, {})).toEqual(before)
    expect(await updated(repository, before.id, { heartbeat: false })).toEqual(before)
    const same = { title: before.title, branch: 'a', scope: { paths: ['x'] }, status: 'active', risk: 'low' }
    expect(await updated(repository, before.id, same)).toEqual(before)
  })

  it('extends the lifetime by heartbeat: true', async () => {
    const repository = service.newRepository()
    const { id } = await record(repository)
    service.clock.advance(hour)
    const now = service.clock.now()
    expect(await updated(repository, id, { heartbeat: true, risk: 'high' })).toMatchObject({
      risk: 'high',
      heartbeat_at: now.toISOString(),
      expires_at: new Date(now.getTime() + 24 * hour).toISOString(),
    })
  })

  it('moves live work to ended, and stamps only archived', async () => {
    const repository = service.newRepository()
    const merged = await record(repository)
    expect(await updated(repository, merged.id, { status: 'merged' })).toMatchObject({
      status: 'merged',
      archived_at: null,
    })
    service.clock.advance(minute)
    expect(await updated(repository, merged.id, { status: 'archived' })).toMatchObject({
      status: 'archived',
      archived_at: service.clock.now().toISOString(),
      archived_reason: 'merged',
    })
    const abandoned = await record(repository)
    await updated(repository, abandoned.id, { status: 'abandoned' })
    expect(await updated(repository, abandoned.id, { status: 'archived' })).toMatchObject({ archived_reason: 'caller' })
  })

  it('applies the status first, and then the heartbeat, which revives nothing', async () => {
    const repository = service.newRepository()
    const { id } = await record(repository)
    service.clock.advance(hour)
    const ended = await updated(repository, id, { status: 'abandoned', heartbeat: true })
    expect(ended).toMatchObject({ status: 'abandoned', heartbeat_at: service.clock.now().toISOString() })
  })

  it('still changes other fields of what has ended', async () => {
    const repository = service.newRepository()
    const { id } = await record(repository)
    await repository.post(`/activity/${id}/archive`)
    expect(await updated(repository, id, { summary: 'Done.' })).toMatchObject({ summary: 'Done.', status: 'archived' })
  })

  it('writes the archiving of work whose time is over before it changes anything', async () => {
    const repository = service.newRepository()
    const { id, expires_at } = await record(repository)
    service.clock.advance(25 * hour)
    const expired = { status: 'archived', archived_at: expires_at, archived_reason: 'expired' }
    expect(await updated(repository, id, { heartbeat: true, title: 'Late' })).toMatchObject({
      ...expired,
      title: 'Late',
    })
    expect((await repository.get(`/activity/${id}`)).body).toMatchObject(expired)
  })

  it('lets anybody who may write change it', async () => {
    const repository = service.newRepository()
    const { id } = await record(repository)
    const answer = await repository.patch(`/activity/${id}`, { risk: 'high' }, { token: repository.otherWriter })
    expect(answer).toMatchObject({ status: 200, body: { risk: 'high' } })
  })

  it('loses neither of two changes of different fields that run at once', async () => {
    const repository = concurrent.newRepository()
    for (let round = 0; round < 10; round++) {
      const { id } = await record(repository)
      const changes = [
        { risk: 'high' },
        { branch: 'b' },
        { title: 'T' },
        { heartbeat: true },
        { scope: { areas: ['x'] } },
      ]
      await Promise.all(changes.map((change) => updated(repository, id, change)))
      expect((await repository.get(`/activity/${id}`)).body).toMatchObject({
        risk: 'high',
        branch: 'b',
        title: 'T',
        scope: { areas: ['x'] },
        heartbeat_at: concurrent.clock.now().toISOString(),
      })
    }
  })

  it('saves the link that it was sent, although it was set before and another request changes it meanwhile', async () => {
    const repository = concurrent.newRepository()
    const pullRequest = (number: number) =>
      `${concurrent.pullRequestHost}/${repository.owner}/${repository.name}/pull/${number}`
    const { id } = await record(repository, { pr_url: pullRequest(1) })
    const other = await concurrent.db.pool.connect()
    try {
      await other.query('begin')
      await other.query('update activities set pr_url = $2, pr_number = 2 where id = $1', [id, pullRequest(2)])
      const answer = updated(repository, id, { title: 'Log in', pr_url: pullRequest(1) })
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      const url = concurrent.db.pool.options.connectionString ?? ''
      await expect.poll(() => query(url, waiting), { interval: 5 }).toHaveLength(1)
      await other.query('commit')
      expect(await answer).toMatchObject({ title: 'Log in', pr_url: pullRequest(1) })
    } finally {
      other.release(true)
    }
  })

  it('lets one of two ends win, and refuses the other', async () => {
    const repository = concurrent.newRepository()
    for (let round = 0; round < 10; round++) {
      const { id } = await record(repository)
      const answers = await Promise.all(
        ['merged', 'abandoned'].map((status) => repository.patch(`/activity/${id}`, { status })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    }
  })
})

describe('PATCH /activity/{id}: 409', () => {
  it('names the status and the allowed ones, and applies nothing of the PATCH', async () => {
    const repository = service.newRepository()
    const { id } = await record(repository)
    await updated(repository, id, { status: 'merged' })
    const answer = await repository.patch(`/activity/${id}`, { status: 'active', title: 'Revived', heartbeat: true })
    expect(refusal(answer)).toEqual({ status: 409, code: 'invalid_transition' })
    expect(errorOf(answer).allowed).toEqual(['archived'])
    expect(errorOf(answer).message).toContain('merged')
    expect((await repository.get(`/activity/${id}`)).body).toMatchObject({ title: 'Login', heartbeat_at: null })
  })

  it('refuses the status expired', async () => {
    const repository = service.newRepository()
    const { id } = await record(repository)
    const answer = await repository.patch(`/activity/${id}`, { status: 'expired' })
    expect(refusal(answer)).toEqual({ status: 409, code: 'invalid_transition' })
    expect(errorOf(answer).allowed).not.toContain('expired')
    expect(errorOf(answer).allowed).not.toContain('active')
  })

  it('keeps the archiving of work whose time is over, though the move is refused', async () => {
    const repository = service.newRepository()
    const { id } = await record(repository)
    service.clock.advance(25 * hour)
    expect((await repository.patch(`/activity/${id}`, { status: 'paused' })).status).toBe(409)
    const { rows } = await service.db.query('select status from activities where id = $1', [id])
    expect(rows).toEqual([{ status: 'archived' }])
  })
})

describe('PATCH /activity/{id}: other refusals', () => {
  it.each([
    ['an unknown field', { actor: 'Bob' }, ['actor unknown_field']],
    ['null for a title', { title: null }, ['title invalid_type']],
    ['null for a scope', { scope: null }, ['scope invalid_type']],
    ['null for paths', { scope: { paths: null } }, ['scope.paths invalid_type']],
    ['a heartbeat that is no boolean', { heartbeat: 'true' }, ['heartbeat invalid_type']],
    ['an unknown status', { status: 'done' }, ['status invalid_value']],
    ['a pull request elsewhere', { pr_url: 'http://github.com/a/b/pull/1' }, ['pr_url invalid_value']],
  ])('400 for %s, also where the record does not exist', async (_name, change, details) => {
    const answer = await service.newRepository().patch(`/activity/${newId('act')}`, change)
    expect(refusal(answer)).toEqual({ status: 400, code: 'validation_failed', details })
  })

  it('404 for what does not exist, is no id, is a notable, or is in another repository', async () => {
    const repository = service.newRepository()
    const { id } = await record(service.newRepository())
    for (const missing of [newId('act'), 'nonsense', 'a%00b', newId('ntb'), id, `${id}%0A`]) {
      const answer = await repository.patch(`/activity/${missing}`, { risk: 'high' })
      expect(refusal(answer)).toEqual({ status: 404, code: 'not_found' })
    }
  })

  it('403 for a reader', async () => {
    const repository = service.newRepository()
    const { id } = await record(repository)
    const answer = await repository.patch(`/activity/${id}`, {}, { token: repository.reader })
    expect(refusal(answer)).toEqual({ status: 403, code: 'forbidden' })
  })

  it('400 without a body', async () => {
    const repository = service.newRepository()
    const { id } = await record(repository)
    expect(refusal(await repository.call('PATCH', `/activity/${id}`))).toEqual({ status: 400, code: 'invalid_json' })
  })
})

describe('PATCH /activity/{id}?overlap=true', () => {
  it('answers the activity and what it collides with after the change', async () => {
    const repository = service.newRepository()
    const scope = { paths: ['src/a.ts'] }
    const other = await repository.created('/activity', { title: 'x', summary: 'x', actor: 'bob', branch: 'b', scope })
    const { id } = await record(repository)
    const plain = await repository.patch(`/activity/${id}?overlap=false`, { scope })
    expect(plain.body).toMatchObject({ id, scope })
    const { status, body } = await repository.patch(`/activity/${id}?overlap=true`, { scope })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      activity: { id, scope },
      overlap: { overlap_detected: true, related_activity_ids: [other.activity.id] },
    })
    expect((await repository.patch(`/activity/${id}?overlap=1`, {})).status).toBe(400)
  })

  it('reports the overlap to at least one of two that begin on the same file at the same time', async () => {
    const repository = concurrent.newRepository()
    const started = async (branch: string) =>
      (await repository.created('/activity', { title: 'x', summary: 'x', actor: branch, branch })).activity.id
    const ids = [await started('one'), await started('two')]
    const changes = { files: [{ path: 'src/a.ts', lines: [[5, 9]] }] }
    const both = await Promise.all(ids.map((id) => repository.patch(`/activity/${id}?overlap=true`, { changes })))
    const told = both.filter(({ body }) => (body as { overlap: Overlap }).overlap.overlap_detected)
    expect(told.length).toBeGreaterThan(0)
  })
})
