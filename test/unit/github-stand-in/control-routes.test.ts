import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startControlledGithub } from '../../support/github/control-routes.ts'
import { readDataFile } from '../../support/github/data-file.ts'
import type { Github } from '../../support/github/start.ts'
import { sendRequest } from './send-request.ts'

let github: Github
beforeAll(async () => {
  github = await startControlledGithub()
})
afterAll(() => github.stop())

async function command(name: string, body: object = {}, status = 200): Promise<Record<string, unknown>> {
  const answer = await sendRequest(`${github.url}/_control/${name}`, { method: 'POST', body })
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status })
  return answer.body as Record<string, unknown>
}

it('takes control commands over HTTP and sends their webhooks', async () => {
  const events: unknown[] = []
  const taker = createServer((request, response) => {
    events.push(request.headers['x-github-event'])
    request.resume().on('end', () => response.end())
  })
  await new Promise<void>((resolve) => taker.listen(0, '127.0.0.1', resolve))
  const address = taker.address()
  const port = typeof address === 'object' ? address?.port : 0
  const repository = 'acme/demo'
  await command('hook', { url: `http://127.0.0.1:${port}`, secret: 'shared' })
  const { writer } = await command('add-repository', { repository, files: { 'README.md': 'Hello' } })
  await command('add-token', { token: 'ghp_alice', login: 'alice', repository })
  await command('install', { login: 'acme' })
  await command('push', { repository, branch: 'feat', files: { 'src/a.ts': 'a' } })
  const { number } = await command('open-pull-request', { repository, head: 'feat', draft: true })
  await command('merge-pull-request', { repository, number, deleteBranch: true })
  await command('lose-next')
  await command('rename-repository', { repository, name: 'renamed' })
  expect(events).toEqual(['push', 'pull_request', 'push', 'pull_request', 'push', 'delete'])
  const shown = await sendRequest(`${github.url}/repos/acme/renamed`, { token: 'ghp_alice' })
  expect(shown).toMatchObject({ status: 200, body: { permissions: { push: true } } })
  expect((await sendRequest(`${github.url}/repos/acme/demo`, { token: String(writer) })).status).toBe(301)
  const { app, deliveries } = await command('state')
  expect(app).toMatchObject({ webhookSecret: 'shared', privateKey: expect.stringContaining('PRIVATE KEY') })
  expect(deliveries).toHaveLength(7)
  taker.close()
})

it('lists its routes and commands at /, with examples that work', async () => {
  const answer = await fetch(github.url)
  expect(answer.headers.get('content-type')).toContain('text/plain')
  const page = await answer.text()
  for (const line of [
    'GET /repos/{owner}/{repo}',
    'push repository branch files? changed? commits? forced? author?',
    'lose-next count?',
    'state',
  ]) {
    expect(page.split('\n')).toContain(`  ${line}`)
  }
  const examples = [...page.matchAll(/curl (\S+) -d '(.*)'/g)]
  expect(examples).toHaveLength(2)
  for (const [, url = '', body] of examples) {
    // curl calls the data of -d a form.
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await fetch(url, { method: 'POST', headers, body: body ?? '' })).status).toBe(200)
  }
  const [, token = '', shown = ''] = /curl -H 'Authorization: Bearer (\S+)' (\S+)/.exec(page) ?? []
  expect(await sendRequest(shown, { token })).toMatchObject({ status: 200, body: { permissions: { push: true } } })
})

it('loads its initial data from a file', async () => {
  const repository = 'acme/described'
  const data = {
    repositories: [{ repository, private: false, files: { 'README.md': 'Hello' } }],
    tokens: [{ token: 'ghp_dora', login: 'dora', repository, role: 'read' }],
    installations: [{ login: 'acme' }],
    pushes: [{ repository, branch: 'feat' }],
    pull_requests: [{ repository, head: 'feat', title: 'A feature' }],
  }
  await readDataFile(github, JSON.stringify(data))
  const pulls = await sendRequest(`${github.url}/repos/${repository}/pulls`, { token: 'ghp_dora' })
  expect(pulls.body).toMatchObject([{ number: 1, title: 'A feature', head: { ref: 'feat' } }])
  const wrong = { ...data, repositories: [], pull_requests: [{ repository: 'acme/none', head: 'x' }] }
  await expect(readDataFile(github, JSON.stringify(wrong))).rejects.toThrow(/pull_requests\[0\].*acme\/none/)
  await expect(readDataFile(github, '{"pulls": []}')).rejects.toThrow(/pulls/)
})

