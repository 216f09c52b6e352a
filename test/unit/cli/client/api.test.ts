import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createApi, flagOf, isSafeForToken, readAddress } from '../../../../src/cli/client/service/api.ts'

interface ErrorResponse {
  status: number
  headers: Record<string, string>
  error: object
  path?: string
  body?: unknown
}

/** The error of a call whose response is this. */
async function failureOf({ status, headers, error, path = '/activity', body }: ErrorResponse): Promise<unknown> {
  const server = createServer((_, response) => response.writeHead(status, headers).end(JSON.stringify({ error })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const { signal } = new AbortController()
  const api = createApi({
    url,
    owner: 'acme',
    name: 'web',
    token: 'ghp_x',
    from: 'GITHUB_TOKEN',
    addressFrom: '--url',
    signal,
  })
  return api.call('POST', path, body).catch((failure: unknown) => failure)
}

describe('an error response', () => {
  it('for single sign-on is shown with the address where the token is authorized', async () => {
    const url = 'https://github.com/orgs/acme/sso?authorization_request=A1'
    const error = { code: 'sso_required', message: 'The header says where.' }
    expect(await failureOf({ status: 403, headers: { 'X-GitHub-SSO': `required; url=${url}` }, error })).toMatchObject({
      exitCode: 4,
      message: `The header says where. X-GitHub-SSO: required; url=${url}`,
    })
  })

  it.each([429, 503])('with status %i is shown with the time to try again', async (status) => {
    const error = { code: 'rate_limited', message: 'Too many.' }
    expect(await failureOf({ status, headers: { 'Retry-After': '17' }, error })).toMatchObject({
      exitCode: 3,
      message: `Too many. (${status}; try again in 17 s)`,
    })
    expect(await failureOf({ status, headers: {}, error })).toMatchObject({ message: `Too many. (${status})` })
  })

  it.each([
    ['scope.paths[1]', 'the path src/{a: No.'],
    ['scope.areas[0]', '--area x y: No.'],
    ['scope.areas[1]', '--area "": No.'],
    ['scope.paths', 'the paths: No.'],
    ['scope.paths[7]', 'the paths: No.'],
    ['pr_url', '--pr-url: No.'],
  ])('about %s is shown with the argument', async (field, message) => {
    const error = { code: 'validation_failed', message: 'Invalid.', details: [{ field, message: 'No.' }] }
    const body = { scope: { areas: ['x\u001b\ny', ''], paths: ['ok', 'src/{a'] }, pr_url: 'frob' }
    expect(await failureOf({ status: 400, headers: {}, error, body })).toMatchObject({ exitCode: 2, message })
  })

  it.each([
    ['/activity?limit=1', 'acme/web: no such repository, or this token may not see it.'],
    ['/activity/check', 'acme/web: no such repository, or this token may not see it.'],
    ['/notables/ntb_x', 'acme/web has no record ntb_x, or this token may not see the repository.'],
    ['/activity/act_x/archive', 'acme/web has no record act_x, or this token may not see the repository.'],
  ])('with status 404 is shown with the repository or the record: %s', async (path, message) => {
    const error = { code: 'not_found', message: 'Not found.' }
    expect(await failureOf({ status: 404, headers: {}, error, path })).toMatchObject({ exitCode: 4, message })
  })

  it('is shown without control characters of its headers', async () => {
    const error = { code: 'unavailable', message: 'Busy.' }
    const headers = { 'Retry-After': 'Fri, 31 Dec 1999 23:59:59 GMT\u009b2J' }
    expect(await failureOf({ status: 503, headers, error })).toMatchObject({
      message: 'Busy. (503; try again after Fri, 31 Dec 1999 23:59:59 GMT2J)',
    })
  })
})

describe('the address of the service', () => {
  it.each([
    ['http://127.0.0.1:3000', '/'],
    ['http://127.0.0.1:3000/api/v1', '/'],
    ['https://headsup.example/tools/api/v1/', '/tools'],
    ['https://headsup.example/tools/', '/tools/'],
  ])('may be that of the service or of its API: %s', (address, path) => {
    expect(readAddress(address, '--url').pathname).toBe(path)
  })
})

describe('an address that a token may be sent to', () => {
  it.each([
    'https://headsup.example',
    'https://10.0.0.1:8443',
    'http://localhost:3000',
    'http://LOCALHOST',
    'http://127.0.0.1:3000',
    'http://127.255.0.9',
    'http://127.1',
    'http://0x7f000001',
    'http://[::1]:3000',
    'http://[0:0:0:0:0:0:0:1]',
  ])('uses https or is on this machine: %s', (address) => {
    expect(isSafeForToken(new URL(address))).toBe(true)
  })

  it.each([
    'http://headsup.example',
    'http://10.0.0.1',
    'http://0.0.0.0',
    'http://128.0.0.1',
    'http://localhost.example',
    'http://127.0.0.1.example',
    'http://example/127.0.0.1',
    'http://a.localhost',
    'http://[::2]',
    'http://[::ffff:10.0.0.1]',
  ])('is not http on another machine: %s', (address) => {
    expect(isSafeForToken(new URL(address))).toBe(false)
  })
})

describe('a field', () => {
  it('is named by its flag', () => {
    expect(['pr_url', 'scope.areas[1]', 'scope.paths[0]', 'base_branch'].map(flagOf)).toEqual([
      '--pr-url',
      '--area',
      'the paths',
      '--base',
    ])
  })
})
