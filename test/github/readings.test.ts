import nock from 'nock'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { archiveActivity } from '../../src/service/records/activities/update.ts'
import { githubApiUrl } from '../support/github.ts'
import { addPull, closePull, modified, newSha, type Pull } from '../support/github-server/data.ts'
import { type Observed, openRows, startReadings } from '../support/pulls.ts'

let rows: Awaited<ReturnType<typeof openRows>>
let github: Observed
let repository_id: bigint
beforeAll(async () => {
  rows = await openRows()
})
beforeEach(async () => {
  github = await startReadings(rows.prisma)
  repository_id = BigInt(github.repository.id)
})
afterEach(() => nock.cleanAll())
afterAll(() => rows.close())

/** The observed records, the newest last. */
function records() {
  return github.prisma.activity.findMany({
    where: { repository_id, source: 'pull_request' },
    orderBy: [{ pr_number: 'asc' }, { id: 'asc' }],
  })
}

async function theRecord() {
  const found = await records()
  expect(found).toHaveLength(1)
  const [record] = found
  if (!record) throw new Error('there is no record')
  return record
}

async function pullRow(number = 1) {
  return github.prisma.pullRequest.findUniqueOrThrow({ where: { repository_id_number: { repository_id, number } } })
}

/** Moves on as GitHub does: facts of an older second change nothing. */
function change(pull: Pull, changed: Partial<Pull>): void {
  Object.assign(pull, { updatedAt: new Date(pull.updatedAt.getTime() + 2_000) }, changed)
}

function push(pull: Pull, files: Pull['files']): void {
  const head = { ...pull.head, sha: newSha() }
  change(pull, { head, files, commits: [...pull.commits, { sha: head.sha, committedAt: new Date() }] })
}

describe('§8 an open pull request that was read', () => {
  it('is an activity with the fields that GitHub says, and its files and lines', async () => {
    const body = 'Fixes #42, and `closes #43` is code.'
    const opened = addPull(github.repository, {
      ...{
        title: 'Rework\tthe login',
        body,
        author: 'copilot',
        isDraft: true,
        openedAt: new Date('2026-01-02T03:04:05Z'),
      },
      files: [modified('src/a.ts', [3, 4], [9, 8])],
    })
    await github.read()
    const record = await theRecord()
    expect(record).toMatchObject({
      ...{ title: 'Rework the login', summary: 'Pull request #1: 1 file', actor: 'copilot', agent: 'copilot' },
      ...{
        status: 'draft-pr-open',
        risk: 'low',
        branch: 'branch-1',
        base_branch: 'main',
        draft_pr: true,
        areas: [],
        paths: [],
      },
      ...{ pr_url: `https://github.com/acme/${github.repository.name}/pull/1`, pr_number: 1, author_login: 'copilot' },
      ...{ issues: [42], changes_by: 'github', changes_head: opened.head.sha, changes_total: 1, expires_at: null },
      ...{ changes_commits: [opened.head.sha], began_at: new Date('2026-01-02T03:04:05Z') },
    })
    const files = await github.prisma.changedFile.findMany({ where: { repository_id } })
    expect(files).toMatchObject([{ path: 'src/a.ts', status: 'modified', has_lines: true, lines: [3, 4, 9, 8] }])
    expect(await pullRow()).toMatchObject({
      read_head: opened.head.sha,
      read_after: null,
      attempts: 0,
      is_outsider: false,
    })
  })

  it('costs one list where nothing changed', async () => {
    addPull(github.repository)
    await github.read()
    const { updated_at } = await theRecord()
    github.asked.length = 0
    await github.read()
    expect(github.asked).toHaveLength(1)
    expect((await theRecord()).updated_at).toEqual(updated_at)
  })

  it('follows its title, base, draft state and issues', async () => {
    const pull = addPull(github.repository)
    await github.read()
    change(pull, { title: 'Another', base: 'release', isDraft: true, body: 'closes #7' })
    await github.read()
    expect(await theRecord()).toMatchObject({
      title: 'Another',
      base_branch: 'release',
      status: 'draft-pr-open',
      issues: [7],
    })
    expect(await pullRow()).toMatchObject({ read_base: 'release' })
  })

  it('gets the files of its new head, and only what differs is written', async () => {
    const pull = addPull(github.repository, { files: [modified('a', [1, 1]), modified('b', [1, 1])] })
    await github.read()
    push(pull, [modified('b', [1, 1]), modified('c', [5, 5])])
    await github.read()
    const files = await github.prisma.changedFile.findMany({ where: { repository_id }, orderBy: { path: 'asc' } })
    expect(files.map(({ path }) => path)).toEqual(['b', 'c'])
    expect(await theRecord()).toMatchObject({ changes_head: pull.head.sha, summary: 'Pull request #1: 2 files' })
  })

  it('of a fork has the owner before the branch, and is of an outsider', async () => {
    const head = { owner: 'mallory', branch: 'patch-1', repositoryId: 77 }
    addPull(github.repository, { author: 'mallory', association: 'NONE', head })
    addPull(github.repository, { author: 'gone', association: 'CONTRIBUTOR', head: { ...head, repositoryId: null } })
    addPull(github.repository, { author: 'ann', association: 'COLLABORATOR', head })
    await github.read()
    expect((await records()).map(({ branch }) => branch)).toContain('mallory:patch-1')
    expect([(await pullRow(1)).is_outsider, (await pullRow(2)).is_outsider, (await pullRow(3)).is_outsider]).toEqual([
      true,
      true,
      false,
    ])
  })

  it('of an ignored author or of a merge queue is not observed, and ends when it is not any more', async () => {
    addPull(github.repository, { author: 'dependabot[bot]' })
    addPull(github.repository, { head: { branch: 'gh-readonly-queue/main/pr-1' } })
    addPull(github.repository, { author: 'carl' })
    await github.read()
    expect(await theRecord()).toMatchObject({ author_login: 'carl', ended_at: null })
    github.settings.ignored_authors = [...github.settings.ignored_authors, 'Carl']
    await github.read()
    expect(await theRecord()).toMatchObject({ status: 'archived', archived_reason: 'closed' })
  })
})

