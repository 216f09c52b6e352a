import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiResponse, errorOf, refusal } from '../../support/client.ts'
import { hour, second } from '../../support/clock.ts'
import { startTestService, type TestService } from '../../support/service.ts'

let service: TestService
let unlimited: TestService

beforeAll(async () => {
  service = await startTestService({ requestsPerMinute: 3 })
  unlimited = await startTestService({ sharedWith: service })
})
afterAll(async () => {
  await unlimited.stop()
  await service.stop()
})

const fields = ({ headers }: ApiResponse) => [headers.get('ratelimit-policy'), headers.get('ratelimit')]
const policy = '"default";q=3;w=60'

describe('a caller who may make three requests a minute', () => {
  it('gets on every response how many requests are left, and when the window ends', async () => {
    const repository = service.newRepository()
    expect(fields(await repository.get('/activity'))).toEqual([policy, '"default";r=2;t=60'])
    service.clock.advance(20 * second)
    expect(fields(await repository.get('/nowhere'))).toEqual([policy, '"default";r=1;t=40'])
    service.clock.advance(500)
    const refused = await repository.post('/activity', {})
    expect(refused.status).toBe(400)
    expect(fields(refused)).toEqual([policy, '"default";r=0;t=40'])
  })

  it('gets 429 for the fourth request until the minute is over, without a request to GitHub', async () => {
    const repository = service.newRepository()
    for (let n = 0; n < 3; n++) expect((await repository.get('/activity')).status).toBe(200)
    service.clock.advance(10 * second)
    const asked = service.github.requests.length
    for (let n = 0; n < 2; n++) {
      const answer = await repository.get('/notables')
      expect(refusal(answer)).toEqual({ status: 429, code: 'rate_limited' })
      expect(errorOf(answer).message).toContain('3 requests a minute')
      expect(answer.headers.get('retry-after')).toBe('50')
      expect(fields(answer)).toEqual([policy, '"default";r=0;t=50'])
    }
    expect(service.github.requests.length).toBe(asked)
    service.clock.advance(50 * second - 1)
    expect((await repository.get('/activity')).headers.get('retry-after')).toBe('1')
    service.clock.advance(1)
    const again = await repository.get('/activity')
    expect([again.status, ...fields(again)]).toEqual([200, policy, '"default";r=2;t=60'])
  })

  it('starts a new window if the clock was set back', async () => {
    const repository = service.newRepository()
    for (let n = 0; n < 4; n++) await repository.get('/activity')
    service.clock.advance(-hour)
    const answer = await repository.get('/activity')
    expect([answer.status, ...fields(answer)]).toEqual([200, policy, '"default";r=2;t=60'])
  })

  it('does not use up the limit of another token from the same address', async () => {
    const repository = service.newRepository()
    for (let n = 0; n < 4; n++) await repository.get('/activity')
    expect((await repository.get('/activity')).status).toBe(429)
    expect((await repository.get('/activity', { token: repository.reader })).status).toBe(200)
  })

  it('has one limit, however the header is written', async () => {
    const repository = service.newRepository()
    for (let n = 0; n < 3; n++) await repository.get('/activity')
    for (const authorization of [`bearer ${repository.writer}`, `Bearer   ${repository.writer} `]) {
      expect((await repository.get('/activity', { token: null, headers: { authorization } })).status).toBe(429)
    }
  })

  it('is limited before unknown paths and methods are refused, and not outside the API and MCP', async () => {
    const { writer, path } = service.newRepository()
    const ask = async (where: string, method = 'GET') => {
      const headers = { authorization: `Bearer ${writer}` }
      const answer = await fetch(`${service.url}${where}`, { method, headers })
      await answer.text()
      return [answer.status, answer.headers.get('ratelimit')]
    }
    const unknown = `/api/v1${path}/nowhere`
    const known = `/api/v1${path}/activity`
    expect(await ask(unknown)).toEqual([404, '"default";r=2;t=60'])
    expect(await ask(known, 'PUT')).toEqual([405, '"default";r=1;t=60'])
    expect(await ask('/mcp')).toEqual([405, '"default";r=0;t=60'])
    for (const refused of [await ask(unknown), await ask(known, 'PUT'), await ask('/mcp')]) {
      expect(refused).toEqual([429, '"default";r=0;t=60'])
    }
    for (const outside of ['/', '/nowhere', '/api/v2']) expect(await ask(outside)).toEqual([404, null])
    expect(await ask('/api/v1/openapi.json')).toEqual([200, null])
  })

  it('counts for MCP as for the API', async () => {
    const { writer: token } = service.newRepository()
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const headers = { accept: 'application/json, text/event-stream' }
    const answers = []
    for (let n = 0; n < 4; n++) {
      const response = await fetch(`${service.url}/mcp`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      await response.text()
      answers.push([response.status, response.headers.get('ratelimit')])
    }
    expect(answers.map(([, left]) => left)).toEqual([2, 1, 0, 0].map((left) => `"default";r=${left};t=60`))
    expect(answers[3]?.[0]).toBe(429)
  })
})

describe('without a limit', () => {
  it('no request is refused and no header is sent', async () => {
    const repository = unlimited.newRepository()
    for (let n = 0; n < 5; n++) {
      const answer = await repository.get('/activity')
      expect([answer.status, ...fields(answer)]).toEqual([200, null, null])
    }
  })

  it('probes, pages and requests without a token are served', async () => {
    for (let n = 0; n < 5; n++) {
      expect((await service.call('GET', '/healthz', { token: 'ghp_x' })).status).toBe(200)
      const answer = await service.newRepository().get('/activity', { token: null })
      expect([answer.status, ...fields(answer)]).toEqual([401, null, null])
    }
  })
})
