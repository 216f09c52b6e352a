import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addAccount, addRepository } from '../../support/github/declare.ts'
import { type Github, startGithub } from '../../support/github/start.ts'
import { addToken } from '../../support/github/tokens.ts'
import { type Repository, repositoryOf } from '../../support/github/world.ts'
import { ask } from './ask.ts'

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
  it('shows each what they may do', async () => {
    const { url, writer, reader } = newRepository()
    expect(await ask(url, { token: writer })).toMatchObject({
      status: 200,
      body: { permissions: { ...none, push: true, triage: true, pull: true } },
    })
    expect(await ask(url, { token: reader })).toMatchObject({ body: { permissions: { ...none, pull: true } } })
  })

  it('is missing for a stranger and for nobody, as one that does not exist', async () => {
    const { url, stranger } = newRepository()
    expect(await ask(url, { token: stranger })).toMatchObject(notFound)
    expect(await ask(url)).toMatchObject(notFound)
    expect(await ask(`${url}-none`, { token: stranger })).toMatchObject(notFound)
    expect(await ask(`${url}/pulls`, { token: stranger })).toMatchObject(notFound)
  })

  it('can be read by all when public, and written by those with a role alone', async () => {
    const { name, stranger } = { ...newRepository(), name: 'open' }
    addRepository(github.world, 'acme', name, { private: false })
    const url = `${github.url}/repos/acme/open`
    expect(await ask(url, { token: stranger })).toMatchObject({ body: { permissions: { ...none, pull: true } } })
    const anonymous = await ask(url)
    expect(anonymous.status).toBe(200)
    expect(anonymous.body).not.toHaveProperty('permissions')
    const notes = { method: 'POST', token: stranger, body: { tag_name: 'v1' } }
    expect(await ask(`${url}/releases/generate-notes`, notes)).toMatchObject({ status: 404 })
  })

  it('refuses a token that it never gave out, or that has expired', async () => {
    const { url } = newRepository()
    addToken(github.world, 'ghp_expired', 'carol', { expiresAt: Date.now() - 1 })
    for (const token of ['ghp_unknown', 'ghp_expired']) {
      expect(await ask(url, { token })).toMatchObject({ status: 401, body: { message: 'Bad credentials' } })
    }
  })

  it('leads from its old name to its id, with the rest of the path, whoever may see it', async () => {
    const { url, writer, stranger, ...made } = newRepository()
    await github.renameRepository(made, `${made.name}-now`)
    const moved = await ask(`${url.toUpperCase().replace(/^HTTP/, 'http').replace('REPOS', 'repos')}/pulls?state=all`, {
      token: writer,
    })
    expect(moved.status).toBe(301)
    expect(moved.headers.get('location')).toBe(`${github.url}/repositories/${made.id}/pulls?state=all`)
    const target = await ask(`${github.url}/repositories/${made.id}`, { token: writer })
    expect(target).toMatchObject({ status: 200, body: { full_name: `acme/${made.name}-now` } })
    expect(await ask(url, { token: stranger })).toMatchObject(notFound)
    expect(await ask(`${url}/releases/generate-notes`, { method: 'POST', token: writer })).toMatchObject({
      status: 307,
    })
    addRepository(github.world, 'acme', made.name, { roles: { [`writer${made.id}`]: 'read' } })
    expect((await ask(url, { token: writer })).status).toBe(200)
  })

  it('wants a token authorized where its owner has single sign-on', async () => {
    addAccount(github.world, 'strict', { type: 'Organization', sso: true })
    const { url, writer, id } = newRepository('strict')
    const refused = await ask(url, { token: writer })
    expect(refused.status).toBe(403)
    expect(refused.headers.get('x-github-sso')).toMatch(/^required; url=https:\/\/github.com\/orgs\/strict\/sso/)
    github.world.tokens.get(writer)?.ssoAuthorized.add('strict')
    expect((await ask(url, { token: writer })).status).toBe(200)
    // Those are authorized as they are made.
    const token = github.addToken(`github_pat_strict`, `writer${id}`)
    expect((await ask(url, { token })).status).toBe(200)
  })

  it('is shown to HEAD as to GET, without a body', async () => {
    const { url, writer, stranger } = newRepository()
    const get = await ask(url, { token: writer })
    const head = await ask(url, { method: 'HEAD', token: writer })
    expect(head).toMatchObject({ status: 200 })
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'))
    expect((await ask(url, { method: 'HEAD', token: stranger })).status).toBe(404)
  })
})

