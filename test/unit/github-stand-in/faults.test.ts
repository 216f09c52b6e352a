import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Fault, faults } from '../../support/github/faults.ts'
import { type Github, type PrivateRepository, startGithub } from '../../support/github/start.ts'
import { sendRequest } from './send-request.ts'

let github: Github
let made: PrivateRepository
beforeEach(async () => {
  github = await startGithub()
  made = github.addRepository('faulty')
})
afterEach(() => github.stop())

const read = (token = made.writer, path = '') => sendRequest(`${github.url}/repos/acme/faulty${path}`, { token })

describe('a fault', () => {
  it('lasts until it is removed, or for a number of requests', async () => {
    const end = github.fail(faults.unicorn())
    expect([(await read()).status, (await read()).status]).toEqual([502, 502])
    end()
    expect((await read()).status).toBe(200)
    github.fail(faults.unicorn(503), { times: 1 })
    expect([(await read()).status, (await read()).status]).toEqual([503, 200])
    github.fail(faults.unicorn())
    github.heal()
    expect((await read()).status).toBe(200)
  })

  it('applies only to the given method, path and token', async () => {
    github.fail(faults.legalReasons(), { token: made.reader })
    expect([(await read(made.reader)).status, (await read()).status]).toEqual([451, 200])
    github.fail(faults.unicorn(), { path: '/repos/acme/faulty/pulls' })
    github.fail(faults.unicorn(), { path: /\/branches$/, method: 'POST' })
    expect((await read(made.writer, '/pulls')).status).toBe(502)
    expect([(await read()).status, (await read(made.writer, '/branches')).status]).toEqual([200, 200])
  })

  it('can leave the first matching requests alone, and run an action instead of failing', async () => {
    github.fail(faults.unicorn(), { path: '/repos/acme/faulty/pulls', skip: 1, times: 1 })
    const statuses: number[] = []
    for (const path of ['', '/pulls', '/pulls', '/pulls']) statuses.push((await read(made.writer, path)).status)
    expect(statuses).toEqual([200, 200, 502, 200])
    const rename = (name: string) => () => github.renameRepository(made, name)
    github.fail(faults.runAfter(rename('later')), { times: 1 })
    expect((await read()).body).toMatchObject({ name: 'faulty' })
    github.fail(faults.runBefore(rename('faulty')), { times: 1 })
    expect((await read()).body).toMatchObject({ name: 'faulty' })
  })

  it.each<[string, Fault, number, Record<string, RegExp>, RegExp]>([
    ['an error page', faults.unicorn(), 502, { 'content-type': /html/ }, /<html>/],
    ['a page with a 200', faults.nonsense(), 200, { 'content-type': /html/ }, /<html>/],
    ['a refused token', faults.badCredentials(), 401, {}, /Bad credentials/],
    [
      'the primary limit',
      faults.primaryLimit(),
      403,
      { 'x-ratelimit-remaining': /^0$/, 'x-ratelimit-reset': /^\d+$/ },
      /API rate limit/,
    ],
    ['a secondary limit', faults.secondaryLimit(30), 403, { 'retry-after': /^30$/ }, /secondary rate limit/],
    ['a secondary limit without a header', faults.secondaryLimit(null), 403, {}, /secondary rate limit/],
    ['too many login attempts', faults.loginAttempts(), 403, {}, /login attempts/],
    ['single sign-on', faults.sso('acme'), 403, { 'x-github-sso': /^required; url=https/ }, /SAML/],
    ['an IP allow list', faults.ipAllowList(), 403, {}, /IP allow list/],
    ['legal reasons', faults.legalReasons(), 451, {}, /blocked/],
    [
      'the primary limit as a 429',
      faults.primaryLimit(60, 429),
      429,
      { 'x-ratelimit-remaining': /^0$/ },
      /API rate limit/,
    ],
    ['an object without an id', faults.nonsense('no_id'), 200, { 'content-type': /json/ }, /^\{"full_name"/],
    ['a list', faults.nonsense('list'), 200, { 'content-type': /json/ }, /^\[\]$/],
  ])('can be %s', async (_name, fault, status, headers, text) => {
    github.fail(fault)
    const answer = await read()
    expect(answer.status).toBe(status)
    for (const [name, pattern] of Object.entries(headers)) expect(answer.headers.get(name)).toMatch(pattern)
    expect(JSON.stringify(answer.body)).toMatch(text)
    if (!('retry-after' in headers)) expect(answer.headers.get('retry-after')).toBeNull()
  })

  it('can be incomplete JSON in a complete response', async () => {
    github.fail(faults.nonsense('cut'))
    const response = await fetch(`${github.url}/repos/acme/faulty`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    await expect(response.json()).rejects.toThrow(SyntaxError)
  })

  it('can be a response without permissions', async () => {
    github.fail(faults.permissionsMissing())
    const { status, body } = await read()
    expect(status).toBe(200)
    expect(body).toHaveProperty('full_name')
    expect(body).not.toHaveProperty('permissions')
  })

  it.each([
    ['a connection that is reset', faults.reset()],
    ['an answer that breaks off', faults.cutOff()],
  ])('can be %s', async (_name, fault) => {
    github.fail(fault, { times: 1 })
    await expect(read()).rejects.toThrow()
    expect((await read()).status).toBe(200)
  })

  it('can be a late response, or none', async () => {
    github.fail(faults.slow(20), { times: 1 })
    expect((await read()).status).toBe(200)
    github.fail(faults.never())
    const signal = AbortSignal.timeout(200)
    await expect(fetch(`${github.url}/repos/acme/faulty`, { signal })).rejects.toThrow(/timeout/)
  })
})
