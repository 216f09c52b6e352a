import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Clone, removeDirectories, sharedRepository } from '../support/command-line.ts'
import { noOverlap, type StubbedRequest, startServiceStub, stubbedActivity } from '../support/service-stub.ts'

let alice: Clone

afterAll(removeDirectories)
beforeEach(() => {
  const variables = { GITHUB_TOKEN: 'ghp_x', HEADSUP_HOOK_LIMIT_MS: '25000' }
  alice = sharedRepository('acme', 'shop').clone('Alice', variables, 'feat/42-login')
})

/** A service that stores the issues of its only activity. */
async function service(
  more: (request: StubbedRequest) => { status?: number; body: unknown } | undefined = () => undefined,
) {
  let activity: object = { ...stubbedActivity, issues: [] }
  const stub = await startServiceStub((request) => {
    const answer = more(request)
    if (answer) return answer
    const { call, body } = request
    if (!call.startsWith('PATCH') && call !== 'POST /activity')
      return call === 'GET /activity/act_1' ? { body: activity } : undefined
    const { issues, issues_from = null } = body
    if (issues) activity = { ...activity, issues, issues_from }
    return { body: call === 'POST /activity' ? { activity, overlap: noOverlap } : activity }
  })
  const run = (...args: string[]) => alice.headsup(args, { env: { HEADSUP_URL: stub.url } })
  /** The issues of the requests of this kind. */
  const issuesIn = (call: string) =>
    stub
      .sent(call)
      .map(({ repository, body: { issues, issues_from } }) =>
        [repository, issues ?? 'none', ...(issues_from === undefined ? [] : [issues_from])].join(' '),
      )
  return { ...stub, run, issuesIn }
}

const check = 'POST /activity/check'
const create = 'POST /activity'
const change = 'PATCH /activity/act_1'

describe('the issues of a check', () => {
  it('are that of the name of the branch, and this is told', async () => {
    const { run, issuesIn } = await service()
    expect((await run('check', 'src')).err).toBe(
      'Note: issue #42, from the branch’s name. --no-issue says otherwise.\n',
    )
    expect(issuesIn(check)).toEqual(['acme/shop 42 branch'])
    expect(JSON.parse((await run('check', '--json')).out)).toMatchObject({ issues: [42], issues_from: 'branch' })
    expect((await run('status')).err).toContain('issue #42')
    expect((await run('check', '--branch', 'main')).err).not.toContain('issue')
  })

  it('are those that are named, without a note', async () => {
    const { run, issuesIn } = await service()
    expect((await run('check', 'src', '--issue', '7', '--issue', '#8')).err).toBe('')
    expect((await run('check', 'src', '--no-issue')).err).toBe('')
    expect(issuesIn(check)).toEqual(['acme/shop 7,8', 'acme/shop '])
  })

  it('are those of the record where there is one, unless others are named', async () => {
    const { run, issuesIn } = await service()
    await run('start')
    expect((await run('check', 'src')).err).toBe('')
    await run('check', 'src', '--issue', '7')
    expect(issuesIn(check)).toEqual(['acme/shop none', 'acme/shop 7'])
  })

  it.each([
    [['--issue', 'login'], '--issue must be a whole number from 1 to 2147483647.'],
    [['--issue', '0'], '--issue must be a whole number from 1 to 2147483647.'],
    [['--issue', '2147483648'], '--issue must be a whole number from 1 to 2147483647.'],
    [['--issue', '7', '--no-issue'], '--issue and --no-issue exclude each other.'],
  ])('are refused where they are wrong: %j', async (flags, message) => {
    const { run } = await service()
    expect(await run('check', ...flags)).toMatchObject({ code: 2, err: `headsup: ${message}\n` })
  })
})

describe('the issues of recorded work', () => {
  it('are that of the name of the branch when it begins, and this is told', async () => {
    const { run, issuesIn } = await service()
    expect((await run('start')).out).toContain('\n  issue #42, from the branch’s name\n')
    expect(issuesIn(create)).toEqual(['acme/shop 42 branch'])
  })

  it('stay as they are when it is resumed, unless others are named', async () => {
    const { run, issuesIn } = await service()
    await run('start', '--issue', '7')
    await run('start')
    expect((await run('start', '--issue', '8', '--issue', '9')).out).toContain('\n  issues #8 and #9\n')
    await run('start', '--no-issue')
    expect(issuesIn(create)).toEqual(['acme/shop 7'])
    expect(issuesIn(change)).toEqual(['acme/shop none', 'acme/shop 8,9', 'acme/shop '])
  })

  it('are changed by an update, which checks them', async () => {
    const { run, issuesIn, sent } = await service()
    await run('start')
    expect((await run('update', '--issue', '7')).out).toContain('No overlap.')
    expect(issuesIn(change)).toEqual(['acme/shop 7'])
    expect(sent(check)).toHaveLength(1)
  })

  it('are recorded and told when an agent begins', async () => {
    const { url, issuesIn } = await service()
    const input = JSON.stringify({ session_id: 's1', cwd: alice.path, hook_event_name: 'SessionStart' })
    const { out } = await alice.headsup(['hook', 'claude'], { input, env: { HEADSUP_URL: url } })
    expect(out).toContain('recorded as act_1 (“Work”, issue #42, from the branch’s name).')
    expect(issuesIn(create)).toEqual(['acme/shop 42 branch'])
  })

  it('filter the list', async () => {
    const { run, requests } = await service()
    await run('list', '--issue', '#42', '--all')
    expect(requests.map(({ query }) => query.issue)).toEqual(['42', '42'])
  })
})