describe('§8 its end', () => {
  it('is that of a merge or a close, which the next reading finds', async () => {
    const [merged, closed] = [addPull(github.repository), addPull(github.repository)]
    await github.read()
    closePull(merged, true)
    closePull(closed, false)
    change(merged, {})
    change(closed, {})
    await github.read()
    const ended = await records()
    expect(ended.map(({ status, archived_reason }) => [status, archived_reason])).toEqual([
      ['archived', 'merged'],
      ['archived', 'closed'],
    ])
  })

  it('is no absence from the list: GitHub is asked by number, and a 404 closes it', async () => {
    const [first, second] = [addPull(github.repository), addPull(github.repository)]
    await github.read()
    const { state } = first
    // Missing in the list, and open when one asks for it.
    nock.cleanAll()
    const at = `/repos/acme/${github.repository.name}/pulls`
    const shape = { base: { ref: 'main', repo: { id: github.repository.id, private: false } } }
    nock(githubApiUrl).get(at).query(true).reply(200, [])
    nock(githubApiUrl).get(`${at}/${second.number}`).reply(404, {})
    nock(githubApiUrl)
      .get(`${at}/${first.number}`)
      .reply(200, {
        ...{
          number: 1,
          title: 'Change 1',
          body: null,
          state,
          draft: false,
          user: { login: 'bob' },
          author_association: 'MEMBER',
        },
        ...{ created_at: first.openedAt, updated_at: first.updatedAt, closed_at: null, merged_at: null, ...shape },
        head: { ref: 'branch-1', sha: first.head.sha, repo: { id: github.repository.id }, user: { login: 'acme' } },
      })
    await github.read()
    expect((await records()).map(({ archived_reason }) => archived_reason)).toEqual([null, 'closed'])
  })

  it('is final: a reopened one gets a new record', async () => {
    const pull = addPull(github.repository, { files: [modified('a', [1, 1])] })
    await github.read()
    closePull(pull, false)
    change(pull, {})
    await github.read()
    change(pull, { state: 'open', closedAt: null })
    await github.read()
    const [ended, live] = await records()
    expect(ended).toMatchObject({ archived_reason: 'closed' })
    expect(live).toMatchObject({ ended_at: null, changes_total: 1 })
  })

  it('by a merge archives the recorded work of its branch', async () => {
    const pull = addPull(github.repository)
    const at = new Date(Date.now() - 60_000)
    const texts = {
      title: 'Mine',
      summary: 'Mine',
      actor: 'bob',
      status: 'active',
      risk: 'low',
      blocking: false,
    } as const
    const lists = { areas: [], paths: [], issues: [], changes_commits: [] }
    const times = { began_at: at, created_at: at, updated_at: at, expires_at: new Date(Date.now() + 3_600_000) }
    await github.prisma.activity.create({
      data: { repository_id, id: 'act_1', ...texts, ...lists, ...times, branch: 'branch-1', draft_pr: false },
    })
    await github.read()
    const where = { repository_id_id: { repository_id, id: 'act_1' } }
    expect(await github.prisma.activity.findUnique({ where })).toMatchObject({
      pr_number: 1,
      status: 'ready-for-review',
    })
    closePull(pull, true)
    change(pull, {})
    await github.read()
    expect(await github.prisma.activity.findUnique({ where })).toMatchObject({ archived_reason: 'merged' })
  })
})

