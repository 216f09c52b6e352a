import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { tools } from '../../../src/service/api/mcp/tools.ts'
import type { Log } from '../../../src/service/lib/log.ts'
import { faults } from '../../support/github/faults.ts'
import { connectModel, eras, type ModelClient } from '../../support/mcp.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService
let repository: TestRepository
let where: { repository: string }
let model: ModelClient
let logged: string[] = []

const save = (fields: object, message: string) => logged.push(JSON.stringify({ ...fields, message }))
const log: Log = { debug: save, info: save, warn: save, error: save }

beforeAll(async () => {
  service = await startTestService({
    log,
    permissionCacheMs: 0,
    settings: { disabled_notable_categories: ['release'] },
  })
})
afterAll(() => service.stop())
beforeEach(async () => {
  repository = service.newRepository()
  where = { repository: `${repository.owner}/${repository.name}` }
  model = await connectModel(service.url, repository.writer)
  logged = []
})
afterEach(async () => {
  service.github.heal()
  await model.close()
})

const work = { title: 'Rework', summary: 'The login.', actor: 'Alice' }
const notable = { title: 'Freeze', summary: 'Today.', importance: 'high', category: 'warning' }
const refused = (tool: string, args: object) => model.refused(tool, { ...where, ...args })

const reading = tools.filter(({ route }) => route.access === 'read')
const writing = tools.filter(({ route }) => route.access === 'write')
const someArguments = { activity_id: 'act_01h455vb4pex5vsknk084sn02q', notable_id: 'ntb_01h455vb4pex5vsknk084sn02q' }
const argumentsOf = ({ idArgument }: (typeof tools)[number]) =>
  idArgument ? { ...where, [idArgument]: someArguments[idArgument] } : where

describe('an invalid argument', () => {
  it.each(eras)('is named in protocol version %s, with what to do, and nothing is saved', async (era) => {
    const pinned = await connectModel(service.url, repository.writer, era)
    const text = await pinned.refused('start_activity', {
      ...where,
      ...work,
      title: '',
      scope: { paths: ['src/fine/**', '../escape'] },
      colour: 'red',
    })
    await pinned.close()
    const [first, ...lines] = text.split('\n')
    expect(first).toMatch(/^validation_failed: /)
    expect(lines).toContain('error.details:')
    expect(text).toContain('- title (too_short): ')
    expect(text).toContain('- scope.paths[1] (invalid_glob): ')
    expect(text).toContain('- colour (unknown_field): is not known here')
    expect(lines.at(-2)).toBe('What to do: Correct every field that error.details names, then send the request again.')
    expect(lines.at(-1)).toMatch(/^request_id: [\w-]+$/)
    expect((await repository.page('/activity')).items).toEqual([])
  })

  it('is named with all others, also without a repository, and with the field that may be meant', async () => {
    const text = await model.refused('start_activity', { title: 7, paths: ['src/**'], sumary: 'x', actor: 'Alice' })
    expect(text.split('\n').filter((line) => line.startsWith('- '))).toEqual([
      '- repository (required): is required',
      '- title (invalid_type): must be a string',
      '- summary (required): is required',
      '- paths (unknown_field): is not known here. Did you mean scope.paths?',
      '- sumary (unknown_field): is not known here. Did you mean summary?',
    ])
    const listing = await model.refused('list_activities', { limit: 'ten', statsu: 'active' })
    expect(listing).toContain('- repository (required)')
    expect(listing).toContain('- limit (invalid_type): must be an integer')
  })

  it.each(tools.map((tool) => [tool.name, tool] as const))('that is unknown to %s is refused', async (name, tool) => {
    const text = await model.refused(name, { ...argumentsOf(tool), zzz: 1, ['__proto__']: 1 })
    expect(text).toContain('- zzz (unknown_field)')
    expect(text).toContain('- __proto__ (unknown_field)')
  })

  it.each(tools.map(({ name }) => name))('that is required for the path is named: %s', async (name) => {
    const text = await model.refused(name, {})
    expect(text).toContain('- repository (required): is required')
    const { idArgument } = tools.find((tool) => tool.name === name) ?? {}
    if (idArgument) expect(text).toContain(`- ${idArgument} (required): is required`)
  })

  it.each(['hello', 'https://github.com/acme/hello', 'acme/', ' acme/hello', 7, null])(
    'is the repository %j',
    async (wrong) => {
      expect(await refused('list_activities', { repository: wrong })).toMatch(
        /- repository \((invalid_value|invalid_type)\)/,
      )
    },
  )

  it.each([
    ['start_activity', { ...work, idempotency_key: 7 }, 'idempotency_key (invalid_type)'],
    ['start_activity', { ...work, idempotency_key: 'a b' }, 'idempotency_key (invalid_value)'],
    ['raise_notable', { ...notable, idempotency_key: '' }, 'idempotency_key (invalid_value)'],
    [
      'update_activity',
      { activity_id: someArguments.activity_id, idempotency_key: 'k' },
      'idempotency_key (unknown_field)',
    ],
    ['list_activities', { limit: 0 }, 'limit (invalid_value)'],
    ['list_activities', { limit: 1.5 }, 'limit (invalid_value)'],
    ['list_activities', { has_pr: 'perhaps' }, 'has_pr (invalid_type)'],
    ['list_activities', { actor: 7 }, 'actor (invalid_type)'],
    ['list_activities', { limit: { toString: '' } }, 'limit (invalid_type)'],
    ['list_activities', { actor: null }, 'actor (invalid_type)'],
    ['list_notables', { category: ['warning'] }, 'category (invalid_value)'],
    ['check_overlap', { activity_id: someArguments.activity_id }, 'activity_id (invalid_value)'],
    ['get_activity', { activity_id: 7 }, 'activity_id (invalid_type)'],
  ])('of %s: %j', async (tool, args, fault) => {
    expect(await refused(tool, args)).toContain(`- ${fault}: `)
  })
})