describe('in a fork without pull requests', () => {
  const observed = { pull_requests: 'current', unread: 0, parent: 'Upstream/shop' }
  const fork = ({ isKnown = true } = {}) =>
    service(({ repository, call, body: { issues = [] } }) => {
      if (repository !== 'acme/shop') return { body: noOverlap }
      if (call === 'GET /activity' && isKnown) return { body: { items: [], next_cursor: null, observed } }
      if (call === check) return { body: { ...noOverlap, observed } }
      const created = { activity: { ...stubbedActivity, issues }, overlap: { ...noOverlap, observed } }
      return call === create ? { status: 201, body: created } : undefined
    })

  it('issues go to the check in the parent alone, and never to the record of the fork', async () => {
    const { run, issuesIn, sent } = await fork()
    await run('start')
    // The list of what is observed on the branch says whose fork it is.
    expect(sent('GET /activity').map(({ query }) => query.limit)).toEqual(['100', '10'])
    await run('start', '--issue', '7')
    await run('update', '--issue', '8')
    expect(issuesIn(create)).toEqual(['acme/shop none'])
    expect(issuesIn(change)).toEqual(['acme/shop none', 'acme/shop none'])
    expect(issuesIn(check).filter((line) => line.startsWith('Upstream'))).toEqual([
      'Upstream/shop 42 branch',
      'Upstream/shop 7',
      'Upstream/shop 8',
    ])
  })

  it('issues do not stay in the record where the parent becomes known with the answer', async () => {
    const { run, issuesIn } = await fork({ isKnown: false })
    await run('start')
    expect(issuesIn(create)).toEqual(['acme/shop 42 branch'])
    expect(issuesIn(change)).toEqual(['acme/shop '])
    expect(issuesIn(check)).toEqual(['Upstream/shop 42 branch'])
  })

  it('issues that were named when work began go to later checks in the parent', async () => {
    const { run, issuesIn } = await fork()
    await run('start', '--issue', '7')
    await run('check', 'src')
    await run('update', '--issue', '8')
    await run('start')
    await run('update', '--no-issue')
    const inParent = issuesIn(check).filter((line) => line.startsWith('Upstream'))
    expect(inParent).toEqual(['7', '7', '8', '8', ''].map((issues) => `Upstream/shop ${issues}`))
  })
})

it('an older service that does not know blobs of files gets the request without them', async () => {
  const Files = z.object({ changes: z.object({ files: z.array(z.looseObject({ path: z.string() })) }) })
  const filesOf = (body: unknown) => Files.safeParse(body).data?.changes.files ?? []
  const { run, sent } = await service(({ body }) => {
    const details = filesOf(body).flatMap((file, at) =>
      'blob' in file
        ? [{ field: `changes.files[${at}].blob`, code: 'unknown_field', message: 'is not known here' }]
        : [],
    )
    if (details.length === 0) return undefined
    return { status: 400, body: { error: { code: 'validation_failed', message: 'No.', details } } }
  })
  alice.write('src/new.ts')
  expect(await run('check')).toMatchObject({ code: 0 })
  const [first, second] = sent(check).map(({ body }) => filesOf(body))
  expect(first).toMatchObject([{ path: 'src/new.ts', blob: expect.any(String) }])
  expect(second).toEqual(first?.map(({ blob: _, ...file }) => file))
})

describe('an older service that does not know issues', () => {
  const older = () =>
    service(({ body }) => {
      const details = ['issues', 'issues_from'].flatMap((field) =>
        field in body ? [{ field, code: 'unknown_field', message: 'is not known here' }] : [],
      )
      if (details.length === 0) return undefined
      return { status: 400, body: { error: { code: 'validation_failed', message: 'No.', details } } }
    })

  it('gets the request without them', async () => {
    const { run, issuesIn } = await older()
    expect(await run('check', 'src')).toMatchObject({ code: 0 })
    expect(await run('start')).toMatchObject({ code: 0, err: '' })
    expect(issuesIn(check)).toEqual(['acme/shop 42 branch', 'acme/shop none'])
    expect(issuesIn(create)).toEqual(['acme/shop 42 branch', 'acme/shop none'])
  })

  it('is named where issues were asked for', async () => {
    const { run } = await older()
    const note = 'Note: This service is older and does not know issues: they do not count.\n'
    expect(await run('check', 'src', '--issue', '7')).toMatchObject({ code: 0, err: note })
  })
})
