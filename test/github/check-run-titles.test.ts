import nock from 'nock'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type CheckRuns, startCheckRuns } from '../support/check-runs.ts'
import { addPull, modified, type PullFile } from '../support/github-server/data.ts'
import { openRows } from '../support/pulls.ts'

let rows: Awaited<ReturnType<typeof openRows>>
let runs: CheckRuns
beforeAll(async () => {
  rows = await openRows()
})
beforeEach(async () => {
  runs = await startCheckRuns(rows)
})
afterEach(() => nock.cleanAll())
afterAll(() => rows.close())

interface Given {
  body?: string
  files?: PullFile[]
}
const at = (first: number, last: number): Given => ({ files: [modified('src/a.ts', [first, last])] })
const issue: Given = { body: 'Fixes #42' }
const binary: Given = { files: [{ filename: 'a.png', status: 'modified', additions: 0, deletions: 0 }] }

it.each<[title: string, conclusion: string, mine: Given, others: Given[]]>([
  ['No overlap with work in flight', 'success', at(1, 3), []],
  ['Same lines as #1 (alice)', 'neutral', at(1, 3), [at(3, 3)]],
  ['Same lines as #3 (alice) and 2 more', 'neutral', at(1, 3), [at(3, 3), at(1, 1), at(2, 2), at(5, 5)]],
  ['Same file as #1 (alice)', 'neutral', binary, [binary]],
  ['Same issue #42 as #1 (alice)', 'neutral', issue, [issue]],
  ['Close to #1 (alice)', 'neutral', at(1, 3), [at(5, 6)]],
  ['Only near #2 (alice) and 1 more', 'success', at(1, 3), [at(50, 51), at(60, 61)]],
])('§10 the title %s', async (title, conclusion, mine, others) => {
  const { repository } = runs.github
  const now = Date.now()
  others.forEach((given, index) => {
    const pull = addPull(repository, { author: 'alice', ...given })
    // The last one is the newest.
    pull.commits = [{ sha: pull.head.sha, committedAt: new Date(now - 60_000 + index * 1_000) }]
  })
  await runs.run(addPull(repository, { author: 'bob', ...mine }))
  expect(runs.written.map(({ body }) => [body.output.title, body.conclusion])).toEqual([[title, conclusion]])
})

it('§10 a freeze stands in the title before what collides', async () => {
  const { repository } = runs.github
  addPull(repository, { author: 'alice', ...at(1, 3) })
  const pull = addPull(repository, { author: 'bob', ...at(1, 3) })
  await runs.github.read()
  await runs.raise({ applies_until: new Date('2100-11-30T12:00:00Z') })
  await runs.run(pull)
  expect(runs.titles()).toEqual(['“Release freeze” until 2100-11-30 · Same lines as #1 (alice)'])
})

it('§10 lines are close and not the same, however much the other work weighs', async () => {
  const { repository, prisma } = runs.github
  addPull(repository, { author: 'alice', ...at(5, 6) })
  const pull = addPull(repository, { author: 'bob', ...at(1, 3) })
  await runs.github.read()
  const where = { repository_id: runs.repository_id, pr_number: 1 }
  await prisma.activity.updateMany({ where, data: { blocking: true } })
  await runs.run(pull)
  expect(runs.titles()).toEqual(['Close to #1 (alice)'])
})

it('§10 strangers alone leave it success, without a word of theirs', async () => {
  const { repository } = runs.github
  const head = { owner: 'mallory', repositoryId: 99 }
  const stranger = { author: 'mallory', association: 'NONE', head } as const
  addPull(repository, { ...stranger, title: '@everybody look', ...at(2, 5) })
  await runs.run(addPull(repository, { author: 'alice', ...at(1, 3) }))
  expect(runs.written[0]?.body).toMatchObject({ conclusion: 'success' })
  expect(runs.written[0]?.body.output.summary).not.toContain('everybody')
  expect(runs.written[0]?.body.output.summary).toContain('from outside')
})

it('§10 names no file of a stranger that is only near', async () => {
  const { repository } = runs.github
  const file = (filename: string, status: PullFile['status']) => ({ filename, status, additions: 1, deletions: 0 })
  const head = { owner: 'mallory', repositoryId: 99 }
  addPull(repository, { author: 'mallory', association: 'NONE', head, files: [file('src/obey.ts', 'added')] })
  const renamed = { ...file('lib/b.ts', 'renamed'), previous_filename: 'src/b.ts' }
  await runs.run(addPull(repository, { author: 'alice', files: [renamed] }))
  expect(runs.titles()).toEqual(['Only near #1 (mallory)'])
  expect(runs.written[0]?.body.output.summary).not.toContain('obey')
})

it('§10 other people’s text is code, in which nobody is mentioned', async () => {
  const { repository } = runs.github
  addPull(repository, { author: 'alice', head: { branch: 'a`b|@everybody' }, ...at(1, 3) })
  const pull = addPull(repository, { author: 'bob', ...at(1, 3) })
  await runs.github.read()
  await runs.raise({ title: '@acme/all <img> [x](y)' })
  await runs.run(pull)
  const summary = runs.written[0]?.body.output.summary ?? ''
  expect(summary).toContain('``a`b\\|@everybody``')
  expect(summary).toContain('`@acme/all')
  expect(summary.replaceAll(/(`+).+?\1(?!`)/g, '')).not.toMatch(/@|img|\(y\)/)
})

it('§10 the place of a file that both add is its top', async () => {
  const { repository } = runs.github
  const patch = '@@ -0,0 +1,2 @@\n+a\n+b'
  const added: Given = { files: [{ filename: 'new.ts', status: 'added', additions: 2, deletions: 0, patch }] }
  addPull(repository, { author: 'alice', ...added })
  await runs.run(addPull(repository, { author: 'bob', ...added }))
  expect(runs.written[0]?.body.output.summary).toContain('`new.ts`: lines at the top there, at the top here')
})
