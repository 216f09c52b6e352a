import nock from 'nock'
import type { Pool } from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { activityChanged, notableChanged } from '../../src/service/checks/changed.ts'
import { beginCheckRun, endCheckRun, runAgain } from '../../src/service/checks/check-runs.ts'
import { checkRunJob } from '../../src/service/checks/write-check-runs.ts'
import { octokitOf } from '../../src/service/github/octokit.ts'
import { newId } from '../../src/service/records/ids.ts'
import { defaultSettings } from '../../src/service/records/settings.ts'
import { githubApiUrl, githubServerUrl } from '../support/github.ts'
import { addPull, closePull, modified, type Pull } from '../support/github-server/data.ts'
import { type Observed, openRows, startReadings } from '../support/pulls.ts'

let rows: Awaited<ReturnType<typeof openRows>>
let github: Observed
let repository_id: bigint
/** The bodies of what was written, the oldest first. */
let written: { method: string; body: Record<string, never> & { output: { title: string; summary: string } } }[]

beforeAll(async () => {
  rows = await openRows()
})
beforeEach(async () => {
  github = await startReadings(rows.prisma)
  repository_id = BigInt(github.repository.id)
  await rows.prisma.repository.update({
    where: { repository_id },
    data: { installation_id: 7, suites_off_at: new Date() },
  })
  written = []
  answerCheckRuns()
})
afterEach(() => nock.cleanAll())
afterAll(() => rows.close())

function answerCheckRuns(status = 201): void {
  const at = `/repos/acme/${github.repository.name}/check-runs`
  const note = (method: string) => (_uri: string, body: unknown) => {
    written.push({ method, body: body as (typeof written)[number]['body'] })
    return [
      status,
      status < 400 ? { id: 100 + written.length } : { message: 'Resource not accessible by integration' },
    ] as const
  }
  nock(githubApiUrl).persist().post(at).reply(note('POST'))
  nock(githubApiUrl)
    .persist()
    .patch((uri) => uri.startsWith(`${at}/`))
    .reply(note('PATCH'))
}

/** Reads what is open, begins check runs for these, and writes what is due until nothing is. */
async function run(...begun: Pull[]): Promise<void> {
  await github.read()
  const { prisma } = github
  for (const { number, head } of begun)
    await beginCheckRun(prisma, { repository_id, number, head_sha: head.sha }, github.clock.now)
  await write()
}

async function write(): Promise<void> {
  const job = checkRunJob({
    // Probot's would wait for a second before each write.
    octokitOf: async () => octokitOf('ghs_7', githubApiUrl),
    ...{ appId: 1, prisma: github.prisma, pool: rows.pool as Pool, now: () => github.clock.now },
    ...{ defaults: { ...defaults, values: github.settings }, githubServerUrl, retentionMs: 86_400_000 },
    ...{ publicUrl: 'https://headsup.example', log: pino({ level: 'silent' }) },
  })
  for (let times = 0; times < 3; times++) await job.run(null, async () => {})
}

const defaults = defaultSettings({ activityTtlMs: 86_400_000, notableTtlMs: 604_800_000 })

function titles(): string[] {
  return written.map(({ body }) => body.output.title)
}

async function raise(changed: object) {
  const now = github.clock.now
  const texts = { title: 'Release freeze', summary: 'Until Monday', category: 'release', importance: 'high' } as const
  const lists = { supersedes: [], areas: [], paths: [] }
  const times = { created_at: now, updated_at: now, expires_at: new Date(now.getTime() + 86_400_000) }
  const data = {
    repository_id,
    id: newId('ntb', now),
    status: 'active',
    blocking: true,
    ...texts,
    ...lists,
    ...times,
  } as const
  const row = await github.prisma.notable.create({ data: { ...data, ...changed } })
  await notableChanged(context(), row)
  return row
}

function context() {
  const repository = { ...github.reading.observing.repository, isPublic: true, parent: null }
  return { prisma: github.prisma, repository, now: () => github.clock.now }
}