describe('an argument of a query', () => {
  it('must have the type in the schema of the tool', async () => {
    const text = await refused('list_activities', { limit: null, has_pr: 'true', draft_pr_only: 1 })
    expect(text).toContain('- limit (invalid_type): must be an integer\n')
    expect(text).toContain('- has_pr (invalid_type): must be a boolean\n')
    expect(text).toContain('- draft_pr_only (invalid_type): must be a boolean\n')
    expect(await refused('list_notables', { limit: '2' })).toContain('- limit (invalid_type): must be an integer\n')
  })
})

describe('a token', () => {
  it.each(writing.map((tool) => [tool.name, tool] as const))(
    'that may only read is refused by %s',
    async (name, tool) => {
      const reader = await connectModel(service.url, repository.reader)
      const text = await reader.refused(name, argumentsOf(tool))
      await reader.close()
      expect(text).toMatch(/^forbidden: /)
      expect(text).toContain('What to do: Use a token with write access.')
    },
  )

  it('that may only read may read and check', async () => {
    const reader = await connectModel(service.url, repository.reader)
    expect(await reader.done('check_overlap', where)).toMatchObject({ overlap_detected: false })
    expect(await reader.done('list_notables', where)).toMatchObject({ items: [] })
    await reader.close()
  })

  it.each(tools.map((tool) => [tool.name, tool] as const))(
    'that may not see the repository gets not_found from %s',
    async (name, tool) => {
      const stranger = await connectModel(service.url, repository.stranger)
      const hidden = await stranger.refused(name, argumentsOf(tool))
      const absent = await stranger.refused(name, { ...argumentsOf(tool), repository: 'acme/nowhere' })
      await stranger.close()
      const withoutId = (text: string) => text.replace(/request_id: .*/, '')
      expect(hidden).toMatch(/^not_found: /)
      expect(withoutId(hidden)).toBe(withoutId(absent))
    },
  )

  it('that GitHub refuses is invalid_token', async () => {
    service.github.revoke(repository.writer)
    const text = await refused('list_activities', {})
    expect(text).toMatch(/^invalid_token: /)
    expect(text).toContain('What to do: Get a new one')
  })

  it('that requires single sign-on gets the URL for it', async () => {
    service.github.fail(faults.sso(), { token: repository.writer })
    const text = await refused('list_activities', {})
    expect(text).toMatch(/^sso_required: /)
    expect(text).toContain('X-GitHub-SSO: required; url=https://github.com/orgs/acme/sso')
  })

  it('that has used up its rate limit gets Retry-After', async () => {
    service.github.fail(faults.secondaryLimit(17), { token: repository.writer })
    const text = await refused('list_activities', {})
    expect(text).toMatch(/^github_rate_limited: /)
    expect(text).toContain('\nRetry-After: 17\n')
  })

  it('is refused while GitHub is unavailable', async () => {
    service.github.fail(faults.unicorn(), { token: repository.writer })
    const text = await refused('list_activities', {})
    expect(text).toMatch(/^github_unavailable: /)
    expect(text).toMatch(/\nRetry-After: \d+\n/)
  })
})

