import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { Webhooks } from '@octokit/webhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Github, type PrivateRepository, startGithub } from '../../support/github/start.ts'
import { jsonWebToken } from './json-web-token.ts'
import { sendRequest } from './send-request.ts'

interface Arrived {
  headers: IncomingHttpHeaders
  text: string
}

let github: Github
let made: PrivateRepository
let taker: Server
let arrived: Arrived[]
let status: number
let now: number

beforeEach(async () => {
  ;[arrived, status, now] = [[], 202, Date.now()]
  taker = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    arrived.push({ headers: request.headers, text })
    response.writeHead(status).end('taken')
  })
  await new Promise<void>((resolve) => taker.listen(0, '127.0.0.1', resolve))
  const address = taker.address()
  const port = typeof address === 'object' ? address?.port : 0
  github = await startGithub({ now: () => now, app: { hookUrl: `http://127.0.0.1:${port}/hook` } })
  github.install('acme')
  made = github.addRepository('watched')
})
afterEach(async () => {
  taker.closeAllConnections()
  taker.close()
  await github.stop()
})

const asApp = (path: string, method = 'GET') =>
  sendRequest(path.startsWith('http') ? path : github.url + path, { method, token: jsonWebToken(github.data.app) })

const told = () =>
  arrived.map(({ headers, text }) => `${headers['x-github-event']} ${JSON.parse(text).action ?? JSON.parse(text).ref}`)

describe('a delivery', () => {
  it('arrives signed with its GUID, and is recorded with its outcome', async () => {
    const delivery = await github.deliver('ping', { zen: 'Keep it logically awesome.' }, { guid: 'a-guid' })
    expect(delivery).toMatchObject({ guid: 'a-guid', event: 'ping', status: 'OK', statusCode: 202, redelivery: false })
    const [{ headers, text } = { headers: {}, text: '' }] = arrived
    expect(headers).toMatchObject({ 'x-github-delivery': 'a-guid', 'x-github-event': 'ping' })
    const webhooks = new Webhooks({ secret: github.data.app.webhookSecret })
    expect(await webhooks.verify(text, String(headers['x-hub-signature-256']))).toBe(true)
    status = 500
    expect(await github.deliver('ping', {})).toMatchObject({ status: 'Invalid HTTP Response: 500', statusCode: 500 })
    expect(github.data.deliveries.map(({ statusCode }) => statusCode)).toEqual([202, 500])
  })

  it('does not arrive if it is lost, and is recorded as failed or not at all', async () => {
    github.loseNext(1)
    expect(await github.deliver('ping', {})).toMatchObject({ statusCode: 502 })
    github.loseNext(1, { recorded: false })
    await github.deliver('ping', {})
    expect(arrived).toEqual([])
    expect(github.data.deliveries).toHaveLength(1)
    await github.deliver('ping', {})
    expect(arrived).toHaveLength(1)
  })

  it('goes to a given address, signed with a given secret', async () => {
    const { hookUrl } = github.data.app
    github.data.app.hookUrl = null
    await github.deliver('ping', { zen: 'Design for failure.' }, { to: `${hookUrl}/elsewhere`, secret: 'another' })
    const [{ headers, text } = { headers: {}, text: '' }] = arrived
    const webhooks = new Webhooks({ secret: 'another' })
    expect(await webhooks.verify(text, String(headers['x-hub-signature-256']))).toBe(true)
    await expect(github.deliver('ping', {})).rejects.toThrow(/no webhook URL/)
  })

  it('fails if nothing listens at the address', async () => {
    github.data.app.hookUrl = 'http://127.0.0.1:1/hook'
    expect(await github.deliver('ping', {})).toMatchObject({ status: 'failed to connect to host', statusCode: 502 })
  })
})

describe('the App', () => {
  it('lists its failed deliveries newest first, by a cursor, for three days', async () => {
    github.loseNext(3)
    for (const guid of ['one', 'two', 'three', 'well']) await github.deliver('ping', {}, { guid })
    const first = await asApp('/app/hook/deliveries?status=failure&per_page=2')
    expect(first.body).toMatchObject([{ guid: 'three' }, { guid: 'two' }])
    const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    const second = await asApp(next)
    expect(second.body).toMatchObject([{ guid: 'one' }])
    expect(second.headers.get('link')).toBeNull()
    expect((await asApp('/app/hook/deliveries?status=success')).body).toMatchObject([{ guid: 'well' }])
    now += 3 * 86_400_000
    expect((await asApp('/app/hook/deliveries')).body).toEqual([])
  })

  it('can redeliver one: a new delivery with the same bytes and GUID', async () => {
    github.loseNext()
    const lost = await github.deliver('ping', { zen: 'Again.' })
    expect(await asApp(`/app/hook/deliveries/${lost.id}/attempts`, 'POST')).toMatchObject({ status: 202, body: {} })
    await github.settled()
    expect(arrived).toMatchObject([{ text: lost.request.text, headers: { 'x-github-delivery': lost.guid } }])
    expect((await asApp('/app/hook/deliveries')).body).toMatchObject([
      { guid: lost.guid, redelivery: true, status: 'OK' },
      { id: lost.id, redelivery: false, status_code: 502 },
    ])
    expect((await asApp('/app/hook/deliveries/1/attempts', 'POST')).status).toBe(404)
  })
})

