import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addPull } from '../../support/github/build-data.ts'
import { changedFile } from '../../support/github/changed-files.ts'
import { newCommits } from '../../support/github/commits.ts'
import { repositoryOf } from '../../support/github/data.ts'
import { faults } from '../../support/github/faults.ts'
import { type Github, type PrivateRepository, startGithub } from '../../support/github/start.ts'
import { addToken } from '../../support/github/tokens.ts'
import { sendRequest } from './send-request.ts'

let github: Github
let made: PrivateRepository
beforeAll(async () => {
  github = await startGithub()
  made = github.addRepository('pulled')
})
afterAll(() => github.stop())

const read = (path: string, token: string | undefined = made.reader) =>
  sendRequest(path.startsWith('http') ? path : `${github.url}/repos/acme/pulled${path}`, { token })

/** Every page of a list, as lists. */
async function pagesOf(path: string): Promise<unknown[][]> {
  const pages: unknown[][] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const { body, headers } = await read(next)
    pages.push(body as unknown[])
    next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  }
  return pages
}

describe('the files of a pull request', () => {
  it('have the patch, the counts and the former name, with the head in their URLs', async () => {
    const { number, headSha, baseSha } = await github.openPullRequest(made, {
      head: 'feat',
      files: [
        { path: 'src/a.ts', lines: [[12, 20]] },
        { path: 'b c.ts', previousPath: 'src/b.ts' },
        { path: 'old.ts', status: 'removed', lines: [[1, 2]] },
        { path: 'logo.png', status: 'added' },
        { path: 'run.sh', status: 'changed' },
        { path: 'large.sql', additions: 9_000, deletions: 1 },
        { path: 'copy.ts', status: 'copied', previousPath: 'src/a.ts' },
      ],
    })
    const { body } = await read(`/pulls/${number}/files`)
    expect(body).toMatchObject([
      { filename: 'src/a.ts', status: 'modified', additions: 9, deletions: 9, changes: 18 },
      { filename: 'b c.ts', status: 'renamed', previous_filename: 'src/b.ts', changes: 0 },
      { filename: 'old.ts', status: 'removed', additions: 0, deletions: 2 },
      { filename: 'logo.png', status: 'added', changes: 0 },
      { filename: 'run.sh', status: 'changed', changes: 0 },
      { filename: 'large.sql', status: 'modified', additions: 9_000, deletions: 1 },
      { filename: 'copy.ts', status: 'copied', previous_filename: 'src/a.ts' },
    ])
    const files = body as { patch?: string; contents_url: string; blob_url: string }[]
    expect(files.map(({ patch }) => patch !== undefined)).toEqual([true, false, true, false, false, false, false])
    expect(files[1]?.contents_url).toBe(`${github.url}/repos/acme/pulled/contents/b%20c.ts?ref=${headSha}`)
    expect(files[2]?.blob_url).toContain(baseSha)
    expect((await read(`/pulls/${number}`)).body).toMatchObject({ changed_files: 7, additions: 9_009, deletions: 12 })
    expect((await read('/pulls/999/files')).status).toBe(404)
  })

  it('are paged by up to 100, and are 3,000 at most', async () => {
    const files = Array.from({ length: 3_001 }, (_, n) => changedFile({ path: `src/${n}.ts` }))
    const { number } = addPull(github.data, repositoryOf(github.data, Number(made.id)), { head: 'wide', files })
    expect((await read(`/pulls/${number}/files`)).body).toHaveLength(30)
    const pages = await pagesOf(`/pulls/${number}/files?per_page=200`)
    expect(pages.map(({ length }) => length)).toEqual(Array(30).fill(100))
    expect((await read(`/pulls/${number}`)).body).toMatchObject({ changed_files: 3_001 })
  })

  it('are computed from the texts that were pushed to the branch', async () => {
    await github.push(made, 'main', { 'src/a.ts': 'one\ntwo\n' })
    await github.push(made, 'texts', { 'src/a.ts': 'one\n2\n', 'src/new.ts': 'new\n' })
    const { number } = await github.openPullRequest(made, { head: 'texts' })
    const shown = async () => (await read(`/pulls/${number}/files`)).body
    expect(await shown()).toMatchObject([
      { filename: 'src/a.ts', status: 'modified', patch: '@@ -1,2 +1,2 @@\n one\n-two\n+2' },
      { filename: 'src/new.ts', status: 'added', patch: '@@ -0,0 +1 @@\n+new' },
    ])
    await github.push(made, 'texts', { 'src/new.ts': null })
    expect(await shown()).toMatchObject([{ filename: 'src/a.ts' }])
    await github.push(made, 'texts', {}, { changed: [{ path: 'docs/x.md', lines: [[3, 3]] }] })
    expect(await shown()).toMatchObject([{ filename: 'docs/x.md' }])
  })
})

