import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildDocument } from '../../../src/service/api/http/openapi/document.ts'
import { startTestService, type TestService } from '../../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

describe('GET /api/v1/openapi.json', () => {
  it('is the document, without a token', async () => {
    const response = await fetch(`${service.url}/api/v1/openapi.json`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(buildDocument())))
  })

  it('is 304 for a matching ETag, and only allows GET and HEAD', async () => {
    const url = `${service.url}/api/v1/openapi.json`
    const etag = (await fetch(url, { method: 'HEAD' })).headers.get('etag')
    expect((await fetch(url, { headers: { 'if-none-match': etag ?? '' } })).status).toBe(304)
    const post = await fetch(url, { method: 'POST' })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('names only operations that exist: each requires a token', async () => {
    for (const [path, item] of Object.entries(buildDocument().paths)) {
      if (!path.startsWith('/repos/')) continue
      for (const method of ['get', 'post', 'patch'].filter((name) => name in item)) {
        const url = path.replace('{owner}', 'octocat').replace('{repo}', 'hello').replace('{id}', 'x')
        const { status } = await fetch(`${service.url}/api/v1${url}`, { method: method.toUpperCase() })
        expect({ path, method, status }).toEqual({ path, method, status: 401 })
      }
    }
  })
})
