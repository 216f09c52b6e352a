import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addAccount, addRepository } from '../../support/github/build-data.ts'
import { type Repository, repositoryOf } from '../../support/github/data.ts'
import { type Github, startGithub } from '../../support/github/start.ts'
import { addToken } from '../../support/github/tokens.ts'
import { sendRequest } from './send-request.ts'

let github: Github
beforeAll(async () => {
  github = await startGithub()
})
afterAll(() => github.stop())

let repositories = 0

function newRepository(owner = 'acme') {
  const made = github.addRepository(`access-${++repositories}`, owner)
  return { ...made, url: `${github.url}/repos/${owner}/${made.name}` }
}

const none = { admin: false, maintain: false, push: false, triage: false, pull: false }
const notFound = { status: 404, body: { message: 'Not Found' } }

describe('a repository', () => {
  it('shows each caller their permissions', async () => {
    const { url, writer, reader } = newRepository()
    expect(await sendRequest(url, { token: writer })).toMatchObject({
      status: 200,
      body: { permissions: { ...none, push: true, triage: true, pull: true } },
    })
    expect(await sendRequest(url, { token: reader })).toMatchObject({ body: { permissions: { ...none, pull: true } } })
  })

  it('is 404 without access and without a token, like a repository that does not exist', async () => {
    const { url, stranger } = newRepository()
    expect(await sendRequest(url, { token: stranger })).toMatchObject(notFound)
    expect(await sendRequest(url)).toMatchObject(notFound)
    expect(await sendRequest(`${url}-none`, { token: stranger })).toMatchObject(notFound)
    expect(await sendRequest(`${url}/pulls`, { token: stranger })).toMatchObject(notFound)
  })

  it('can be read by everybody if public, and written only with a role', async () => {
    const { name, stranger } = { ...newRepository(), name: 'open' }
    addRepository(github.data, 'acme', name, { private: false })
    const url = `${github.url}/repos/acme/open`
    expect(await sendRequest(url, { token: stranger })).toMatchObject({
      body: { permissions: { ...none, pull: true } },
    })
    const anonymous = await sendRequest(url)
    expect(anonymous.status).toBe(200)
    expect(anonymous.body).not.toHaveProperty('permissions')
    const notes = { method: 'POST', token: stranger, body: { tag_name: 'v1' } }
    expect(await sendRequest(`${url}/releases/generate-notes`, notes)).toMatchObject({ status: 404 })
  })

  it('refuses an unknown or expired token', async () => {
    const { url } = newRepository()
    addToken(github.data, 'ghp_expired', 'carol', { expiresAt: Date.now() - 1 })
    for (const token of ['ghp_unknown', 'ghp_expired']) {
      expect(await sendRequest(url, { token })).toMatchObject({ status: 401, body: { message: 'Bad credentials' } })
    }
  })

  it('redirects from its old name to its id with the rest of the path, if it is visible', async () => {
    const { url, writer, stranger, ...made } = newRepository()
    await github.renameRepository(made, `${made.name}-now`)
    const moved = await sendRequest(
      `${url.toUpperCase().replace(/^HTTP/, 'http').replace('REPOS', 'repos')}/pulls?state=all`,
      {
        token: writer,
      },
    )
    expect(moved.status).toBe(301)
    expect(moved.headers.get('location')).toBe(`${github.url}/repositories/${made.id}/pulls?state=all`)
    const target = await sendRequest(`${github.url}/repositories/${made.id}`, { token: writer })
    expect(target).toMatchObject({ status: 200, body: { full_name: `acme/${made.name}-now` } })
    expect(await sendRequest(url, { token: stranger })).toMatchObject(notFound)
    expect(await sendRequest(`${url}/releases/generate-notes`, { method: 'POST', token: writer })).toMatchObject({
      status: 307,
    })
    addRepository(github.data, 'acme', made.name, { roles: { [`writer${made.id}`]: 'read' } })
    expect((await sendRequest(url, { token: writer })).status).toBe(200)
  })

  it('requires an authorized token if its owner has single sign-on', async () => {
    addAccount(github.data, 'strict', { type: 'Organization', sso: true })
    const { url, writer, id } = newRepository('strict')
    const refused = await sendRequest(url, { token: writer })
    expect(refused.status).toBe(403)
    expect(refused.headers.get('x-github-sso')).toMatch(/^required; url=https:\/\/github.com\/orgs\/strict\/sso/)
    github.data.tokens.get(writer)?.ssoAuthorized.add('strict')
    expect((await sendRequest(url, { token: writer })).status).toBe(200)
    // These are authorized at their creation.
    const token = github.addToken(`github_pat_strict`, `writer${id}`)
    expect((await sendRequest(url, { token })).status).toBe(200)
  })

  it('responds to HEAD as to GET, without a body', async () => {
    const { url, writer, stranger } = newRepository()
    const get = await sendRequest(url, { token: writer })
    const head = await sendRequest(url, { method: 'HEAD', token: writer })
    expect(head).toMatchObject({ status: 200 })
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'))
    expect((await sendRequest(url, { method: 'HEAD', token: stranger })).status).toBe(404)
  })
})