describe('the commits of a pull request', () => {
  it('are oldest first, with their dates and authors, and end with the head', async () => {
    const { number, headSha } = await github.openPullRequest(made, {
      head: 'dated',
      author: 'alice',
      commits: [
        { committedAt: new Date('2026-01-02T03:04:05Z'), authoredAt: new Date('2026-01-01T00:00:00Z') },
        { committedAt: new Date('2026-01-03T00:00:00Z'), author: null, message: 'Fix' },
      ],
    })
    const { body } = await read(`/pulls/${number}/commits`)
    const [first] = body as { sha: string }[]
    expect(body).toMatchObject([
      {
        commit: { author: { date: '2026-01-01T00:00:00Z' }, committer: { date: '2026-01-02T03:04:05Z' } },
        author: { login: 'alice' },
      },
      { sha: headSha, commit: { message: 'Fix' }, author: null, parents: [{ sha: first?.sha }] },
    ])
    await github.push(made, 'dated')
    expect((await pagesOf(`/pulls/${number}/commits?per_page=2`)).map(({ length }) => length)).toEqual([2, 1])
  })

  it('are 250 at most, without the newest', async () => {
    const commits = newCommits(github.data, Array(251).fill({}), null)
    const { number } = addPull(github.data, repositoryOf(github.data, Number(made.id)), { head: 'long', commits })
    const shas = (await pagesOf(`/pulls/${number}/commits?per_page=100`))
      .flat()
      .map((one) => (one as { sha: string }).sha)
    expect(shas).toEqual(commits.slice(0, 250).map(({ sha }) => sha))
    expect((await read(`/pulls/${number}`)).body).toMatchObject({ commits: 251 })
  })
})

describe('pull requests in a private repository', () => {
  const paths = ['/pulls', '/pulls/1', '/pulls/1/files', '/pulls/1/commits']

  it('need the permission pull_requests of a fine-grained or installation token', async () => {
    repositoryOf(github.data, Number(made.id)).roles.set('dave', 'write')
    const bare = addToken(github.data, 'github_pat_bare', 'dave', { grants: { contents: 'write' } }).token
    const able = addToken(github.data, 'github_pat_able', 'dave', { grants: { pull_requests: 'read' } }).token
    const installation = github.install('acme', { permissions: { contents: 'read' } })
    const installed = github.addInstallationToken(installation)
    for (const path of paths) {
      expect(await read(path, bare)).toMatchObject({
        status: 403,
        body: { message: 'Resource not accessible by personal access token' },
      })
      expect(await read(path, installed)).toMatchObject({
        status: 403,
        body: { message: 'Resource not accessible by integration' },
      })
      expect((await read(path, able)).status).toBe(200)
      expect((await read(path, made.stranger)).status).toBe(404)
    }
  })

  it('need none in a public one, nor a token', async () => {
    await github.setPrivate(made, false)
    for (const path of paths) {
      expect((await read(path, 'github_pat_bare')).status).toBe(200)
      expect((await sendRequest(`${github.url}/repos/acme/pulled${path}`)).status).toBe(200)
    }
    await github.setPrivate(made, true)
  })
})

describe('whether a pull request can be merged', () => {
  it.each([
    ['clean', true],
    ['dirty', false],
    ['unknown', null],
  ] as const)('is told as %s', async (mergeableState, mergeable) => {
    const { number } = await github.openPullRequest(made, { head: `is-${mergeableState}`, mergeableState })
    expect((await read(`/pulls/${number}`)).body).toMatchObject({ mergeable, mergeable_state: mergeableState })
  })
})

describe('an action during a reading', () => {
  it('can come between two pages of a list', async () => {
    for (const n of [1, 2, 3]) await github.openPullRequest(made, { head: `listed-${n}`, base: 'stable' })
    const open = async () => void (await github.openPullRequest(made, { head: 'late', base: 'stable' }))
    github.fail(faults.runAfter(open), { path: /\/pulls\?.*base=stable/, times: 1 })
    const heads = (await pagesOf('/pulls?base=stable&per_page=2')).map((page) =>
      page.map((one) => (one as { head: { ref: string } }).head.ref),
    )
    expect(heads).toEqual([
      ['listed-3', 'listed-2'],
      ['listed-2', 'listed-1'],
    ])
  })

  it('can move the head while the second page of the files is read', async () => {
    const files = Array.from({ length: 5 }, (_, n) => ({ path: `src/${n}.ts` }))
    const { number, headSha } = await github.openPullRequest(made, { head: 'moving', files })
    github.fail(
      faults.runBefore(() => github.push(made, 'moving', {}, { changed: files.slice(0, 3) })),
      {
        path: `/repos/acme/pulled/pulls/${number}/files`,
        skip: 1,
        times: 1,
      },
    )
    const pages = await pagesOf(`/pulls/${number}/files?per_page=2`)
    const refs = pages.map((page) =>
      page.map((one) => (one as { contents_url: string }).contents_url.endsWith(headSha)),
    )
    expect(refs).toEqual([[true, true], [false]])
  })
})

describe('GET /user', () => {
  const user = (token?: string) => sendRequest(`${github.url}/user`, { token })

  it('shows the account of a token of any kind of user', async () => {
    const { id } = github.data.accounts.get(`reader${made.id}`) ?? {}
    expect(await user(made.reader)).toMatchObject({
      status: 200,
      body: { login: `reader${made.id}`, id, type: 'User' },
    })
    for (const token of ['github_pat_u', 'ghu_u', 'gho_u'])
      expect(await user(github.addToken(token, 'ursula'))).toMatchObject({ status: 200, body: { login: 'ursula' } })
  })

  it('is refused to an installation, and without a valid token', async () => {
    const token = github.addInstallationToken(github.install('acme'))
    expect(await user(token)).toMatchObject({
      status: 403,
      body: { message: 'Resource not accessible by integration' },
    })
    expect(await user()).toMatchObject({ status: 401, body: { message: 'Requires authentication' } })
    expect((await user('ghp_none')).status).toBe(401)
  })
})
