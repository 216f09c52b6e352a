import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Activity } from '../../../src/core/schemas/activity.ts'
import { Overlap } from '../../../src/core/schemas/overlap.ts'
import { isId } from '../../../src/service/lib/ids.ts'
import { errorOf, refusal } from '../../support/client.ts'
import { startTestService, type TestService, twoConnections } from '../../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService(twoConnections)
})
afterAll(() => service.stop())

const minimal = { title: 'Login', summary: 'Rework the login form.', actor: 'Alice' }

describe('POST /activity: 201', () => {
  it('records the work and answers the full activity with its overlap', async () => {
    const repository = service.newRepository()
    const answer = await repository.post('/activity', minimal)
    expect(answer.status).toBe(201)
    const { activity, overlap } = answer.body as { activity: unknown; overlap: unknown }
    const record = Activity.strict().parse(activity)
    expect(isId('act', record.id)).toBe(true)
    expect(record).toEqual({
      id: record.id,
      type: 'activity',
      ...minimal,
      agent: null,
      status: 'active',
      risk: 'low',
      branch: null,
      base_branch: null,
      scope: { areas: [], paths: [] },
      scope_changed: [],
      issues: [],
      issues_from: null,
      pr_url: null,
      draft_pr: false,
      blocking: false,
      heartbeat_at: null,
      expires_at: '2026-11-21T09:30:00.000Z',
      created_at: '2026-11-20T09:30:00.000Z',
      updated_at: '2026-11-20T09:30:00.000Z',
      archived_at: null,
      archived_reason: null,
      source: 'recorded',
      author_login: null,
      began_at: '2026-11-20T09:30:00.000Z',
      covered_by: null,
      changes: null,
    })
    expect(Overlap.strict().parse(overlap).overlap_detected).toBe(false)
    expect(answer.headers.get('location')).toBe(`/api/v1${repository.path}/activity/${record.id}`)
    expect((await repository.get(`/activity/${record.id}`)).body).toMatchObject(record)
  })

  it('keeps every field that was sent', async () => {
    const repository = service.newRepository()
    const sent = {
      ...minimal,
      agent: 'claude-code',
      branch: 'feat/login',
      base_branch: 'develop',
      scope: { areas: ['Auth', 'ÄÖ'], paths: ['src/auth/**', 'app/[id]/page.tsx'] },
      risk: 'critical',
      draft_pr: true,
      blocking: true,
    }
    expect((await repository.created('/activity', sent)).activity).toMatchObject(sent)
  })

  it('drops a leading refs/heads/ of a branch', async () => {
    const { activity } = await service.newRepository().created('/activity', {
      ...minimal,
      branch: 'refs/heads/feat/x',
      base_branch: 'refs/heads/refs/heads/y',
    })
    expect(activity).toMatchObject({ branch: 'feat/x', base_branch: 'refs/heads/y' })
  })

  it('takes null as no value', async () => {
    const { activity } = await service.newRepository().created('/activity', {
      ...minimal,
      agent: null,
      branch: null,
      base_branch: null,
      pr_url: null,
      scope: { areas: null, paths: null },
    })
    expect(activity).toMatchObject({ agent: null, branch: null, pr_url: null, scope: { areas: [], paths: [] } })
    expect((await service.newRepository().post('/activity', { ...minimal, scope: null })).status).toBe(201)
  })

  it('counts characters, not code units, and trims nothing', async () => {
    const title = ` ${'😀'.repeat(198)} `
    const { activity } = await service.newRepository().created('/activity', { ...minimal, title })
    expect(activity.title).toBe(title)
  })

  it('keeps the canonical URL of a pull request', async () => {
    const repository = service.newRepository()
    const base = `${service.pullRequestHost}/${repository.owner}/${repository.name}/pull/12`
    const { activity } = await repository.created('/activity', { ...minimal, pr_url: `${base}/files?w=1#diff` })
    expect(activity.pr_url).toBe(base)
  })
})