describe('a record', () => {
  it.each(
    reading
      .concat(writing)
      .filter(({ idArgument }) => idArgument)
      .map((tool) => [tool.name, tool] as const),
  )('of another repository is not found by %s', async (name, tool) => {
    const other = service.newRepository()
    const { activity } = await other.created('/activity', work)
    const { id } = await other.raised()
    const ids = { activity_id: activity.id, notable_id: id }
    const own = tool.idArgument ? { [tool.idArgument]: ids[tool.idArgument] } : {}
    expect(await refused(name, own)).toMatch(/^not_found: /)
    expect((await other.get(`/activity/${activity.id}`)).body).toMatchObject({ status: 'active' })
    expect((await other.get(`/notables/${id}`)).body).toMatchObject({ status: 'active' })
  })

  it('that has ended names the statuses that it may move to', async () => {
    const { activity } = await repository.created('/activity', work)
    await repository.patch(`/activity/${activity.id}`, { status: 'merged' })
    const text = await refused('update_activity', { activity_id: activity.id, status: 'active' })
    expect(text).toMatch(/^invalid_transition: /)
    expect(text).toContain('\nerror.allowed: archived\n')
    await repository.post(`/activity/${activity.id}/archive`)
    const again = await refused('update_activity', { activity_id: activity.id, status: 'active' })
    expect(again).toContain('\nerror.allowed: (none)\n')
    expect(again).toContain('create a new one')
  })
})

describe('a create', () => {
  it('with the key of another create is refused', async () => {
    await model.done('start_activity', { ...where, ...work, idempotency_key: 'one' })
    const text = await refused('start_activity', { ...work, title: 'Another', idempotency_key: 'one' })
    expect(text).toMatch(/^idempotency_key_reused: /)
    expect(text).toContain('What to do: Use a new key')
  })

  it('with a category that the repository disables is refused', async () => {
    const text = await refused('raise_notable', { ...notable, category: 'release' })
    expect(text).toMatch(/^category_not_allowed: /)
  })
})

describe('a cursor', () => {
  it('from other filters is refused', async () => {
    await service.fill(repository, 2)
    const page = await model.done<{ next_cursor: string }>('list_activities', { ...where, limit: 1 })
    const text = await refused('list_activities', { limit: 1, risk: 'high', cursor: page.next_cursor })
    expect(text).toMatch(/^invalid_cursor: /)
    expect(text).toContain('- cursor (invalid_value)')
  })
})

describe('a tool', () => {
  it.each(eras)('that does not exist is an error of the protocol in version %s', async (era) => {
    const pinned = await connectModel(service.url, repository.writer, era)
    await expect(pinned.call('delete_everything', where)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('check_overlap'),
    })
    await pinned.close()
  })
})

describe('an unexpected error', () => {
  it('is logged with the request id, and does not reveal internals', async () => {
    await service.db.query('alter table activities rename to activities_away')
    const text = await refused('list_activities', {}).finally(() =>
      service.db.query('alter table activities_away rename to activities'),
    )
    expect(text).toMatch(/^internal_error: Something went wrong on our side\.\nWhat to do: /)
    expect(text).not.toMatch(/relation|select|activities_away|at \w+\./i)
    const [, requestId] = /request_id: (.*)$/.exec(text) ?? []
    const line = logged.find((entry) => entry.includes('request failed'))
    expect(JSON.parse(line ?? '{}')).toMatchObject({ request_id: requestId, code: 'internal_error' })
    expect(line).toContain('42P01')
  })
})
