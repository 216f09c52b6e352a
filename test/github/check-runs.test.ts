import nock from 'nock'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { activityChanged } from '../../src/service/check-runs/changed.ts'
import { endCheckRun, runAgain } from '../../src/service/check-runs/check-runs.ts'
import { newId } from '../../src/service/records/ids.ts'
import { notablePlacesOf, placesOf, saveNotablePlaces, savePlaces } from '../../src/service/records/places.ts'
import { type CheckRuns, startCheckRuns } from '../support/check-runs.ts'
import { githubApiUrl } from '../support/github.ts'
import { addPull, closePull, modified } from '../support/github-server/data.ts'
import { openRows, openTransactions } from '../support/pulls.ts'

let rows: Awaited<ReturnType<typeof openRows>>
let runs: CheckRuns
let repository: CheckRuns['github']['repository']
beforeAll(async () => {
  rows = await openRows()
})
beforeEach(async () => {
  runs = await startCheckRuns(rows)
  repository = runs.github.repository
})
afterEach(() => nock.cleanAll())
afterAll(() => rows.close())

const nothing = 'No overlap with work in flight'
const where = () => ({ repository_id: runs.repository_id })

describe('§10 a check run', () => {
  it('is written completed, as success where nothing overlaps, with advice and a link to the page', async () => {
    const pull = addPull(repository, { files: [modified('src/a.ts', [1, 3])] })
    await runs.run(pull)
    const body = { name: 'Headsup', head_sha: pull.head.sha, status: 'completed', conclusion: 'success' }
    expect(runs.written).toMatchObject([{ method: 'POST', body }])
    const summary = runs.written[0]?.body.output.summary ?? ''
    expect(summary).toContain('Not all open work is read: check again in a minute.')
    expect(summary).toContain("Advice: this check never fails. Don't make it required.")
    expect(summary).toContain(`https://headsup.example/acme/${repository.name}`)
  })

  it('is not written again where neither its title nor a row of its table changes, but where somebody asks', async () => {
    const pull = addPull(repository, { files: [modified('src/a.ts', [1, 3])] })
    await runs.run(pull)
    await activityChanged(runs.context, { id: await runs.recordOf(1), pr_number: 1 })
    await runs.write()
    expect(runs.written).toHaveLength(1)
    await runAgain(rows.prisma, runs.repository_id, pull.head.sha, runs.github.clock.now)
    await runs.write()
    expect(runs.written.map(({ method }) => method)).toEqual(['POST', 'PATCH'])
  })

  it('is written again where only its conclusion changes', async () => {
    const pull = addPull(repository, { files: [modified('src/a.ts', [1, 3])] })
    await runs.run(pull)
    const notable = await runs.raise({ blocking: false, paths: ['src/a.ts'] })
    await saveNotablePlaces(rows.prisma, notable, notablePlacesOf(notable))
    await activityChanged(runs.context, { id: await runs.recordOf(1), pr_number: 1 })
    await runs.write()
    const { title } = runs.written[0]?.body.output ?? {}
    expect(runs.written.map(({ body }) => [body.output.title, body.conclusion])).toEqual([
      [title, 'success'],
      [title, 'neutral'],
    ])
  })

  it('waits for the files of its head, and is of the new head after a push', async () => {
    const pull = addPull(repository, { files: [modified('a', [1, 1])] })
    const { commits } = pull
    pull.commits = []
    await runs.run(pull)
    expect(runs.written).toEqual([])
    pull.commits = commits
    runs.later(61_000)
    await runs.run()
    expect(runs.written).toHaveLength(1)
  })

  it('is not written for drafts with `ready`, nor with `off`', async () => {
    runs.github.settings.pull_request_report = 'ready'
    const [draft, ready] = [addPull(repository, { isDraft: true }), addPull(repository)]
    await runs.run(draft, ready)
    expect(runs.written.map(({ body }) => body)).toMatchObject([{ head_sha: ready.head.sha }])
    runs.github.settings.pull_request_report = 'off'
    await runAgain(rows.prisma, runs.repository_id, ready.head.sha, runs.github.clock.now)
    await runs.write()
    expect(runs.written).toHaveLength(1)
  })

  it('of two pull requests of one head is written by the lower number, until that ends', async () => {
    const first = addPull(repository)
    const second = addPull(repository, { head: first.head, base: 'release' })
    await runs.run(first, second)
    expect(runs.written).toHaveLength(1)
    await endCheckRun(rows.prisma, runs.repository_id, first.number, runs.github.clock.now)
    await runs.write()
    expect(runs.written).toHaveLength(2)
  })

  it('of two pull requests of one head is written by the one that is open', async () => {
    const first = addPull(repository)
    await runs.run(first, addPull(repository, { head: first.head, base: 'release' }))
    await rows.prisma.pullRequest.updateMany({ where: { ...where(), number: 1 }, data: { is_open: false } })
    await runAgain(rows.prisma, runs.repository_id, first.head.sha, runs.github.clock.now)
    await runs.write()
    expect(runs.written).toHaveLength(2)
  })

  it('of two pull requests of one head is written by the one that is no draft with `ready`', async () => {
    runs.github.settings.pull_request_report = 'ready'
    const draft = addPull(repository, { isDraft: true })
    await runs.run(draft, addPull(repository, { head: draft.head, base: 'release' }))
    expect(runs.written).toHaveLength(1)
  })
})

