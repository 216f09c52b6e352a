import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { day, hour, minute, second } from '../../support/clock.ts'
import { openStream } from '../../support/event-stream.ts'
import { faults } from '../../support/github/faults.ts'
import type { Github } from '../../support/github/start.ts'
import type { TestService } from '../../support/service.ts'
import { changedFiles, newScene, type ObservedScene, startCallersService } from './callers-setup.ts'

let service: TestService
let github: Github
let scene: ObservedScene

beforeAll(async () => {
  service = await startCallersService()
  github = service.github
})
afterAll(() => service.stop())
beforeEach(async () => {
  scene = await newScene(service)
})

describe('a repository that was never read', () => {
  it('is read by the first list, which waits for it', async () => {
    await scene.openPulls(2)
    const items = await scene.listed()
    expect(items.map(({ source }) => source)).toEqual(['pull_request', 'pull_request'])
    expect(items[0]?.changes).toMatchObject({ by: 'github', files_total: 1 })
    expect(await scene.stateOf()).toMatchObject({ pull_requests: 'current', unread: 0 })
  })

  it('is read behind a request with Prefer: wait=0, which does not wait', async () => {
    await scene.openPulls(1)
    const hook = { headers: { prefer: 'wait=0' } }
    expect(await scene.listed(hook)).toEqual([])
    expect(await scene.stateOf({ waitMs: 0 })).toMatchObject({ pull_requests: 'reading', as_of: null })
    await expect.poll(() => scene.listed(hook)).toHaveLength(1)
    expect(scene.lists()).toHaveLength(1)
  })

  it('is not read by GET /settings, which does not wait', async () => {
    const { repository } = scene
    await scene.openPulls(1)
    const { body } = await repository.get('/settings')
    expect(body).toMatchObject({ service: { observed: { pull_requests: 'reading', as_of: null } } })
    expect(scene.lists()).toEqual([])
    expect(await scene.listed()).toHaveLength(1)
  })

  it('is read by the first check, which says what it collides with; a check of a hook does not wait', async () => {
    const { repository } = scene
    await scene.openPulls(1)
    const body = { changes: { files: [{ path: 'src/auth.ts', lines: [[11, 11]] }] } }
    const check = async (headers: Record<string, string>) =>
      (await repository.post('/activity/check', body, { headers })).body
    expect(await check({ prefer: 'wait=0' })).toMatchObject({
      overlap_detected: false,
      observed: { pull_requests: 'reading', as_of: null },
    })
    expect(await check({})).toMatchObject({
      severity: 'high',
      collisions: [{ actor: 'carol', source: 'pull_request' }],
      observed: { pull_requests: 'current', unread: 0 },
    })
  })

  it('is in lists, collisions and the snapshot of a stream, which say what is not read yet', async () => {
    const { repository } = scene
    await scene.openPulls(1)
    const told = async (headers: Record<string, string>) => {
      const [list, collisions] = await Promise.all(
        ['/activity', '/collisions'].map((path) => repository.get(path, { headers })),
      )
      return [list?.body, collisions?.body]
    }
    const notRead = { pull_requests: 'reading', as_of: null, unread: 0 }
    expect(await told({ prefer: 'wait=0' })).toMatchObject([{ observed: notRead }, { observed: notRead }])
    const read = { pull_requests: 'current', as_of: expect.any(String), unread: 0 }
    expect(await told({})).toMatchObject([{ observed: read }, { observed: read }])
    const stream = await openStream(`${service.url}/api/v1${repository.path}/events`, repository.writer)
    expect(await stream.data('snapshot')).toMatchObject([{ observed: read }])
    stream.close()
  })

  it('is read once for a burst of tokens', async () => {
    const { repository } = scene
    await scene.openPulls(3)
    const tokens = Array.from({ length: 40 }, (_, n) => {
      const token = github.addToken(`ghp_burst${n}of${repository.id}`, `burst${n}of${repository.id}`)
      github.allow(repository, token)
      return token
    })
    const answers = await Promise.all(tokens.map((token) => scene.listed({ token })))
    expect(answers.map((items) => items.length)).toEqual(tokens.map(() => 3))
    expect([scene.lists().length, scene.fileReads().length]).toEqual([1, 3])
  })

  it('is read once by two instances', async () => {
    await scene.openPulls(3)
    const other = await startCallersService({}, service)
    try {
      const there = other.as(scene.repository)
      const answers = await Promise.all([scene.listed(), scene.listed({}, there), scene.listed({}, there)])
      expect(answers.map((items) => items.length)).toEqual([3, 3, 3])
      expect([scene.lists().length, scene.fileReads().length]).toEqual([1, 3])
    } finally {
      await other.stop()
    }
  })

  it('is read as far as its 300 pull requests that were updated last', async () => {
    const { repository } = scene
    for (let number = 1; number <= 302; number++) {
      const updatedAt = new Date(service.clock.now().getTime() - number * second)
      await github.openPullRequest(repository, { head: `feature-${number}`, number, updatedAt, createdAt: updatedAt })
    }
    await scene.stateAndReading()
    const { rows } = await service.db.query<{ last: number; count: number }>(
      'select max(number) as last, count(*)::integer as count from pull_requests where repository_id = $1',
      [repository.id],
    )
    expect(rows).toEqual([{ last: 300, count: 300 }])
    expect(scene.requestsTo(/\/pulls\/1\/files/)).toHaveLength(1)
    expect(scene.requestsTo(/\/pulls\/300\/files/)).toEqual([])
  })
})

