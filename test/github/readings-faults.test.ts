import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import nock from 'nock'
import { describe, expect, it } from 'vitest'
import { octokitOf } from '../../src/service/github/octokit.ts'
import { createCallerReadings } from '../../src/service/github/pulls/caller-readings.ts'
import { githubApiUrl } from '../support/github.ts'
import { addPull, closePull, modified, newSha } from '../support/github-server/data.ts'
import { change, type Observed, silentLog, useReadings } from '../support/pulls.ts'

let github: Observed
useReadings((started) => {
  github = started
})

describe('§8 what GitHub says late or wrong', () => {
  it('facts of an older second change nothing', async () => {
    const pull = addPull(github.repository)
    await github.read()
    Object.assign(pull, { title: 'Older', updatedAt: new Date(pull.updatedAt.getTime() - 5_000) })
    await github.read()
    expect(await github.theRecord()).toMatchObject({ title: 'Change 1' })
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
      expect(await github.theRecord()).toMatchObject({ ended_at: null })
    }
  })

  it('a list that breaks off ends nothing', async () => {
    addPull(github.repository)
    await github.read()
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000 })
      response.write('[', () => response.destroy())
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    nock.enableNetConnect('127.0.0.1')
    github.reading.octokit = octokitOf('ghp_reader', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    await expect(github.read()).rejects.toThrow()
    server.close()
    expect(await github.theRecord()).toMatchObject({ ended_at: null })
  })

  it('a head that moves while it is read keeps nothing, and is read again', async () => {
    const pull = addPull(github.repository, { files: [modified('a', [1, 1])] })
    const before = pull.head.sha
    // The push comes between list and files.
    pull.commits = [{ sha: newSha(), committedAt: new Date() }]
    await github.read()
    expect(await github.theRecord()).toMatchObject({ changes_by: null, summary: 'Pull request #1' })
    const row = await github.pullRow()
    expect(row).toMatchObject({ read_head: null, head_sha: before, attempts: 1 })
    expect(row.read_after?.getTime()).toBe(github.clock.now.getTime() + 60_000)
  })

  it('a head that can not be read is tried eight times, after 1 to 64 minutes', async () => {
    const pull = addPull(github.repository)
    pull.commits = []
    const delays: (number | null)[] = []
    await github.read()
    for (let tries = 1; tries <= 8; tries++) {
      const { read_after, attempts } = await github.pullRow()
      expect(attempts).toBe(tries)
      delays.push(read_after && (read_after.getTime() - github.clock.now.getTime()) / 60_000)
      github.clock.now = read_after ?? github.clock.now
      await github.read()
    }
    expect(delays.map((minutes) => minutes && Math.round(minutes))).toEqual([1, 2, 4, 8, 16, 32, 64, null])
  })
})

describe('§8 many open pull requests', () => {
  it('beyond the pages that are read count as not listed, and those that fall out are forgotten', async () => {
    github.pages.size = 6
    for (let count = 0; count < 8; count++) {
      const author = count % 3 === 0 ? 'carl' : 'renovate[bot]'
      addPull(github.repository, { author, updatedAt: new Date(Date.now() + count * 1_000) })
    }
    expect(await github.read(1)).toBe(2)
    expect((await github.records()).map(({ pr_number }) => pr_number)).toEqual([4, 7])
    // The first one was updated, so the third falls out.
    const [oldest] = github.repository.pulls
    if (oldest) change(oldest, { updatedAt: new Date(Date.now() + 999_000) })
    await github.read(1)
    expect((await github.records()).map(({ pr_number }) => pr_number)).toEqual([1, 4, 7])
    expect(await github.prisma.pullRequest.count({ where: { repository_id: github.repository_id } })).toBe(6)
  })

  it('are not read on below a fifth of the limit: neither further pages nor absent ones are asked for', async () => {
    const { reading, repository, asked } = github
    const gone = [addPull(repository), addPull(repository)]
    await github.read()
    for (const pull of gone) closePull(pull, false)
    github.pages.size = 2
    for (let count = 0; count < 5; count++) addPull(repository, { author: 'renovate[bot]' })
    asked.length = 0
    reading.mayGoOn = () => false
    expect(await github.read(3)).toBeGreaterThan(0)
    expect(asked).toHaveLength(1)
    expect((await github.records()).map(({ ended_at }) => ended_at)).toEqual([null, null])
  })

  it('are read by two instances at once without reading one twice', async () => {
    for (let count = 0; count < 12; count++) addPull(github.repository, { files: [modified('a', [1, 1])] })
    await Promise.all([github.read(), github.read()])
    expect(await github.prisma.activity.count({ where: { repository_id: github.repository_id } })).toBe(12)
    const reads = github.asked.filter((path) => path.includes('/files'))
    expect(new Set(reads).size).toBe(reads.length)
    expect(reads).toHaveLength(12)
  })
})

describe('§8 a reading with the token of a caller', () => {
  /** Asks for one so much later; returns whether it is worth waiting for, and nothing where none is due. */
  function asking() {
    const { prisma, clock, reading, repository_id } = github
    const begin = createCallerReadings({ prisma, now: () => clock.now, log: silentLog }, githubApiUrl)
    return async (ms: number) => {
      clock.now = new Date(clock.now.getTime() + ms)
      const row = await prisma.repository.findUniqueOrThrow({ where: { repository_id } })
      const begun = await begin(row, reading.observing, { token: 'ghp_reader', key: 'key' })
      await begun?.isDone
      return begun?.isWorthWaiting
    }
  }

  it('begins where the last is over 60 s old, and is waited for where that is over 5 minutes old', async () => {
    const begunAfter = asking()
    const answers = [
      await begunAfter(0),
      await begunAfter(59_999),
      await begunAfter(1),
      await begunAfter(300_000),
      await begunAfter(300_001),
    ]
    expect(answers).toEqual([true, undefined, false, false, true])
  })

  it('that failed counts as the last one', async () => {
    const begunAfter = asking()
    nock.cleanAll()
    nock(githubApiUrl).get(/pulls/).times(2).reply(502, 'Bad gateway')
    expect([await begunAfter(0), await begunAfter(60_000)]).toEqual([true, false])
  })

  it('takes three pages of GitHub’s list, and counts the rest', async () => {
    github.pages.size = 2
    for (let count = 0; count < 7; count++) addPull(github.repository)
    await asking()(0)
    expect(await github.records()).toHaveLength(6)
    const where = { repository_id: github.repository_id }
    expect(await github.prisma.repository.findUnique({ where })).toMatchObject({ pulls_unlisted: 1 })
  })
})
