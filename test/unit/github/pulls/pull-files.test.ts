import { describe, expect, it } from 'vitest'
import { listLatestPulls, listOpenPulls, readPull } from '../../../../src/service/github/pulls/list-pulls.ts'
import { readPullFiles } from '../../../../src/service/github/pulls/pull-files.ts'
import type { SendRequest } from '../../../../src/service/github/pulls/read-response.ts'

const at = { id: 1n, owner: 'acme', name: 'app' }
const [head, other] = ['a'.repeat(40), 'b'.repeat(40)]

interface PullShape {
  number?: number
  sha?: string
  state?: string
  repositoryId?: number
  more?: object
}

/** A pull request as GitHub shows it, with fields that nobody reads. */
const pull = ({ number = 7, sha = head, state = 'open', repositoryId = 1, more = {} }: PullShape = {}) => ({
  number,
  state,
  title: 'Rework the login',
  user: { id: 7, login: 'alice', type: 'User' },
  author_association: 'MEMBER',
  draft: false,
  created_at: '2026-11-18T08:00:00Z',
  updated_at: '2026-11-19T08:00:00Z',
  closed_at: state === 'closed' ? '2026-11-19T08:00:00Z' : null,
  merged_at: null,
  head: { ref: 'feat', sha, user: { login: 'acme' }, repo: { id: 1, owner: { login: 'acme' }, forks: 3 } },
  base: { ref: 'main', sha: other, repo: { id: repositoryId } },
  labels: [],
  ...more,
})
const commit = (sha: string) => ({ sha, commit: { committer: { date: '2026-11-19T07:00:00Z' } } })
const file = { filename: 'src/a.ts', status: 'modified', additions: 1, deletions: 1, patch: '@@ -3 +3 @@\n-a\n+b' }

/** A GitHub that responds by the end of the route. A list of lists is its pages. */
function github(replies: { list?: unknown[][]; pull?: unknown; files?: unknown; commits?: unknown }) {
  const asked: { route: string; per_page: unknown }[] = []
  const request: SendRequest = async ({ route, parameters }) => {
    asked.push({ route: route.replace('GET /repos/{owner}/{repo}', ''), per_page: parameters.per_page })
    if (/\/pulls$/.test(route)) return page(replies.list ?? [], Number(parameters.page))
    const body = /files$/.test(route) ? replies.files : /commits$/.test(route) ? replies.commits : replies.pull
    const status = typeof body === 'number' ? body : body === undefined ? 404 : 200
    return { kind: 'response', status, headers: {}, body }
  }
  return { request, asked }
}

function page(pages: unknown[][], number: number) {
  const headers: Record<string, string> = number < pages.length ? { link: '<https://api.example/2>; rel="next"' } : {}
  return { kind: 'response', status: 200, headers, body: pages[number - 1] ?? [] } as const
}

const read = (replies: Parameters<typeof github>[0], attempts = 0) => {
  const { request, asked } = github(replies)
  return { reading: readPullFiles(request, at, { number: 7, headSha: head, attempts }), asked }
}

describe('reading a pull request', () => {
  it('takes two requests, the commits last', async () => {
    const { reading, asked } = read({ files: [file], commits: [commit(other), commit(head)] })
    expect(await reading).toEqual({
      kind: 'files',
      read: {
        headSha: head,
        files: [{ path: 'src/a.ts', previous_path: null, status: 'modified', lines: [[3, 3]] }],
        filesTotal: 1,
        isPartlyListed: false,
        commits: [other, head],
        committedAt: new Date('2026-11-19T07:00:00Z'),
      },
    })
    expect(asked.map(({ route }) => route)).toEqual(['/pulls/{pull_number}/files', '/pulls/{pull_number}/commits'])
  })

  it('discards the files of another head', async () => {
    const { reading } = read({ files: [file], commits: [commit(other)], pull: pull({ sha: other }) })
    expect(await reading).toMatchObject({ kind: 'changed', facts: { headSha: other } })
  })

  it('accepts files where the commits end elsewhere and GitHub says that this is the head', async () => {
    const { reading, asked } = read({ files: [file], commits: [commit(other)], pull: pull() })
    expect(await reading).toMatchObject({ kind: 'files' })
    expect(asked).toHaveLength(3)
  })

  it('requests the pull request itself where GitHub lists no files', async () => {
    expect(await read({ pull: pull({ state: 'closed' }) }).reading).toMatchObject({
      kind: 'changed',
      facts: { state: 'closed' },
    })
    expect(await read({}).reading).toEqual({ kind: 'missing' })
    await expect(read({ pull: pull() }).reading).rejects.toThrow('status 404')
    await expect(read({ files: 500 }).reading).rejects.toThrow('status 500')
  })

  it.each([
    ['has more files than GitHub lists', 3_010, { filesTotal: 3_010, isPartlyListed: true }],
    ['has just as many files as GitHub lists', 3_000, { filesTotal: 3_000, isPartlyListed: false }],
    ['may have more files, where GitHub does not say how many', undefined, { filesTotal: 3_000, isPartlyListed: true }],
  ])(
    'asks how many files there are where GitHub lists no more, and one that %s',
    async (_, changed_files, expected) => {
      const files = Array.from({ length: 100 }, () => file)
      const { request, asked } = github({ commits: [commit(head)], pull: pull({ more: { changed_files } }) })
      const pages: SendRequest = async (asking) =>
        asking.route.endsWith('/files')
          ? page(
              Array.from({ length: 30 }, () => files),
              Number(asking.parameters.page),
            )
          : await request(asking)
      expect(await readPullFiles(pages, at, { number: 7, headSha: head, attempts: 0 })).toMatchObject({
        kind: 'files',
        read: expected,
      })
      expect(asked).toHaveLength(2)
    },
  )

  it('takes smaller pages after a failure', async () => {
    const { reading, asked } = read({ files: [file], commits: [commit(head)] }, 1)
    await reading
    expect(asked.map(({ per_page }) => per_page)).toEqual([30, 100])
  })

  it('refuses another shape than that of GitHub', async () => {
    await expect(read({ files: [{ name: 'x' }] }).reading).rejects.toThrow('another shape')
    await expect(read({ files: 'page' }).reading).rejects.toThrow('another shape')
  })
})