describe('§8 put aside by a caller', () => {
  async function putAside() {
    const { id, repository_id } = await theRecord()
    const { prisma, clock } = github
    const repository = { ...github.reading.observing.repository, isPublic: true, parent: null }
    const context = {
      prisma,
      repository,
      now: () => clock.now,
      purgedUntil: () => new Date(0),
      login: async () => 'ann',
      seesPulls: async () => true,
    }
    await archiveActivity(context as unknown as Parameters<typeof archiveActivity>[0], id)
    return { id, repository_id }
  }

  it('it stays so, also when it is edited, until its next push', async () => {
    const pull = addPull(github.repository)
    await github.read()
    await putAside()
    change(pull, { title: 'Another title' })
    await github.read()
    await github.read()
    expect(await theRecord()).toMatchObject({ archived_reason: 'caller' })
    expect(await pullRow()).toMatchObject({ put_aside_head: pull.head.sha, read_after: null })
    push(pull, [])
    await github.read()
    expect((await records()).map(({ archived_reason }) => archived_reason)).toEqual(['caller', null])
  })
})

describe('§8 what GitHub says late or wrong', () => {
  it('facts of an older second change nothing, and of one second the end counts', async () => {
    const pull = addPull(github.repository)
    await github.read()
    Object.assign(pull, { title: 'Older', updatedAt: new Date(pull.updatedAt.getTime() - 5_000) })
    await github.read()
    expect(await theRecord()).toMatchObject({ title: 'Change 1' })
  })

  it('a list of another repository, one that is none, and one that breaks off end nothing', async () => {
    addPull(github.repository)
    await github.read()
    const at = `/repos/acme/${github.repository.name}/pulls`
    for (const [status, body] of [
      [200, '{"message": "nonsense"}'],
      [200, '[{"number": 1'],
      [502, 'Bad gateway'],
      [200, '[{"number": 9, "base": {"repo": {"id": 1}}}]'],
    ] as const) {
      nock.cleanAll()
      nock(githubApiUrl).get(at).query(true).reply(status, body, { 'content-type': 'application/json' })
      await expect(github.read()).rejects.toThrow()
      expect(await theRecord()).toMatchObject({ ended_at: null })
    }
  })

  it('a head that moves while it is read keeps nothing, and is read again', async () => {
    const pull = addPull(github.repository, { files: [modified('a', [1, 1])] })
    const before = pull.head.sha
    // The push comes between list and files.
    pull.commits = [{ sha: newSha(), committedAt: new Date() }]
    await github.read()
    expect(await theRecord()).toMatchObject({ changes_by: null, summary: 'Pull request #1' })
    const row = await pullRow()
    expect(row).toMatchObject({ read_head: null, head_sha: before, attempts: 1 })
    expect(row.read_after?.getTime()).toBe(github.clock.now.getTime() + 60_000)
  })

  it('a head that can not be read is tried eight times, after 1 to 64 minutes', async () => {
    const pull = addPull(github.repository)
    pull.commits = []
    const delays: (number | null)[] = []
    await github.read()
    for (let tries = 1; tries <= 8; tries++) {
      const { read_after, attempts } = await pullRow()
      expect(attempts).toBe(tries)
      delays.push(read_after && (read_after.getTime() - github.clock.now.getTime()) / 60_000)
      github.clock.now = read_after ?? github.clock.now
      await github.read()
    }
    expect(delays.map((minutes) => minutes && Math.round(minutes))).toEqual([1, 2, 4, 8, 16, 32, 64, null])
  })
})