describe('§10 the check run', () => {
  it('is written completed, as success where nothing overlaps, with advice and a link to the page', async () => {
    const pull = addPull(github.repository, { files: [modified('src/a.ts', [1, 3])] })
    await run(pull)
    expect(written).toMatchObject([
      {
        method: 'POST',
        body: { name: 'Headsup', head_sha: pull.head.sha, status: 'completed', conclusion: 'success' },
      },
    ])
    expect(titles()).toEqual(['No overlap with work in flight'])
    const summary = written[0]?.body.output.summary ?? ''
    expect(summary).toContain("Advice: this check never fails. Don't make it required.")
    expect(summary).toContain(`https://headsup.example/acme/${github.repository.name}`)
  })

  it('tells both sides, the earlier one too, and their end', async () => {
    const first = addPull(github.repository, { author: 'alice', files: [modified('src/a.ts', [1, 3])] })
    await run(first)
    const second = addPull(github.repository, { author: 'bob', files: [modified('src/a.ts', [2, 5])] })
    await run(second)
    expect(titles()).toEqual(['No overlap with work in flight', 'Same lines as #1 (alice)', 'Same lines as #2 (bob)'])
    expect(written.map(({ method }) => method)).toEqual(['POST', 'POST', 'PATCH'])
    expect(written[1]?.body).toMatchObject({ conclusion: 'neutral' })
    closePull(second, false)
    second.updatedAt = new Date(Date.now() + 5_000)
    await github.read()
    await endCheckRun(github.prisma, repository_id, 2, github.clock.now)
    await activityChanged(context(), { id: await recordOf(2), pr_number: null })
    await write()
    expect(titles().at(-1)).toBe('No overlap with work in flight')
  })

  it('is not written again where neither its title nor a row of its table changes', async () => {
    const pull = addPull(github.repository, { files: [modified('src/a.ts', [1, 3])] })
    await run(pull)
    await activityChanged(context(), { id: await recordOf(1), pr_number: 1 })
    await write()
    expect(written).toHaveLength(1)
    await runAgain(github.prisma, repository_id, pull.head.sha, github.clock.now)
    await write()
    expect(written.map(({ method }) => method)).toEqual(['POST', 'PATCH'])
  })

  it('of strangers alone leaves it success', async () => {
    const head = { owner: 'mallory', repositoryId: 99 }
    const stranger = { author: 'mallory', association: 'NONE', head } as const
    addPull(github.repository, { ...stranger, title: '@everybody look', files: [modified('src/a.ts', [2, 5])] })
    const mine = addPull(github.repository, { author: 'alice', files: [modified('src/a.ts', [1, 3])] })
    await run(mine)
    expect(written[0]?.body).toMatchObject({ conclusion: 'success' })
    expect(written[0]?.body.output.summary).not.toContain('everybody')
    expect(written[0]?.body.output.summary).toContain('from outside')
  })

  it('says a freeze first, on every open pull request, and forgets it when it ends', async () => {
    const pulls = [addPull(github.repository), addPull(github.repository, { files: [modified('b', [1, 1])] })]
    await run(...pulls)
    const notable = await raise({ applies_until: new Date('2100-11-30T12:00:00Z'), expires_at: new Date('2100-12-01') })
    await write()
    expect(titles().slice(2)).toEqual(['“Release freeze” until 2100-11-30', '“Release freeze” until 2100-11-30'])
    expect(written.at(-1)?.body).toMatchObject({ conclusion: 'neutral' })
    const where = { repository_id_id: { repository_id, id: notable.id } }
    const archived = await github.prisma.notable.update({
      where,
      data: { status: 'archived', archived_at: new Date() },
    })
    await notableChanged(context(), archived)
    await write()
    expect(titles().slice(4)).toEqual(['No overlap with work in flight', 'No overlap with work in flight'])
  })

  it('is looked at again when what it names expires', async () => {
    const pull = addPull(github.repository, { files: [modified('b', [1, 1])] })
    const until = new Date(Date.now() + 60_000)
    await github.read()
    await raise({ expires_at: until })
    await run(pull)
    const where = { repository_id_number: { repository_id, number: 1 } }
    expect(await github.prisma.checkRun.findUnique({ where })).toMatchObject({ due_at: until })
    github.clock.now = new Date(until.getTime() + 1)
    await write()
    expect(titles().at(-1)).toBe('No overlap with work in flight')
  })

  it('waits for the files of its head, and is of the new head after a push', async () => {
    const pull = addPull(github.repository, { files: [modified('a', [1, 1])] })
    const { commits } = pull
    pull.commits = []
    await run(pull)
    expect(written).toEqual([])
    pull.commits = commits
    github.clock.now = new Date(github.clock.now.getTime() + 61_000)
    await run()
    expect(written).toHaveLength(1)
  })

  it('is not written for drafts with `ready`, nor with `off`', async () => {
    github.settings.pull_request_report = 'ready'
    const [draft, ready] = [addPull(github.repository, { isDraft: true }), addPull(github.repository)]
    await run(draft, ready)
    expect(written.map(({ body }) => body)).toMatchObject([{ head_sha: ready.head.sha }])
    github.settings.pull_request_report = 'off'
    await runAgain(github.prisma, repository_id, ready.head.sha, github.clock.now)
    await write()
    expect(written).toHaveLength(1)
  })

  it('of two pull requests of one head is written by the lower number', async () => {
    const first = addPull(github.repository)
    const second = addPull(github.repository, { head: first.head, base: 'release' })
    await run(first, second)
    expect(written).toHaveLength(1)
    await endCheckRun(github.prisma, repository_id, first.number, github.clock.now)
    await write()
    expect(written).toHaveLength(2)
  })

  it('without the permission is not tried again, and the settings say so', async () => {
    nock.removeInterceptor({
      hostname: 'api.github.com',
      path: `/repos/acme/${github.repository.name}/check-runs`,
      method: 'POST',
      proto: 'https',
    })
    answerCheckRuns(403)
    await run(addPull(github.repository))
    const where = { repository_id }
    expect(await github.prisma.repository.findUnique({ where })).toMatchObject({ may_write_checks: false })
    await write()
    expect(written).toHaveLength(1)
  })
})

async function recordOf(number: number): Promise<string> {
  const where = { repository_id, pr_number: number }
  return (await github.prisma.activity.findFirstOrThrow({ where, orderBy: { id: 'desc' } })).id
}