describe('a list', () => {
  const list = (...pages: unknown[][]) => github({ list: pages })
  const numbers = async (pulls: Promise<{ number: number }[]>) => (await pulls).map(({ number }) => number)

  it('has each pull request once, with its newest facts', async () => {
    const moved = pull({ number: 1, more: { title: 'New', updated_at: '2026-11-20T08:00:00Z' } })
    const { request } = list([pull({ number: 1 }), pull({ number: 2 })], [moved, pull({ number: 3 })])
    const listed = await listOpenPulls(request, at)
    expect(listed.map(({ number, title }) => [number, title])).toEqual([
      [1, 'New'],
      [2, 'Rework the login'],
      [3, 'Rework the login'],
    ])
  })

  it('ends where there are enough', async () => {
    const { request, asked } = list(
      [pull({ number: 1 }), pull({ number: 2 })],
      [pull({ number: 3 })],
      [pull({ number: 4 })],
    )
    expect(await numbers(listLatestPulls(request, at, 3))).toEqual([1, 2, 3])
    expect(asked).toHaveLength(2)
  })

  it('of another repository, which has the name now, is refused', async () => {
    const { request } = list([pull({ repositoryId: 2 })])
    await expect(listOpenPulls(request, at)).rejects.toThrow('belongs to another repository')
  })

  it('leaves out what can not be read, unless that is everything', async () => {
    const strange = { ...pull({ number: 2 }), head: null }
    expect(await numbers(listOpenPulls(list([pull({ number: 1 }), strange]).request, at))).toEqual([1])
    await expect(listOpenPulls(list([strange]).request, at)).rejects.toThrow('another shape')
  })
})

describe('a single pull request', () => {
  const one = (more: object) => readPull(github({ pull: pull({ more }) }).request, at, 7)

  it('is null where GitHub has none of this number', async () => {
    expect(await readPull(github({}).request, at, 7)).toBeNull()
  })

  it('may come from a deleted fork, and from a deleted account', async () => {
    const gone = { ref: 'feat', sha: head, user: { login: 'bob' }, repo: null }
    expect(await one({ head: gone, user: null })).toMatchObject({
      headRepositoryId: null,
      headOwner: 'bob',
      author: null,
    })
  })

  it('is merged or closed', async () => {
    const closed_at = '2026-11-19T09:00:00Z'
    expect(await one({ state: 'closed', closed_at })).toMatchObject({ state: 'closed', endedAt: new Date(closed_at) })
    expect(await one({ state: 'closed', closed_at, merged_at: closed_at })).toMatchObject({ state: 'merged' })
    expect(await one({ state: 'closed', closed_at, merged_at: closed_at, merged: false })).toMatchObject({
      state: 'closed',
    })
    expect(await one({ state: 'closed', closed_at, merged: true })).toMatchObject({
      state: 'merged',
      endedAt: new Date(closed_at),
    })
  })

  it('has a title that a database can store', async () => {
    expect(await one({ title: 'a\0b\ud800' })).toMatchObject({ title: 'a b\ufffd' })
    expect(await one({ title: 7 })).toMatchObject({ title: '' })
  })
})
