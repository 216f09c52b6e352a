import nock from 'nock'
import { describe, expect, it } from 'vitest'
import { archiveActivity } from '../../src/service/records/activities/update.ts'
import { newId } from '../../src/service/records/ids.ts'
import { githubApiUrl } from '../support/github.ts'
import { addPull, closePull, modified, type Pull } from '../support/github-server/data.ts'
import { change, type Observed, push, useReadings } from '../support/pulls.ts'

let github: Observed
useReadings((started) => {
  github = started
})

/** Recorded work of a minute ago. */
async function recordOn(branch: string): Promise<string> {
  const at = new Date(Date.now() - 60_000)
  const texts = { title: 'Mine', summary: 'Mine', actor: 'bob', status: 'active', risk: 'low' } as const
  const times = { began_at: at, created_at: at, updated_at: at, expires_at: new Date(Date.now() + 3_600_000) }
  const data = { ...texts, ...times, id: newId('act', at), branch, draft_pr: false, blocking: false }
  await github.prisma.activity.create({ data: { repository_id: github.repository_id, ...data } })
  return data.id
}

describe('§8 its end', () => {
  it('is that of a merge or a close, which the next reading finds', async () => {
    const [merged, closed] = [addPull(github.repository), addPull(github.repository)]
    await github.read()
    closePull(merged, true)
    closePull(closed, false)
    change(merged, {})
    change(closed, {})
    await github.read()
    const ended = await github.records()
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
    expect((await github.records()).map(({ archived_reason }) => archived_reason)).toEqual([null, 'closed'])
  })

  it('is final: a reopened one gets a new record', async () => {
    const pull = addPull(github.repository, { files: [modified('a', [1, 1])] })
    await github.read()
    closePull(pull, false)
    change(pull, {})
    await github.read()
    change(pull, { state: 'open', closedAt: null })
    await github.read()
    const [ended, live] = await github.records()
    expect(ended).toMatchObject({ archived_reason: 'closed' })
    expect(live).toMatchObject({ ended_at: null, changes_total: 1 })
  })

  it('by a merge archives the recorded work of its branch', async () => {
    const { prisma, repository, repository_id } = github
    const pull = addPull(repository)
    const id = await recordOn('branch-1')
    await github.read()
    const where = { repository_id_id: { repository_id, id } }
    const isLinked = { pr_number: 1, status: 'ready-for-review' }
    expect(await prisma.activity.findUnique({ where })).toMatchObject(isLinked)
    closePull(pull, true)
    change(pull, {})
    await github.read()
    expect(await prisma.activity.findUnique({ where })).toMatchObject({ archived_reason: 'merged' })
  })

  it('ends its check run, and those that name it or the work that it archives are looked at again', async () => {
    const { prisma, repository, repository_id } = github
    const merged = addPull(repository)
    const gone = addPull(repository)
    const ofHead = addPull(repository, { head: { sha: merged.head.sha } })
    const [namesWork, namesGone] = [addPull(repository), addPull(repository)]
    const id = await recordOn('branch-1')
    await github.read()
    const isOfGone = { repository_id, pr_number: gone.number, source: 'pull_request' } as const
    const { id: ofGone } = await prisma.activity.findFirstOrThrow({ where: isOfGone })
    const runOf = ({ number, head }: Pull, named: string[] = []) => {
      return { repository_id, number, head_sha: head.sha, named }
    }
    const runs = [runOf(merged), runOf(gone), runOf(ofHead), runOf(namesWork, [id]), runOf(namesGone, [ofGone])]
    const due = async () => {
      const left = await prisma.checkRun.findMany({ where: { repository_id }, orderBy: { number: 'asc' } })
      return left.map(({ number, due_at }) => [number, due_at !== null])
    }
    await prisma.checkRun.createMany({ data: runs })
    closePull(merged, true)
    change(merged, {})
    await github.read()
    expect(await due()).toEqual([
      [2, false],
      [3, true],
      [4, true],
      [5, false],
    ])
    repository.pulls.splice(repository.pulls.indexOf(gone), 1)
    await github.read()
    expect(await due()).toEqual([
      [3, true],
      [4, true],
      [5, true],
    ])
  })
})

describe('§8 put aside by a caller', () => {
  async function putAside({ id }: { id: string }): Promise<void> {
    const { prisma, clock } = github
    const repository = { ...github.reading.observing.repository, isPublic: true, parent: null }
    const caller = { login: async () => 'ann', seesPulls: async () => true }
    const context = { prisma, repository, now: () => clock.now, purgedUntil: () => new Date(0), ...caller }
    await archiveActivity(context as unknown as Parameters<typeof archiveActivity>[0], id)
  }

  it('it stays so, also when it is edited, until its next push, or until it is reopened', async () => {
    const pull = addPull(github.repository)
    await github.read()
    await putAside(await github.theRecord())
    change(pull, { title: 'Another title' })
    await github.read()
    await github.read()
    expect(await github.theRecord()).toMatchObject({ archived_reason: 'caller' })
    expect(await github.pullRow()).toMatchObject({ put_aside_head: pull.head.sha, read_after: null })
    push(pull, [])
    await github.read()
    const reasons = async () => (await github.records()).map(({ archived_reason }) => archived_reason)
    expect(await reasons()).toEqual(['caller', null])
    const [, live] = await github.records()
    if (live) await putAside(live)
    change(pull, { state: 'closed', closedAt: new Date() })
    await github.read()
    change(pull, { state: 'open', closedAt: null })
    await github.read()
    expect(await reasons()).toEqual(['caller', 'caller', null])
  })

  it('it stays so where it is beyond the pages that are read meanwhile', async () => {
    const pull = addPull(github.repository, { updatedAt: new Date(Date.now() - 60_000) })
    await github.read(1)
    await putAside(await github.theRecord())
    github.pages.size = 2
    for (let count = 0; count < 2; count++) addPull(github.repository, { author: 'renovate[bot]' })
    await github.read(1)
    Object.assign(pull, { updatedAt: new Date(Date.now() + 60_000) })
    await github.read(1)
    expect(await github.theRecord()).toMatchObject({ archived_reason: 'caller' })
  })
})
