import { afterEach, beforeEach, expect, it } from 'vitest'
import { repositoryOf } from '../../support/github/data.ts'
import { faults } from '../../support/github/faults.ts'
import { type Github, type PrivateRepository, startGithub } from '../../support/github/start.ts'
import { sendRequest } from './send-request.ts'

let github: Github
let made: PrivateRepository
beforeEach(async () => {
  github = await startGithub()
  made = github.addRepository('logged')
})
afterEach(() => github.stop())

it('logs the operation and the kind of token, but no token', async () => {
  const { etag } = Object.fromEntries(
    (await sendRequest(`${github.url}/repos/acme/logged`, { token: made.writer })).headers,
  )
  await sendRequest(`${github.url}/repositories/${made.id}/pulls?state=all`, {
    token: made.reader,
    headers: { 'if-none-match': etag ?? '' },
  })
  expect(github.log).toMatchObject([
    { method: 'GET', operation: 'GET /repos/{}/{}', tokenKind: 'classic', status: 200 },
    { operation: 'GET /repos/{}/{}/pulls', headers: { 'if-none-match': etag }, status: 200 },
  ])
  for (const token of ['github_pat_x', 'gho_x', 'ghu_x', 'ghs_x', 'a.b.c', 'something', undefined])
    await sendRequest(`${github.url}/app`, { token })
  const kinds = github.log.slice(2).map(({ tokenKind }) => tokenKind)
  expect(kinds).toEqual(['fine-grained', 'oauth', 'app-user', 'installation', 'app', 'unknown', 'none'])
  expect(JSON.stringify(github.log)).not.toContain(made.writer)
  expect(github.requests).toHaveLength(9)
})

it('logs requests with a fault, without a status if there was no response', async () => {
  github.fail(faults.reset(), { times: 1 })
  await expect(sendRequest(`${github.url}/repos/acme/logged`, { token: made.writer })).rejects.toThrow()
  github.fail(faults.unicorn())
  await sendRequest(`${github.url}/repos/acme/logged`, { token: made.writer })
  expect(github.log.map(({ status }) => status)).toEqual([null, 502])
})

it('distinguishes unknown operations from invisible repositories', async () => {
  await sendRequest(`${github.url}/repos/acme/logged`, { token: made.stranger })
  expect(github.unknownRequests()).toEqual([])
  const { token } = { token: made.writer }
  for (const path of ['/user/emails', '/repos/acme/logged/issues?state=all', '/repos/acme/logged/contents/a'])
    expect(await sendRequest(github.url + path, { token })).toMatchObject({
      status: 404,
      body: { message: 'Not Found' },
    })
  await sendRequest(`${github.url}/repos/acme/logged/pulls`, { method: 'POST', token, body: {} })
  expect(github.unknownRequests()).toEqual([
    'GET /user/emails',
    'GET /repos/acme/logged/issues?state=all',
    'POST /repos/acme/logged/pulls',
  ])
})

it('a response that GitHub’s description does not allow becomes a 500, and stopping fails', async () => {
  const strange = await startGithub()
  const { id, writer } = strange.addRepository('strange')
  const repository = repositoryOf(strange.data, Number(id))
  Object.assign(repository, { defaultBranch: 7 })
  const answer = await sendRequest(`${strange.url}/repos/acme/strange`, { token: writer })
  expect(answer).toMatchObject({ status: 500, body: { message: expect.stringContaining('/default_branch') } })
  await expect(strange.stop()).rejects.toThrow(/default_branch/)
})