describe('a token that may not read pull requests', () => {
  it('sees no observed work and starts no reading', async () => {
    const { repository } = scene
    await scene.openPulls(1)
    const grants = { metadata: 'read', contents: 'read' } as const
    const token = github.addToken(`github_pat_blind${repository.id}`, `reader${repository.id}`, { grants })
    expect(await scene.listed({ token })).toEqual([])
    expect(await scene.stateOf({ token })).toMatchObject({ pull_requests: 'unavailable', as_of: null, unread: 0 })
    expect([scene.rights().length, scene.lists().length]).toEqual([1, 0])
    const [seen] = await scene.listed()
    expect(await scene.listed({ token })).toEqual([])
    expect((await repository.get(`/activity/${seen?.id}`, { token })).status).toBe(404)
    expect((await repository.get(`/activity/${seen?.id}`)).status).toBe(200)
  })

  it('is not limited in a public repository, where no request is made', async () => {
    await github.setPrivate(scene.repository, false)
    await scene.openPulls(1)
    expect(await scene.listed({ token: scene.repository.stranger })).toHaveLength(1)
    expect(scene.rights()).toEqual([])
  })
})

describe('the next reading', () => {
  it('is due after 60 s, and lists what was updated', async () => {
    await scene.openPulls(2)
    await scene.listed()
    service.clock.advance(minute - 1)
    await scene.stateAndReading()
    expect(scene.lists()).toHaveLength(1)
    await github.closePullRequest(scene.repository, 1)
    service.clock.advance(1)
    await scene.stateAndReading()
    expect(scene.lists()[1]).toContain('state=all')
    expect((await scene.listed()).map(({ pr_url }) => pr_url.split('/').at(-1))).toEqual(['2'])
  })

  it('archives recorded work after a merge', async () => {
    const { repository } = scene
    await github.openPullRequest(repository, { head: 'feature-1', files: changedFiles })
    const work = { title: 'Login', summary: 'Rework it.', actor: 'Alice', branch: 'feature-1' }
    const { activity } = await repository.created('/activity', work)
    await scene.stateAndReading()
    service.clock.advance(minute)
    await github.mergePullRequest(repository, 1)
    await scene.stateAndReading()
    const { body } = await repository.get(`/activity/${activity.id}`)
    expect(body).toMatchObject({ status: 'archived', archived_reason: 'merged' })
  })

  it('requests a pull request that is missing from the complete list, before its record may end', async () => {
    const { repository } = scene
    await scene.openPulls(2)
    await scene.listed()
    service.clock.advance(day)
    const dropFirst = (body: unknown) => (Array.isArray(body) ? body.slice(1) : body)
    github.fail(
      { kind: 'change', change: (reply) => ({ ...reply, body: dropFirst(reply.body) }) },
      { path: `${repository.path}/pulls`, times: 1 },
    )
    await scene.stateAndReading()
    expect(scene.requestsTo(/\/pulls\/\d+$/)).toHaveLength(1)
    expect(await scene.listed()).toHaveLength(2)
  })

  it('continues at once with the files that are left, for a caller who names files', async () => {
    await scene.openPulls(60)
    expect(await scene.stateAndReading()).toMatchObject({ pull_requests: 'current' })
    const before = scene.fileReads().length
    const token = scene.repository.otherWriter
    await scene.stateAndReading({ token })
    expect(scene.fileReads()).toHaveLength(before)
    await scene.stateAndReading({ token, namesFiles: true })
    expect(new Set(scene.fileReads()).size).toBe(60)
    expect(scene.lists()).toHaveLength(1)
    expect(await scene.stateOf()).toMatchObject({ unread: 0 })
  })
})

