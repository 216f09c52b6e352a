import { createServer, type Server } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addAccount } from '../../support/github/build-data.ts'
import { eventFaults } from '../../support/github/description.ts'
import { renameAccount } from '../../support/github/rename-account.ts'
import { type Github, type PrivateRepository, startGithub } from '../../support/github/start.ts'
import { sendRequest } from './send-request.ts'

interface Payload {
  action?: string
  number?: number
  pull_request?: { head: { sha: string } }
}

let github: Github
let made: PrivateRepository
let taker: Server
/** `heads`: those of the pull requests at that moment. */
let arrived: { event: string; payload: Payload; heads: string[] }[]
let now: number

beforeEach(async () => {
  ;[arrived, now] = [[], Date.parse('2026-03-01T12:00:00Z')]
  taker = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const heads = github.data.repositories.get(Number(made.id))?.pulls.map(({ headSha }) => headSha) ?? []
    arrived.push({ event: String(request.headers['x-github-event']), payload: JSON.parse(text), heads })
    response.end()
  })
  await new Promise<void>((resolve) => taker.listen(0, '127.0.0.1', resolve))
  const address = taker.address()
  const port = typeof address === 'object' ? address?.port : 0
  github = await startGithub({ now: () => now, app: { hookUrl: `http://127.0.0.1:${port}/hook` } })
  github.install('acme')
  made = github.addRepository('acted')
})
afterEach(async () => {
  taker.closeAllConnections()
  taker.close()
  await github.stop()
})

const read = async (path: string) =>
  (await sendRequest(`${github.url}/repos/acme/acted/pulls${path}`, { token: made.reader })).body
const told = () => arrived.map(({ event, payload }) => [event, payload.action].filter(Boolean).join(' '))
const last = () => arrived.at(-1)?.payload

describe('the events of a pull request', () => {
  it('have the shapes of GitHub’s description, with the author as their sender', async () => {
    addAccount(github.data, 'alice', { id: 4711 })
    const { number } = await github.openPullRequest(made, {
      head: 'feat',
      author: 'alice',
      body: 'Why',
      files: [{ path: 'a.ts', lines: [[1, 1]] }],
    })
    expect(last()).toMatchObject({
      number,
      pull_request: {
        user: { login: 'alice', id: 4711, type: 'User' },
        author_association: 'NONE',
        head: { ref: 'feat', label: 'acme:feat', repo: { id: Number(made.id) } },
        base: { ref: 'main' },
        created_at: '2026-03-01T12:00:00Z',
        draft: false,
        mergeable: null,
        mergeable_state: 'unknown',
        changed_files: 1,
      },
      sender: { login: 'alice' },
    })
    now += 60_000
    await github.push(made, 'feat')
    await github.convertToDraft(made, number)
    await github.markReady(made, number)
    await github.editPullRequest(made, number, { title: 'Another', body: 'Because', base: 'stable' })
    await github.closePullRequest(made, number)
    await github.reopenPullRequest(made, number)
    await github.mergePullRequest(made, number)
    const pullEvents = arrived.filter(({ event }) => event === 'pull_request')
    expect(pullEvents.map(({ payload }) => payload.action)).toEqual([
      'opened',
      'synchronize',
      'converted_to_draft',
      'ready_for_review',
      'edited',
      'closed',
      'reopened',
      'closed',
    ])
    for (const { payload } of pullEvents)
      expect(eventFaults(`pull-request-${payload.action?.replaceAll('_', '-')}`, payload)).toEqual([])
  })

  it('name the former title, body and base after an edit', async () => {
    const { number, baseSha } = await github.openPullRequest(made, { head: 'feat', title: 'One' })
    await github.editPullRequest(made, number, { title: 'Two', body: 'Text', base: 'stable' })
    const base = { ref: { from: 'main' }, sha: { from: baseSha } }
    expect(last()).toMatchObject({ action: 'edited', changes: { title: { from: 'One' }, base } })
    expect(last()).not.toHaveProperty('changes.body')
    expect(await read(`/${number}`)).toMatchObject({ title: 'Two', body: 'Text', base: { ref: 'stable' } })
  })

  it('lead to a merge commit that is the head of the base', async () => {
    const { number } = await github.openPullRequest(made, { head: 'feat', mergeableState: 'dirty' })
    await github.mergePullRequest(made, number)
    const merge_commit_sha = github.data.repositories.get(Number(made.id))?.branches.get('main')
    expect(last()).toMatchObject({ pull_request: { merged: true, merge_commit_sha, mergeable: null } })
  })
})

