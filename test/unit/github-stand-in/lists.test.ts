import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addPull } from '../../support/github/build-data.ts'
import { type Repository, repositoryOf } from '../../support/github/data.ts'
import { type Github, type PrivateRepository, startGithub } from '../../support/github/start.ts'
import { sendRequest } from './send-request.ts'

let github: Github
let made: PrivateRepository
let repository: Repository
beforeAll(async () => {
  github = await startGithub()
  made = github.addRepository('listed')
  repository = repositoryOf(github.data, Number(made.id))
  for (const day of [1, 2, 3, 4, 5]) {
    const createdAt = new Date(Date.UTC(2025, 0, day))
    const updatedAt = new Date(Date.UTC(2025, 1, 10 - day))
    const state = day === 3 ? 'closed' : 'open'
    addPull(github.data, repository, { head: `feat-${day}`, createdAt, updatedAt, state })
  }
  repository.files.set('.github/headsup.yml', 'areas: {}\n').set('.github/large', 'x'.repeat(1024 * 1024 + 1))
  repository.files.set('docs/deep/page.md', '# Page').set('empty', '')
  for (const name of ['feat/a', 'feat/b', 'fix']) repository.branches.set(name, '1'.repeat(40))
})
afterAll(() => github.stop())

const read = (path: string, headers = {}) =>
  sendRequest(path.startsWith('http') ? path : `${github.url}/repos/acme/listed${path}`, {
    token: made.reader,
    headers,
  })

async function numbers(query: string): Promise<number[]> {
  const { body } = await read(`/pulls?${query}`)
  return (body as { number: number }[]).map(({ number }) => number)
}

describe('pull requests', () => {
  it('lists the open ones, newest first, by default', async () => {
    expect(await numbers('')).toEqual([5, 4, 2, 1])
    expect(await numbers('state=closed')).toEqual([3])
    expect(await numbers('state=all&direction=asc')).toEqual([1, 2, 3, 4, 5])
    expect(await numbers('state=all&sort=updated&direction=desc')).toEqual([1, 2, 3, 4, 5])
    expect(await numbers('state=all&sort=updated')).toEqual([5, 4, 3, 2, 1])
    expect(await numbers('head=acme:feat-2')).toEqual([2])
    expect(await numbers('head=feat-2')).toEqual([5, 4, 2, 1])
    expect(await numbers('base=trunk')).toEqual([])
  })

  it('are paged with links', async () => {
    const seen: unknown[] = []
    let next: string | undefined = '/pulls?state=all&per_page=2'
    while (next !== undefined) {
      const { body, headers } = await read(next)
      seen.push(...(body as { number: number }[]).map(({ number }) => number))
      next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    }
    expect(seen).toEqual([5, 4, 3, 2, 1])
    const middle = await read('/pulls?state=all&per_page=2&page=2')
    for (const relation of ['prev', 'next', 'last', 'first'])
      expect(middle.headers.get('link')).toContain(`rel="${relation}"`)
    expect((await read('/pulls?state=all')).headers.get('link')).toBeNull()
  })

  it('give 304 while none has changed', async () => {
    const first = await read('/pulls?state=all&sort=updated&direction=desc')
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
    expect((await read('/pulls?state=all&sort=updated&direction=desc', headers)).status).toBe(304)
    await github.retitle(made, 1, 'Another')
    expect((await read('/pulls?state=all&sort=updated&direction=desc', headers)).status).toBe(200)
  })

  it('show null for the repository of a fork that was deleted', async () => {
    const { number } = addPull(github.data, repository, { head: 'gone', headRepositoryId: null })
    expect((await read(`/pulls/${number}`)).body).toMatchObject({ head: { ref: 'gone', repo: null } })
    expect((await read('/pulls/999')).status).toBe(404)
  })
})

describe('contents', () => {
  it('are base64 in lines, with the blob id of git', async () => {
    const { body } = await read('/contents/.github/headsup.yml')
    expect(body).toMatchObject({ type: 'file', encoding: 'base64', size: 10, path: '.github/headsup.yml' })
    const { content, sha } = body as { content: string; sha: string }
    expect(Buffer.from(content, 'base64').toString()).toBe('areas: {}\n')
    expect(sha).toBe('b81ac7dbb5c16367f3ee92293395154993ca72d9')
    expect((await read('/contents/empty')).body).toMatchObject({ content: '', size: 0 })
  })

  it('are omitted for a file over 1 MiB, and sent unchanged as raw', async () => {
    expect((await read('/contents/.github/large')).body).toMatchObject({ encoding: 'none', content: '' })
    const raw = await read('/contents/.github/headsup.yml', { accept: 'application/vnd.github.raw+json' })
    expect(raw.body).toBe('areas: {}\n')
  })

  it('are the entries of a directory, or 404', async () => {
    expect((await read('/contents/docs')).body).toMatchObject([{ name: 'deep', path: 'docs/deep', type: 'dir' }])
    const root = (await read('/contents')).body as { path: string }[]
    expect(root.map(({ path }) => path)).toEqual(['.github', 'docs', 'empty'])
    expect((await read('/contents/none')).status).toBe(404)
    expect((await read('/contents/empty?ref=none')).status).toBe(404)
    expect((await read('/contents/empty?ref=fix')).status).toBe(200)
  })
})

describe('branches', () => {
  it('are listed by name, and by prefix', async () => {
    const names = async (path: string) => ((await read(path)).body as { name: string }[]).map(({ name }) => name)
    expect(await names('/branches')).toEqual(['feat/a', 'feat/b', 'fix', 'main'])
    expect(await names('/branches?per_page=1&page=2')).toEqual(['feat/b'])
    const refs = (await read('/git/matching-refs/heads/fe')).body as { ref: string }[]
    expect(refs.map(({ ref }) => ref)).toEqual(['refs/heads/feat/a', 'refs/heads/feat/b'])
    expect((await read('/git/matching-refs/heads/none')).body).toEqual([])
    expect((await read('/git/ref/heads/fe')).status).toBe(404)
    expect((await read('/branches/feat/a')).body).toMatchObject({ name: 'feat/a' })
    expect((await read('/branches/none')).status).toBe(404)
  })
})