describe('the calls of readings', () => {
  it('are at most 100 an hour for each account, whatever its tokens', async () => {
    const { repository } = scene
    await scene.openPulls(60)
    const calls = () => scene.requestsTo(/\/pulls(\/\d+\/|\?.*state=)/).length
    await scene.stateAndReading()
    expect(calls()).toBe(100)
    const second = github.addToken(`ghp_second${repository.id}`, `writer${repository.id}`)
    for (const token of [repository.writer, second]) {
      service.clock.advance(minute)
      await scene.stateAndReading({ token, namesFiles: true })
    }
    expect(calls()).toBe(100)
    service.clock.advance(hour)
    await scene.stateAndReading({ token: second, namesFiles: true })
    expect(calls()).toBeGreaterThan(100)
  })

  it('are at most half of what is left of the rate limit of the token', async () => {
    const { repository } = scene
    await scene.openPulls(20)
    const limit = { limit: 5_000, used: 4_980, resetsAt: service.clock.now().getTime() + hour }
    const token = github.addToken(`ghp_poor${repository.id}`, `writer${repository.id}`, { limit })
    await scene.stateAndReading({ token })
    expect(scene.fileReads().length).toBeGreaterThan(0)
    expect(limit.limit - limit.used).toBeGreaterThanOrEqual(8)
  })
})

describe('what GitHub answers to a reading', () => {
  const toLists = () => ({ path: new RegExp(`^${scene.repository.path}/pulls\\?.*state=`) })

  it('makes the state stale from the first failed reading on, with its age', async () => {
    await scene.openPulls(1)
    const { as_of } = await scene.stateAndReading()
    service.clock.advance(minute)
    const mend = github.fail(faults.unicorn(), toLists())
    await scene.stateAndReading()
    expect(await scene.stateOf()).toMatchObject({ pull_requests: 'stale', as_of })
    expect(await scene.listed()).toHaveLength(1)
    mend()
    service.clock.advance(minute)
    await scene.stateAndReading()
    expect(await scene.stateOf()).toMatchObject({ pull_requests: 'current' })
  })

  it('leaves the state at reading where GitHub never answered', async () => {
    const { writer, otherWriter } = scene.repository
    github.fail(faults.unicorn(), toLists())
    for (const token of [writer, otherWriter]) {
      expect(await scene.stateAndReading({ token })).toMatchObject({ pull_requests: 'reading', as_of: null })
    }
  })

  it.each([
    ['a 401', faults.badCredentials()],
    ['a spent rate limit', faults.primaryLimit()],
    ['a secondary limit', faults.secondaryLimit()],
    ['a 403', faults.ipAllowList()],
    ['a 404', { kind: 'reply', reply: { status: 404, body: { message: 'Not Found' } } } as const],
  ])('leaves the access of the token as it was: %s', async (_, fault) => {
    const { repository } = scene
    await scene.openPulls(1)
    await repository.get('/notables')
    github.fail(fault, toLists())
    expect(await scene.stateAndReading()).toMatchObject({ pull_requests: 'reading' })
    expect(scene.lists()).toHaveLength(1)
    const others = service.newRepository()
    github.allow(others, repository.writer, 'write')
    expect((await others.get('/notables', { token: repository.writer })).status).toBe(200)
    expect((await repository.post('/activity/check', {})).status).toBe(200)
  })

  it('does not delay callers with other requests', async () => {
    await scene.openPulls(1)
    let release = () => {}
    const until = new Promise<void>((resolve) => {
      release = resolve
    })
    github.fail({ kind: 'hold', until }, { path: /\/pulls\?|\/user$/ })
    const impatient = await startCallersService({ times: { waitMs: 50 } }, service)
    try {
      expect(await scene.listed({}, impatient.as(scene.repository))).toEqual([])
      const others = impatient.newRepository()
      const tokens = [others.reader, others.writer, others.otherWriter]
      const answers = await Promise.all(tokens.map((token) => others.get('/notables', { token })))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    } finally {
      release()
      await impatient.stop()
    }
  })
})

describe('no reading is made', () => {
  it.each([
    ['enabled is false', { enabled: false }],
    ['pull requests are not observed', { observe: [] }],
  ])('where %s', async (_, settings) => {
    await scene.openPulls(1)
    expect(await scene.stateAndReading({ settings })).toMatchObject({ pull_requests: 'off' })
    expect([scene.lists().length, scene.rights().length]).toEqual([0, 0])
  })

  it('where the operator turned it off', async () => {
    await scene.openPulls(1)
    const other = await startCallersService({ observeWithCallers: false }, service)
    try {
      expect(await scene.stateAndReading({ from: other })).toMatchObject({ pull_requests: 'off' })
      expect(await scene.listed({}, other.as(scene.repository))).toEqual([])
      expect(scene.lists()).toEqual([])
    } finally {
      await other.stop()
    }
  })

  it('where the App reads the repository', async () => {
    const { id } = scene.repository
    await service.db.query('insert into observed_repositories (repository_id, by_app) values ($1, true)', [id])
    expect(await scene.stateAndReading()).toMatchObject({ pull_requests: 'reading' })
    expect(scene.lists()).toEqual([])
  })
})