describe('§8 large pull requests', () => {
  it('of 3,000 files and more than 250 commits are read as far as GitHub lists them', async () => {
    const files = Array.from({ length: 3_200 }, (_, index) => modified(`src/${index}.ts`, [1, 1]))
    const pull = addPull(github.repository, { files })
    pull.commits = Array.from({ length: 300 }, () => ({ sha: newSha(), committedAt: new Date() }))
    await github.read()
    expect(await theRecord()).toMatchObject({ changes_total: 3_200, changes_head: pull.head.sha })
    expect(await github.prisma.changedFile.count({ where: { repository_id } })).toBe(3_000)
    expect(await github.prisma.changedFile.count({ where: { repository_id, has_lines: true } })).toBe(300)
  })

  it('keep renamed and binary files as what they are', async () => {
    addPull(github.repository, {
      files: [
        { filename: 'new.ts', previous_filename: 'old.ts', status: 'renamed', additions: 0, deletions: 0 },
        { filename: 'logo.png', status: 'modified', additions: 0, deletions: 0 },
        { filename: 'large.ts', status: 'modified', additions: 9_000, deletions: 1 },
        { filename: 'added.ts', status: 'added', additions: 2, deletions: 0, patch: '@@ -0,0 +1,2 @@\n+a\n+b' },
      ],
    })
    await github.read()
    const files = await github.prisma.changedFile.findMany({ where: { repository_id }, orderBy: { path: 'asc' } })
    expect(files.map(({ path, status, has_lines, lines }) => [path, status, has_lines && lines])).toEqual([
      ['added.ts', 'added', [1, 0]],
      ['large.ts', 'modified', false],
      ['logo.png', 'modified', []],
      ['new.ts', 'renamed', false],
      ['old.ts', 'left', false],
    ])
  })
})

describe('§8 many open pull requests', () => {
  it('beyond the pages that are read count as not listed, and those that fall out are forgotten', async () => {
    for (let count = 0; count < 105; count++) {
      const author = count % 35 === 0 ? 'carl' : 'renovate[bot]'
      addPull(github.repository, { author, updatedAt: new Date(Date.now() + count * 1_000) })
    }
    expect(await github.read(1)).toBe(5)
    expect((await records()).map(({ pr_number }) => pr_number)).toEqual([36, 71])
    // The first one was updated, so the sixth falls out.
    const [oldest] = github.repository.pulls
    if (oldest) change(oldest, { updatedAt: new Date(Date.now() + 999_000) })
    await github.read(1)
    expect((await records()).map(({ pr_number }) => pr_number)).toEqual([1, 36, 71])
    expect(await github.prisma.pullRequest.count({ where: { repository_id } })).toBe(100)
  })

  it('are read by two instances at once without reading one twice', async () => {
    for (let count = 0; count < 12; count++) addPull(github.repository, { files: [modified('a', [1, 1])] })
    await Promise.all([github.read(), github.read()])
    expect(await github.prisma.activity.count({ where: { repository_id } })).toBe(12)
    const reads = github.asked.filter((path) => path.includes('/files'))
    expect(new Set(reads).size).toBe(reads.length)
    expect(reads).toHaveLength(12)
  })
})