describe('a push', () => {
  it('moves every open pull request of the branch before the first event, and adds the commit', async () => {
    const { number, headSha } = await github.openPullRequest(made, { head: 'feat' })
    await github.openPullRequest(made, { head: 'feat', base: 'stable' })
    const closed = await github.openPullRequest(made, { head: 'feat', base: 'old' })
    await github.closePullRequest(made, closed.number)
    arrived = []
    now += 60_000
    await github.push(made, 'feat', {}, { changed: [{ path: 'a.ts', lines: [[3, 4]] }], author: 'bob' })
    expect(told()).toEqual(['push', 'pull_request synchronize', 'pull_request synchronize'])
    const after = last()?.pull_request?.head.sha
    expect(arrived[0]?.heads).toEqual([after, after, headSha])
    expect(arrived[0]?.payload).toMatchObject({ after, pusher: { name: 'bob' }, sender: { login: 'bob' } })
    expect(last()).toMatchObject({ before: headSha, after, pull_request: { updated_at: '2026-03-01T12:01:00Z' } })
    expect(await read(`/${number}/files`)).toMatchObject([{ filename: 'a.ts' }])
    expect(await read(`/${number}/commits`)).toMatchObject([{ sha: headSha }, { sha: after, author: { login: 'bob' } }])
    expect(closed.headSha).toBe(headSha)
  })

  it('that is forced replaces the commits', async () => {
    const { number } = await github.openPullRequest(made, { head: 'feat', commits: [{}, {}, {}] })
    await github.push(made, 'feat', {}, { forced: true, commits: [{ message: 'Squashed' }] })
    expect(await read(`/${number}/commits`)).toMatchObject([{ commit: { message: 'Squashed' } }])
    expect(arrived.find(({ event }) => event === 'push')?.payload).toMatchObject({ forced: true })
  })

  it('to a fork sends the event of the repository alone', async () => {
    const fork = github.forkRepository(made, 'carol')
    const { number } = await github.openPullRequest(made, { head: 'main', from: fork, author: 'carol' })
    arrived = []
    await github.push(fork, 'main', { 'a.ts': 'a' })
    expect(told()).toEqual(['pull_request synchronize'])
    expect(last()).toMatchObject({ number, pull_request: { head: { label: 'carol:main', repo: { fork: true } } } })
    expect(await read(`/${number}/files`)).toMatchObject([{ filename: 'a.ts', status: 'added' }])
    await github.deleteBranch(fork, 'main')
    expect(last()).toMatchObject({ action: 'closed', number })
  })
})

describe('a fork that is gone', () => {
  it('closes its pull requests, or leaves them open without a head repository', async () => {
    const [one, other] = [github.forkRepository(made, 'carol'), github.forkRepository(made, 'dave')]
    const closed = await github.openPullRequest(made, { head: 'feat', from: one, author: 'carol' })
    const left = await github.openPullRequest(made, { head: 'feat', from: other, author: 'dave' })
    arrived = []
    await github.deleteFork(one)
    await github.deleteFork(other, { keepsOpen: true })
    expect(told()).toEqual(['pull_request closed'])
    expect(last()).toMatchObject({ number: closed.number, pull_request: { merged: false, head: { repo: null } } })
    expect(await read('')).toMatchObject([{ number: left.number, head: { label: 'dave:feat', repo: null } }])
  })
})

describe('the author', () => {
  it('is related to the repository by their role, unless a test says otherwise', async () => {
    const association = async (author?: string, given?: 'MEMBER') => {
      const opening = {
        head: `of-${author}-${given}`,
        ...(author ? { author } : {}),
        ...(given ? { association: given } : {}),
      }
      return (await github.openPullRequest(made, opening)).authorAssociation
    }
    expect(await association()).toBe('OWNER')
    expect(await association(`writer${made.id}`)).toBe('COLLABORATOR')
    expect(await association('stranger')).toBe('NONE')
    expect(await association('stranger', 'MEMBER')).toBe('MEMBER')
  })

  it('is a bot if the login says so', async () => {
    await github.openPullRequest(made, { head: 'bump', author: 'renovate[bot]' })
    expect(last()).toMatchObject({
      pull_request: { user: { login: 'renovate[bot]', type: 'Bot', html_url: 'https://github.com/apps/renovate' } },
    })
  })

  it('keeps their id under another login, and another account may take the former one', async () => {
    const token = github.addToken('ghp_alice', 'alice')
    const { number } = await github.openPullRequest(made, { head: 'one', author: 'alice' })
    const { id } = addAccount(github.data, 'alice')
    renameAccount(github.data, 'alice', 'alice-now')
    const other = await github.openPullRequest(made, { head: 'two', author: 'alice' })
    expect(await read(`/${number}`)).toMatchObject({ user: { login: 'alice-now', id } })
    expect(await read(`/${number}/commits`)).toMatchObject([{ author: { login: 'alice-now' } }])
    expect(await read(`/${other.number}`)).not.toMatchObject({ user: { id } })
    expect((await sendRequest(`${github.url}/user`, { token })).body).toMatchObject({ login: 'alice-now', id })
  })
})