describe('§10 a check run is looked at again', () => {
  const onLines = (first: number, last: number) => ({ files: [modified('src/a.ts', [first, last])] })

  it('when another pull request meets it, and when that ends', async () => {
    const first = addPull(repository, { author: 'alice', ...onLines(1, 3) })
    await runs.run(first)
    const second = addPull(repository, { author: 'bob', ...onLines(2, 5) })
    await runs.run(second)
    expect(runs.titles()).toEqual([nothing, 'Same lines as #1 (alice)', 'Same lines as #2 (bob)'])
    expect(runs.written.map(({ method }) => method)).toEqual(['POST', 'POST', 'PATCH'])
    closePull(second, false)
    second.updatedAt = new Date(Date.now() + 5_000)
    await runs.github.read()
    await endCheckRun(rows.prisma, runs.repository_id, 2, runs.github.clock.now)
    await activityChanged(runs.context, { id: await runs.recordOf(2), pr_number: null })
    await runs.write()
    expect(runs.titles().slice(3)).toEqual([nothing])
  })

  it('when it is one of very many that another one meets', async () => {
    await runs.run(addPull(repository, { author: 'alice', ...onLines(1, 3) }))
    await runs.copyFirst(2, 22)
    await rows.prisma.checkRun.updateMany({ where: where(), data: { due_at: null } })
    await runs.copyFirst(23, 23)
    await runs.writeOnce()
    expect(runs.titles().at(-1)).toMatch(/^Same lines as #\d+ \(alice\) and 21 more$/)
    expect(runs.written.at(-1)?.body.output.summary.match(/^\| #\d+ /gm)).toHaveLength(5)
    expect(await rows.prisma.checkRun.count({ where: { ...where(), due_at: { not: null } } })).toBe(22)
  })

  it('when one without a check run of its own meets it, or pushes something else', async () => {
    runs.github.settings.pull_request_report = 'ready'
    const first = addPull(repository, { author: 'alice', ...onLines(1, 3) })
    await runs.run(first)
    const draft = addPull(repository, { author: 'bob', isDraft: true, ...onLines(2, 5) })
    await runs.run(draft)
    const head = { ...draft.head, sha: 'e'.repeat(40) }
    const commits = [{ sha: head.sha, committedAt: new Date() }]
    Object.assign(draft, { head, commits, files: [], updatedAt: new Date(Date.now() + 5_000) })
    await runs.run()
    expect(runs.titles()).toEqual([nothing, 'Same lines as #2 (bob)', nothing])
  })

  it('when recorded work covers it, and when that leaves it', async () => {
    const pulls = [addPull(repository, { body: 'Fixes #42' }), addPull(repository)]
    await runs.run(...pulls)
    const { id: _, ...own } = await rows.prisma.activity.findFirstOrThrow({ where: { ...where(), pr_number: 2 } })
    const expires_at = new Date(Date.now() + 86_400_000)
    const recorded = { id: newId('act', runs.github.clock.now), source: 'recorded', expires_at } as const
    const row = await rows.prisma.activity.create({ data: { ...own, ...recorded, issues: [42] } })
    await rows.prisma.$transaction((tx) => savePlaces(tx, row, placesOf(row, [])))
    const { id } = row
    await activityChanged(runs.context, { id, pr_number: 2 })
    await runs.write()
    expect(runs.titles().slice(2)).toEqual(['Same issue #42 as #1 (bob)', 'Same issue #42 as #2 (bob)'])
    expect(await runs.checkRunOf(1)).toMatchObject({ due_at: expires_at })
    await rows.prisma.activity.updateMany({ where: { ...where(), id }, data: { pr_number: null, branch: null } })
    await activityChanged(runs.context, { id, pr_number: null })
    await runs.write()
    expect(runs.titles().slice(4).toSorted()).toEqual([nothing, 'Same issue #42 as the work of bob'])
  })
})

describe('§10 a freeze', () => {
  it('is told first on every open pull request, changed with it, and forgotten when it ends', async () => {
    await runs.run(addPull(repository), addPull(repository, { files: [modified('b', [1, 1])] }))
    const { id } = await runs.raise({ applies_until: new Date('2100-11-30T12:00:00Z') })
    await runs.write()
    expect(runs.written.at(-1)?.body).toMatchObject({ conclusion: 'neutral' })
    await runs.change(id, { applies_until: new Date('2100-10-31T12:00:00Z') })
    await runs.write()
    await runs.change(id, { status: 'archived', archived_at: new Date() })
    await runs.write()
    const titles = [nothing, '“Release freeze” until 2100-11-30', '“Release freeze” until 2100-10-31', nothing]
    expect(runs.titles()).toEqual(titles.flatMap((title) => [title, title]))
  })

  it('is forgotten when it expires', async () => {
    await runs.github.read()
    const until = new Date(Date.now() + 60_000)
    await runs.raise({ expires_at: until })
    await runs.run(addPull(repository))
    expect(await runs.checkRunOf(1)).toMatchObject({ due_at: until })
    runs.github.clock.now = new Date(until.getTime() + 1)
    await runs.write()
    expect(runs.titles().at(-1)).toBe(nothing)
  })

  it('is told on very many pull requests in small batches: all else waits in the table', async () => {
    await runs.run(addPull(repository))
    await runs.copyFirst(2, 60)
    runs.written.length = 0
    await runs.raise()
    const [taken, open]: [number[], number[]] = [[], []]
    runs.answer.before = async () => {
      open.push(await openTransactions(rows.prisma))
      taken.push(await rows.prisma.checkRun.count({ where: { ...where(), attempts: { gt: 0 } } }))
    }
    const counts: number[] = []
    for (let times = 0; times < 4; times++) {
      await runs.writeOnce()
      counts.push(runs.written.length)
    }
    expect(counts).toEqual([20, 40, 60, 60])
    expect([Math.max(...taken), Math.max(...open)]).toEqual([20, 0])
    expect(new Set(runs.titles())).toEqual(new Set(['“Release freeze” until 2100-12-01']))
  })
})

describe('§10 where GitHub does not take a check run', () => {
  const repositoryRow = () => rows.prisma.repository.findUniqueOrThrow({ where: where() })

  it('for want of the permission, none is tried again, and the settings say so', async () => {
    runs.answer.status = 403
    await runs.run(addPull(repository), addPull(repository))
    expect(await repositoryRow()).toMatchObject({ may_write_checks: false })
    expect(runs.written).toHaveLength(1)
  })

  it('since its limit is spent, all wait as long as it says', async () => {
    Object.assign(runs.answer, { status: 403, headers: { 'retry-after': '120' } })
    await runs.run(addPull(repository), addPull(repository))
    expect(runs.written).toHaveLength(1)
    runs.later(119_000)
    await runs.write()
    expect(runs.written).toHaveLength(1)
    Object.assign(runs.answer, { status: 201, headers: {} })
    // GitHub's time is that of this process, which is later on a busy machine.
    runs.later(60_000)
    await runs.write()
    expect(runs.titles().slice(1)).toEqual([nothing, nothing])
  })

  it('for another reason, each is tried again for itself after a minute', async () => {
    runs.answer.status = 422
    await runs.run(addPull(repository), addPull(repository))
    expect(runs.written).toHaveLength(2)
    expect(await repositoryRow()).toMatchObject({ may_write_checks: null })
    runs.answer.status = 201
    runs.later(61_000)
    await runs.write()
    expect(runs.written).toHaveLength(4)
  })
})

describe('§10 automatic check suites', () => {
  it.each([200, 403])('are turned off once, at the first grant (GitHub answers %i)', async (status) => {
    let asked: unknown[] = []
    nock(githubApiUrl)
      .persist()
      .patch(`/repos/acme/${repository.name}/check-suites/preferences`)
      .reply((_uri, body) => {
        asked = [...asked, body]
        return [status, {}]
      })
    await runs.turnOffSuites()
    expect(asked).toEqual([])
    await rows.prisma.repository.update({ where: where(), data: { may_write_checks: true } })
    await runs.turnOffSuites()
    await runs.turnOffSuites()
    expect(asked).toEqual([{ auto_trigger_checks: [{ app_id: 1, setting: false }] }])
  })
})