describe('what people do', () => {
  const reader = (path: string) => sendRequest(`${github.url}/repos/acme/watched${path}`, { token: made.reader })

  it('a pull request is pushed, opened, made ready and merged, and its branch deleted', async () => {
    await github.push(made, 'feat', { 'src/a.ts': 'a' })
    const { number } = await github.openPullRequest(made, { head: 'feat', draft: true })
    await github.markReady(made, number)
    expect((await reader('/pulls')).body).toMatchObject([{ number, draft: false, head: { ref: 'feat' } }])
    await github.mergePullRequest(made, number, { files: { 'src/a.ts': 'a' }, deleteBranch: true })
    expect(told()).toEqual([
      'push refs/heads/feat',
      'pull_request opened',
      'pull_request ready_for_review',
      'push refs/heads/main',
      'pull_request closed',
      'push refs/heads/feat',
      'delete feat',
    ])
    expect((await reader(`/pulls/${number}`)).body).toMatchObject({ state: 'closed', merged: true })
    expect((await reader('/branches')).body).toMatchObject([{ name: 'main' }])
    expect((await reader('/contents/src/a.ts')).status).toBe(200)
  })

  it('a pull request is closed when its branch is deleted, and one of a fork is not', async () => {
    const fork = github.addRepository('watched', 'carol')
    const own = await github.openPullRequest(made, { head: 'feat' })
    const foreign = await github.openPullRequest(made, { head: 'feat', from: fork })
    await github.deleteBranch(made, 'feat')
    expect([own.state, foreign.state]).toEqual(['closed', 'open'])
    expect(own.mergedAt).toBeNull()
    expect((await reader(`/pulls/${foreign.number}`)).body).toMatchObject({
      head: { label: 'carol:feat', repo: { id: Number(fork.id) } },
    })
  })

  it('a push to the default branch lists the changed files', async () => {
    await github.push(made, 'main', { 'a.md': 'a', 'b.md': 'b' })
    await github.push(made, 'main', { 'a.md': 'changed', 'b.md': null, 'c.md': 'c' })
    const { commits } = JSON.parse(arrived.at(-1)?.text ?? '{}')
    expect(commits).toMatchObject([{ added: ['c.md'], modified: ['a.md'], removed: ['b.md'] }])
    expect((await reader('/contents/b.md')).status).toBe(404)
  })

  it('a repository is renamed, transferred, made public, and given another default branch', async () => {
    github.install('umbrella')
    await github.renameRepository(made, 'renamed')
    await github.transferRepository(made, 'umbrella')
    await github.setPrivate(made, false)
    await github.setDefaultBranch(made, 'trunk')
    expect(told()).toEqual(['renamed', 'transferred', 'publicized', 'edited'].map((action) => `repository ${action}`))
    expect((await reader('')).headers.get('location')).toBe(`${github.url}/repositories/${made.id}`)
    const { body } = await sendRequest(`${github.url}/repos/umbrella/renamed`)
    expect(body).toMatchObject({ id: Number(made.id), private: false, default_branch: 'trunk' })
  })

  it('sends subscribed events where the App is installed and not suspended', async () => {
    const [installation] = [...github.data.installations.values()]
    if (installation === undefined) throw new Error('not installed')
    const other = github.addRepository('other')
    await github.chooseRepositories(installation, [other])
    await github.chooseRepositories(installation, [other])
    await github.deleteBranch(made, 'feat')
    await github.suspend(installation)
    await github.deleteTag(other, 'v1')
    await github.unsuspend(installation)
    await github.deleteTag(other, 'v1')
    github.data.app.events = ['push']
    await github.deleteTag(other, 'v1')
    await github.uninstall(installation)
    await github.push(other, 'main')
    expect(told()).toEqual([
      'installation_repositories removed',
      'installation suspend',
      'installation unsuspend',
      'delete v1',
      'installation deleted',
    ])
    expect(JSON.parse(arrived[0]?.text ?? '')).toMatchObject({
      repositories_added: [],
      repositories_removed: [{ id: Number(made.id) }],
    })
  })

  it('changes the data also without a webhook URL', async () => {
    github.data.app.hookUrl = null
    await github.push(made, 'feat')
    expect((await reader('/git/matching-refs/heads/fe')).body).toMatchObject([{ ref: 'refs/heads/feat' }])
    expect(github.data.deliveries).toEqual([])
  })
})