describe('a fine-grained token', () => {
  function fineGrained(repository: Repository, contents: 'read' | 'write', chosen = [repository.id]): string {
    repository.roles.set('dave', 'write')
    const token = `github_pat_${Math.random()}`
    return addToken(github.world, token, 'dave', { repositories: chosen, grants: { contents } }).token
  }

  it('sees no private repository but those that it is for', async () => {
    const { url, id } = newRepository()
    const repository = repositoryOf(github.world, Number(id))
    expect((await ask(url, { token: fineGrained(repository, 'read') })).status).toBe(200)
    expect((await ask(url, { token: fineGrained(repository, 'read', []) })).status).toBe(404)
  })

  it('shows its user’s role whatever was granted; writing is told apart by what needs it', async () => {
    const { url, id } = newRepository()
    const repository = repositoryOf(github.world, Number(id))
    for (const [contents, status] of [
      ['read', 403],
      ['write', 200],
    ] as const) {
      const token = fineGrained(repository, contents)
      expect(await ask(url, { token })).toMatchObject({ body: { permissions: { push: true } } })
      const notes = { method: 'POST', token, body: { tag_name: 'v1', target_commitish: 'main' } }
      expect((await ask(`${url}/releases/generate-notes`, notes)).status).toBe(status)
    }
    expect((await ask(`${url}/pulls`, { token: fineGrained(repository, 'write') })).status).toBe(403)
  })
})

describe('a token of a GitHub App’s user', () => {
  it('may what both its user and its grants allow', async () => {
    const { url, id } = newRepository()
    repositoryOf(github.world, Number(id)).roles.set('erin', 'read')
    const token = github.addToken(`ghu_${id}`, 'erin', { grants: { contents: 'write' } })
    const notes = { method: 'POST', token, body: { tag_name: 'v1' } }
    expect(await ask(`${url}/releases/generate-notes`, notes)).toMatchObject({
      status: 403,
      body: { message: 'Resource not accessible by integration' },
    })
    repositoryOf(github.world, Number(id)).roles.set('erin', 'write')
    expect((await ask(`${url}/releases/generate-notes`, notes)).status).toBe(200)
    const bare = github.addToken(`ghu_bare${id}`, 'erin')
    expect((await ask(url, { token: bare })).status).toBe(200)
    expect((await ask(`${url}/releases/generate-notes`, { ...notes, token: bare })).status).toBe(403)
  })
})

describe('an OAuth token', () => {
  it('may what its user may, until it is revoked', async () => {
    const { url, id } = newRepository()
    repositoryOf(github.world, Number(id)).roles.set('frank', 'write')
    const token = github.addToken(`gho_${id}`, 'frank')
    expect(await ask(url, { token })).toMatchObject({ status: 200, body: { permissions: { push: true } } })
    github.revoke(token)
    expect((await ask(url, { token })).status).toBe(401)
  })
})

describe('an ETag', () => {
  it('answers 304 to the same token until something changes, and takes nothing off its limit', async () => {
    const { url, id, writer, reader } = newRepository()
    const first = await ask(url, { token: writer })
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
    expect(headers['if-none-match']).toMatch(/^W\/"[0-9a-f]+"$/)
    const same = await ask(url, { token: writer, headers })
    expect(same).toMatchObject({ status: 304, body: '' })
    expect(same.headers.get('x-ratelimit-remaining')).toBe(first.headers.get('x-ratelimit-remaining'))
    expect((await ask(url, { token: reader, headers })).status).toBe(200)
    repositoryOf(github.world, Number(id)).roles.set(`writer${id}`, 'read')
    expect((await ask(url, { token: writer, headers })).status).toBe(200)
  })
})

describe('the limit of a token', () => {
  it('is told with every answer, and when it is spent answers 403 until it is reset', async () => {
    const { url, writer } = newRepository()
    const token = github.world.tokens.get(writer)
    if (token) token.limit = { limit: 2, used: 1, resetsAt: Date.now() + 60_000 }
    expect((await ask(url, { token: writer })).headers.get('x-ratelimit-remaining')).toBe('0')
    const refused = await ask(url, { token: writer })
    expect(refused).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('API rate limit exceeded') },
    })
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0')
    if (token) token.limit.resetsAt = Date.now() - 1
    expect((await ask(url, { token: writer })).headers.get('x-ratelimit-remaining')).toBe('1')
  })

  it('is one for all who have none, and smaller', async () => {
    const { url } = newRepository()
    github.world.anonymousLimit = { limit: 60, used: 59, resetsAt: Date.now() + 60_000 }
    expect((await ask(url)).headers.get('x-ratelimit-limit')).toBe('60')
    expect(await ask(url)).toMatchObject({ status: 403 })
    github.world.anonymousLimit.used = 0
  })
})