describe('POST /activity: 400', () => {
  const cases: [string, Record<string, unknown>, string[]][] = [
    ['a missing title', { title: undefined }, ['title required']],
    ['an empty title', { title: '' }, ['title too_short']],
    ['white space alone', { actor: ' \u00a0' }, ['actor invalid_value']],
    ['a line break in a title', { title: 'a\nb' }, ['title invalid_value']],
    ['201 characters', { title: 'x'.repeat(201) }, ['title too_long']],
    ['NUL', { summary: 'a\0b' }, ['summary invalid_value']],
    ['a lone surrogate', { summary: 'a\ud800' }, ['summary invalid_value']],
    ['a number for a text', { title: 7 }, ['title invalid_type']],
    ['null for a required text', { title: null }, ['title invalid_type']],
    ['null for a flag', { draft_pr: null }, ['draft_pr invalid_type']],
    ['an unknown risk', { risk: 'huge' }, ['risk invalid_value']],
    ['an unknown field', { tittle: 'x' }, ['tittle unknown_field']],
    ['an unknown part of the scope', { scope: { path: [] } }, ['scope.path unknown_field']],
    ['tags, which belong to the check', { tags: ['x'] }, ['tags unknown_field']],
    ['a scope that is a list', { scope: [] }, ['scope invalid_type']],
    ['101 areas', { scope: { areas: Array(101).fill('a') } }, ['scope.areas too_many']],
    ['101 paths', { scope: { paths: Array(101).fill('a') } }, ['scope.paths too_many']],
    ['a glob that does not parse', { scope: { paths: ['ok', 'src/{a'] } }, ['scope.paths[1] invalid_glob']],
    ['an empty branch', { branch: 'refs/heads/' }, ['branch too_short']],
    ['another host', { pr_url: 'https://example.com/a/b/pull/1' }, ['pr_url invalid_value']],
    ['an issue for a pull request', { pr_url: 'https://github.com/a/b/issues/1' }, ['pr_url invalid_value']],
    ['pull request 0', { pr_url: 'https://github.com/a/b/pull/0' }, ['pr_url invalid_value']],
    ['two faults', { title: '', risk: 'x' }, ['title too_short', 'risk invalid_value']],
  ]
  it.each(cases)('refuses %s', async (_name, change, details) => {
    const answer = await service.newRepository().post('/activity', { ...minimal, ...change })
    expect(refusal(answer)).toEqual({ status: 400, code: 'validation_failed', details })
  })

  it('refuses a field called __proto__', async () => {
    const raw = `{"__proto__": {"x": 1}, ${JSON.stringify(minimal).slice(1)}`
    const answer = await service.newRepository().call('POST', '/activity', { raw })
    expect(refusal(answer)).toEqual({ status: 400, code: 'validation_failed', details: ['__proto__ unknown_field'] })
  })

  it('says where a glob is wrong', async () => {
    const answer = await service.newRepository().post('/activity', { ...minimal, scope: { paths: ['src/../x'] } })
    expect(errorOf(answer).details?.[0]?.message).toMatch(/^"src\/\.\.\/x" at position 4: /)
  })

  it.each(['', '{', 'nul', '[1,]'])('refuses %j, which is no JSON', async (raw) => {
    const answer = await service.newRepository().call('POST', '/activity', { raw })
    expect(refusal(answer)).toEqual({ status: 400, code: 'invalid_json' })
  })

  it('refuses a body that is not UTF-8', async () => {
    const answer = await service.newRepository().call('POST', '/activity', { raw: new Uint8Array([0x22, 0xff, 0x22]) })
    expect(refusal(answer)).toEqual({ status: 400, code: 'invalid_json' })
  })

  it.each(['null', '[]', '"x"', '7'])('refuses %s for a body', async (raw) => {
    const answer = await service.newRepository().call('POST', '/activity', { raw })
    expect(refusal(answer)).toEqual({ status: 400, code: 'validation_failed', details: ['body invalid_type'] })
  })
})

describe('POST /activity: other refusals', () => {
  it('401 without a token', async () => {
    const answer = await service.newRepository().call('POST', '/activity', { body: minimal, token: null })
    expect(refusal(answer)).toEqual({ status: 401, code: 'unauthenticated' })
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  })

  it('403 for a caller who may only read', async () => {
    const repository = service.newRepository()
    const answer = await repository.post('/activity', minimal, { token: repository.reader })
    expect(refusal(answer)).toEqual({ status: 403, code: 'forbidden' })
  })

  it('404 for a caller who can not see the repository', async () => {
    const repository = service.newRepository()
    const answer = await repository.post('/activity', minimal, { token: repository.stranger })
    expect(refusal(answer)).toEqual({ status: 404, code: 'not_found' })
  })

  it('413 for more than 256 KiB, whatever its type', async () => {
    const repository = service.newRepository()
    const raw = `"${'x'.repeat(262_144)}"`
    const answer = await repository.call('POST', '/activity', { raw, headers: { 'content-type': 'text/plain' } })
    expect(refusal(answer)).toEqual({ status: 413, code: 'payload_too_large' })
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1', 'application/jsonp'])(
    '415 for a body that is %s',
    async (type) => {
      const answer = await service
        .newRepository()
        .call('POST', '/activity', { raw: JSON.stringify(minimal), headers: { 'content-type': type } })
      expect(refusal(answer)).toEqual({ status: 415, code: 'unsupported_media_type' })
    },
  )

  it('takes application/json with a charset of UTF-8, in any case', async () => {
    const headers = { 'content-type': 'Application/JSON; Charset=UTF-8' }
    const answer = await service.newRepository().call('POST', '/activity', { raw: JSON.stringify(minimal), headers })
    expect(answer.status).toBe(201)
  })
})
