import { describe, expect, it } from 'vitest'
import { observationOf } from '../../src/service/github/observation.ts'
import { octokitOf } from '../../src/service/github/octokit.ts'
import { listPulls } from '../../src/service/github/pulls/read-repository.ts'
import { githubApiUrl } from '../support/github.ts'
import { addPull, modified, newSha } from '../support/github-server/data.ts'
import { change, type Observed, openTransactions, push, useReadings } from '../support/pulls.ts'

let github: Observed
useReadings((started) => {
  github = started
})

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
    const committedAt = new Date('2026-01-03T03:04:05Z')
    opened.commits = [{ sha: opened.head.sha, committedAt }]
    await github.read()
    const record = await github.theRecord()
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
      ...{ changes_commits: [opened.head.sha], began_at: new Date('2026-01-02T03:04:05Z'), heartbeat_at: committedAt },
    })
    const files = await github.prisma.changedFile.findMany({ where: { repository_id: github.repository_id } })
    expect(files).toMatchObject([{ path: 'src/a.ts', status: 'modified', has_lines: true, lines: [3, 4, 9, 8] }])
    expect(await github.pullRow()).toMatchObject({
      read_head: opened.head.sha,
      read_after: null,
      attempts: 0,
      is_outsider: false,
    })
  })

  it('is read while no transaction is open', async () => {
    addPull(github.repository, { files: [modified('a', [1, 1])] })
    const octokit = octokitOf('ghp_reader', githubApiUrl)
    const open: number[] = []
    octokit.hook.before('request', async () => void open.push(await openTransactions(github.prisma)))
    github.reading.octokit = octokit
    await github.read()
    expect(open).toEqual([0, 0, 0])
  })

  it('costs one list where nothing changed', async () => {
    addPull(github.repository)
    await github.read()
    const { updated_at } = await github.theRecord()
    github.asked.length = 0
    await github.read()
    expect(github.asked).toHaveLength(1)
    expect((await github.theRecord()).updated_at).toEqual(updated_at)
  })

  it('follows its title, base, draft state and issues', async () => {
    const pull = addPull(github.repository)
    await github.read()
    change(pull, { title: 'ä'.repeat(201), base: 'release', isDraft: true, body: 'closes #7' })
    await github.read()
    expect(await github.theRecord()).toMatchObject({
      ...{ title: 'ä'.repeat(200), agent: null },
      base_branch: 'release',
      status: 'draft-pr-open',
      issues: [7],
    })
  })

  it('of a new base is unread until its files against that base are read', async () => {
    const pull = addPull(github.repository)
    await github.read()
    change(pull, { base: 'release' })
    await listPulls(github.reading)
    const observed = () => observationOf(github.prisma, github.repository_id, { byApp: true, now: github.clock.now })
    expect(await observed()).toMatchObject({ unread: 1 })
    await github.read()
    expect(await observed()).toMatchObject({ unread: 0 })
  })

  it('gets the files of its new head, and only what differs is written', async () => {
    const pull = addPull(github.repository, { files: [modified('a', [1, 1]), modified('b', [1, 1])] })
    await github.read()
    push(pull, [modified('b', [1, 1]), modified('c', [5, 5])])
    await github.read()
    const files = await github.prisma.changedFile.findMany({
      where: { repository_id: github.repository_id },
      orderBy: { path: 'asc' },
    })
    expect(files.map(({ path }) => path)).toEqual(['b', 'c'])
    expect(await github.theRecord()).toMatchObject({ changes_head: pull.head.sha, summary: 'Pull request #1: 2 files' })
  })

  it('of a fork has the owner before the branch, and is of an outsider where all may read and the author is no member', async () => {
    const head = { owner: 'mallory', branch: 'patch-1', repositoryId: 77 }
    addPull(github.repository, { author: 'mallory', association: 'NONE', head })
    for (const association of ['CONTRIBUTOR', 'OWNER', 'MEMBER', 'COLLABORATOR'] as const)
      addPull(github.repository, { author: 'ann', association, head })
    addPull(github.repository, { author: 'mallory', association: 'NONE', head: { branch: 'here' } })
    await github.read()
    const fork = 'mallory:patch-1'
    expect((await github.records()).map(({ branch }) => branch)).toEqual([fork, fork, fork, fork, fork, 'here'])
    const outsiders = async () => {
      const rows = await Promise.all([1, 2, 3, 4, 5, 6].map((number) => github.pullRow(number)))
      return rows.map(({ is_outsider }) => is_outsider)
    }
    expect(await outsiders()).toEqual([true, true, false, false, false, false])
    github.repository.isPrivate = true
    await github.read()
    expect(await outsiders()).not.toContain(true)
  })

  it('of forks and accounts that are gone have no branch, which would be the same one', async () => {
    const head = { owner: null, branch: 'patch-1', repositoryId: null }
    addPull(github.repository, { association: 'CONTRIBUTOR', head })
    await github.read()
    expect(await github.theRecord()).toMatchObject({ branch: null })
    expect(await github.pullRow()).toMatchObject({ is_outsider: true })
  })

  it('of an ignored author or of a merge queue is not observed, and ends when it is not any more', async () => {
    addPull(github.repository, { author: 'dependabot[bot]' })
    const ofQueues = [
      'gh-readonly-queue/main/1',
      'mergify/1',
      'trunk-merge/1',
      'trunk-temp/1',
      'gtmq_1',
      'graphite-base/1',
    ]
    for (const branch of ofQueues) addPull(github.repository, { head: { branch } })
    addPull(github.repository, { author: 'carl' })
    await github.read()
    expect(await github.theRecord()).toMatchObject({ author_login: 'carl', ended_at: null })
    github.settings.ignored_authors = [...github.settings.ignored_authors, 'Carl']
    await github.read()
    expect(await github.theRecord()).toMatchObject({ status: 'archived', archived_reason: 'closed' })
  })
})

describe('§8 large pull requests', () => {
  it('of 3,000 files and more than 250 commits are read as far as GitHub lists them', async () => {
    const files = Array.from({ length: 3_200 }, (_, index) => modified(`src/${index}.ts`, [1, 1]))
    const pull = addPull(github.repository, { files })
    pull.commits = Array.from({ length: 300 }, () => ({ sha: newSha(), committedAt: new Date() }))
    await github.read()
    expect(await github.theRecord()).toMatchObject({ changes_total: 3_200, changes_head: pull.head.sha })
    expect(await github.prisma.changedFile.count({ where: { repository_id: github.repository_id } })).toBe(3_000)
    expect(
      await github.prisma.changedFile.count({ where: { repository_id: github.repository_id, has_lines: true } }),
    ).toBe(300)
  })

  it('count files of very long paths, and leave them out', async () => {
    const files = [1_024, 1_025].map((bytes) => modified('a'.repeat(bytes), [1, 1]))
    addPull(github.repository, { files })
    await github.read()
    expect(await github.theRecord()).toMatchObject({ changes_total: 2 })
    expect(await github.prisma.changedFile.count({ where: { repository_id: github.repository_id } })).toBe(1)
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
    const files = await github.prisma.changedFile.findMany({
      where: { repository_id: github.repository_id },
      orderBy: { path: 'asc' },
    })
    expect(files.map(({ path, status, has_lines, lines }) => [path, status, has_lines && lines])).toEqual([
      ['added.ts', 'added', [1, 0]],
      ['large.ts', 'modified', false],
      ['logo.png', 'modified', []],
      ['new.ts', 'renamed', false],
      ['old.ts', 'renamed_from', false],
    ])
  })
})