describe('a fine-grained token', () => {
  function fineGrained(repository: Repository, contents: 'read' | 'write', chosen = [repository.id]): string {
    repository.roles.set('dave', 'write')
    const token = `github_pat_${Math.random()}`
    return addToken(github.data, token, 'dave', { repositories: chosen, grants: { contents } }).token
  }

  it('sees only the selected private repositories', async () => {
    const { url, id } = newRepository()
    const repository = repositoryOf(github.data, Number(id))
    expect((await sendRequest(url, { token: fineGrained(repository, 'read') })).status).toBe(200)
    expect((await sendRequest(url, { token: fineGrained(repository, 'read', []) })).status).toBe(404)
  })

  it('shows its user’s role whatever was granted, and may write only what was granted', async () => {
    const { url, id } = newRepository()
    const repository = repositoryOf(github.data, Number(id))
    for (const [contents, status] of [
      ['read', 403],
      ['write', 200],
    ] as const) {
      const token = fineGrained(repository, contents)
      expect(await sendRequest(url, { token })).toMatchObject({ body: { permissions: { push: true } } })
      const notes = { method: 'POST', token, body: { tag_name: 'v1', target_commitish: 'main' } }
      expect((await sendRequest(`${url}/releases/generate-notes`, notes)).status).toBe(status)
    }
    expect((await sendRequest(`${url}/pulls`, { token: fineGrained(repository, 'write') })).status).toBe(403)
  })
})

describe('a token of a GitHub App’s user', () => {
  it('may do what both its user and its grants allow', async () => {
    const { url, id } = newRepository()
    repositoryOf(github.data, Number(id)).roles.set('erin', 'read')
    const token = github.addToken(`ghu_${id}`, 'erin', { grants: { contents: 'write' } })
    const notes = { method: 'POST', token, body: { tag_name: 'v1' } }
    expect(await sendRequest(`${url}/releases/generate-notes`, notes)).toMatchObject({
      status: 403,
      body: { message: 'Resource not accessible by integration' },
    })
    repositoryOf(github.data, Number(id)).roles.set('erin', 'write')
    expect((await sendRequest(`${url}/releases/generate-notes`, notes)).status).toBe(200)
    const bare = github.addToken(`ghu_bare${id}`, 'erin')
    expect((await sendRequest(url, { token: bare })).status).toBe(200)
    expect((await sendRequest(`${url}/releases/generate-notes`, { ...notes, token: bare })).status).toBe(403)
  })
})

describe('an OAuth token', () => {
  it('may do what its user may, until it is revoked', async () => {
    const { url, id } = newRepository()
    repositoryOf(github.data, Number(id)).roles.set('frank', 'write')
    const token = github.addToken(`gho_${id}`, 'frank')
    expect(await sendRequest(url, { token })).toMatchObject({ status: 200, body: { permissions: { push: true } } })
    github.revoke(token)
    expect((await sendRequest(url, { token })).status).toBe(401)
  })
})

describe('an ETag', () => {
  it('gives 304 to the same token until something changes, without counting against its limit', async () => {
    const { url, id, writer, reader } = newRepository()
    const first = await sendRequest(url, { token: writer })
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
    expect(headers['if-none-match']).toMatch(/^W\/"[0-9a-f]+"$/)
    const same = await sendRequest(url, { token: writer, headers })
    expect(same).toMatchObject({ status: 304, body: '' })
    expect(same.headers.get('x-ratelimit-remaining')).toBe(first.headers.get('x-ratelimit-remaining'))
    expect((await sendRequest(url, { token: reader, headers })).status).toBe(200)
    repositoryOf(github.data, Number(id)).roles.set(`writer${id}`, 'read')
    expect((await sendRequest(url, { token: writer, headers })).status).toBe(200)
  })
})

describe('the limit of a token', () => {
  it('is in every response, and gives 403 when spent until it is reset', async () => {
    const { url, writer } = newRepository()
    const token = github.data.tokens.get(writer)
    if (token) token.limit = { limit: 2, used: 1, resetsAt: Date.now() + 60_000 }
    expect((await sendRequest(url, { token: writer })).headers.get('x-ratelimit-remaining')).toBe('0')
    const refused = await sendRequest(url, { token: writer })
    expect(refused).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('API rate limit exceeded') },
    })
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0')
    if (token) token.limit.resetsAt = Date.now() - 1
    expect((await sendRequest(url, { token: writer })).headers.get('x-ratelimit-remaining')).toBe('1')
  })

  it('is smaller and shared for callers without a token', async () => {
    const { url } = newRepository()
    github.data.anonymousLimit = { limit: 60, used: 59, resetsAt: Date.now() + 60_000 }
    expect((await sendRequest(url)).headers.get('x-ratelimit-limit')).toBe('60')
    expect(await sendRequest(url)).toMatchObject({ status: 403 })
    github.data.anonymousLimit.used = 0
  })
})
