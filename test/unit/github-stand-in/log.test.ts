import { afterEach, beforeEach, expect, it } from 'vitest'
import { faults } from '../../support/github/faults.ts'
import { type Github, type PrivateRepository, startGithub } from '../../support/github/start.ts'
import { repositoryOf } from '../../support/github/world.ts'
import { ask } from './ask.ts'

let github: Github
let made: PrivateRepository
beforeEach(async () => {
  github = await startGithub()
  made = github.addRepository('logged')
})
afterEach(() => github.stop())

it('says what was asked for with which kind of token, and keeps no token', async () => {
  const { etag } = Object.fromEntries((await ask(`${github.url}/repos/acme/logged`, { token: made.writer })).headers)
  await ask(`${github.url}/repositories/${made.id}/pulls?state=all`, {
    token: made.reader,
    headers: { 'if-none-match': etag ?? '' },
  })
  expect(github.log).toMatchObject([
    { method: 'GET', operation: 'GET /repos/{}/{}', tokenKind: 'classic', status: 200 },
    { operation: 'GET /repos/{}/{}/pulls', headers: { 'if-none-match': etag }, status: 200 },
  ])
  for (const token of ['github_pat_x', 'gho_x', 'ghu_x', 'ghs_x', 'a.b.c', 'something', undefined])
    await ask(`${github.url}/app`, { token })
  const kinds = github.log.slice(2).map(({ tokenKind }) => tokenKind)
  expect(kinds).toEqual(['fine-grained', 'oauth', 'app-user', 'installation', 'app', 'unknown', 'none'])
  expect(JSON.stringify(github.log)).not.toContain(made.writer)
  expect(github.requests).toHaveLength(9)
})

it('counts what failed on demand, with no status where nothing was answered', async () => {
  github.fail(faults.reset(), { times: 1 })
  await expect(ask(`${github.url}/repos/acme/logged`, { token: made.writer })).rejects.toThrow()
  github.fail(faults.unicorn())
  await ask(`${github.url}/repos/acme/logged`, { token: made.writer })
  expect(github.log.map(({ status }) => status)).toEqual([null, 502])
})

it('tells what is not here from what can not be seen', async () => {
  await ask(`${github.url}/repos/acme/logged`, { token: made.stranger })
  expect(github.unknownRequests()).toEqual([])
  const { token } = { token: made.writer }
  for (const path of ['/user', '/repos/acme/logged/issues?state=all', '/repos/acme/logged/contents/a'])
    expect(await ask(github.url + path, { token })).toMatchObject({ status: 404, body: { message: 'Not Found' } })
  await ask(`${github.url}/repos/acme/logged/pulls`, { method: 'POST', token, body: {} })
  expect(github.unknownRequests()).toEqual([
    'GET /user',
    'GET /repos/acme/logged/issues?state=all',
    'POST /repos/acme/logged/pulls',
  ])
})

it('an answer that GitHub’s description does not allow becomes a 500, and the stop fails', async () => {
  const strange = await startGithub()
  const { id, writer } = strange.addRepository('strange')
  const repository = repositoryOf(strange.world, Number(id))
  Object.assign(repository, { defaultBranch: 7 })
  const answer = await ask(`${strange.url}/repos/acme/strange`, { token: writer })
  expect(answer).toMatchObject({ status: 500, body: { message: expect.stringContaining('/default_branch') } })
  await expect(strange.stop()).rejects.toThrow(/default_branch/)
})