it('loads forks and pull requests with their files, commits and authors', async () => {
  const repository = 'acme/contributed'
  const data = {
    repositories: [{ repository, private: false }],
    forks: [{ repository, login: 'erin' }],
    pull_requests: [
      {
        repository,
        head: 'feat',
        from: 'erin/contributed',
        number: 12,
        author: 'erin',
        association: 'CONTRIBUTOR',
        files: [{ path: 'src/a.ts', lines: [[12, 20]] }],
        commits: [{ committedAt: '2026-01-02T03:04:05Z' }],
        createdAt: '2026-01-02T03:05:00Z',
      },
      { repository, head: 'agent', author: 'Copilot', bot: true },
    ],
  }
  await readDataFile(github, JSON.stringify(data))
  const read = async (path: string) => (await sendRequest(`${github.url}/repos/${repository}/pulls${path}`)).body
  expect(await read('/12')).toMatchObject({
    user: { login: 'erin', type: 'User' },
    author_association: 'CONTRIBUTOR',
    head: { label: 'erin:feat', repo: { full_name: 'erin/contributed', fork: true } },
    created_at: '2026-01-02T03:05:00Z',
    changed_files: 1,
  })
  expect(await read('/12/files')).toMatchObject([{ filename: 'src/a.ts', additions: 9, deletions: 9 }])
  expect(await read('/12/commits')).toMatchObject([{ commit: { committer: { date: '2026-01-02T03:04:05Z' } } }])
  expect(await read('/13')).toMatchObject({ user: { login: 'Copilot', type: 'Bot' } })
  const wrong = { pull_requests: [{ repository, head: 'x', files: [{ path: 'a', line: [[1, 2]] }] }] }
  await expect(readDataFile(github, JSON.stringify(wrong))).rejects.toThrow(/pull_requests\[0\].*line/s)
})

it('takes commands on pull requests', async () => {
  const repository = 'acme/commanded'
  const { writer } = await command('add-repository', { repository })
  const { number } = await command('open-pull-request', { repository, head: 'feat', files: [{ path: 'a.ts' }] })
  const read = async () =>
    (await sendRequest(`${github.url}/repos/${repository}/pulls/${number}`, { token: String(writer) })).body
  await command('push', { repository, branch: 'feat', changed: [{ path: 'b.ts' }, { path: 'c.ts' }] })
  expect(await read()).toMatchObject({ changed_files: 2, commits: 2 })
  await command('edit-pull-request', { repository, number, title: 'Another', base: 'stable' })
  await command('convert-to-draft', { repository, number })
  expect(await read()).toMatchObject({ title: 'Another', base: { ref: 'stable' }, draft: true })
  await command('mark-ready', { repository, number })
  await command('close-pull-request', { repository, number })
  expect(await read()).toMatchObject({ draft: false, state: 'closed', merged_at: null })
  await command('reopen-pull-request', { repository, number })
  expect(await read()).toMatchObject({ state: 'open', closed_at: null })
  await command('fork-repository', { repository, login: 'frank' })
  const opened = { repository, head: 'feat', from: 'frank/commanded', author: 'frank' }
  const { number: foreign } = await command('open-pull-request', opened)
  await command('delete-fork', { repository: 'frank/commanded' })
  const gone = await sendRequest(`${github.url}/repos/${repository}/pulls/${foreign}`, { token: String(writer) })
  expect(gone.body).toMatchObject({ state: 'closed', head: { label: 'frank:feat', repo: null } })
})

it('fails on demand until the faults are cleared', async () => {
  const { writer, owner, name } = await command('add-repository', { repository: 'acme/faulty' })
  const read = () => sendRequest(`${github.url}/repos/${owner}/${name}`, { token: String(writer) })
  await command('fail', { fault: 'secondaryLimit', argument: 7, path: '/repos/acme/faulty' })
  expect((await read()).headers.get('retry-after')).toBe('7')
  await command('heal')
  expect((await read()).status).toBe(200)
})

it('explains an invalid command, and does not count commands as requests', async () => {
  const before = github.requests.length
  expect((await command('nothing', {}, 404)).message).toContain('merge-pull-request')
  expect((await command('fail', { fault: 'none' }, 422)).message).toContain('unicorn')
  expect((await command('push', { repository: 'acme/none', branch: 'x' }, 422)).message).toContain('acme/none')
  expect(github.requests).toHaveLength(before)
})
