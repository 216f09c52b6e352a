import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withApiErrors } from '../../../src/service/api/mcp/sdk-errors.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService
let repository: TestRepository

beforeAll(async () => {
  service = await startTestService()
  repository = service.newRepository()
})
afterAll(() => service.stop())

const both = 'application/json, text/event-stream'

interface Sent {
  method?: string
  headers?: Record<string, string>
}

async function send(body: string | Uint8Array<ArrayBuffer> | undefined, { method = 'POST', headers = {} }: Sent = {}) {
  const own = { authorization: `Bearer ${repository.writer}`, 'content-type': 'application/json', accept: both }
  const response = await fetch(`${service.url}/mcp`, {
    method,
    headers: { ...own, ...headers },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  const [, event] = /^data: (.*)$/m.exec(text) ?? []
  const type = response.headers.get('content-type')?.split(';')[0]
  return { status: response.status, headers: response.headers, type, body: text && JSON.parse(event ?? text) }
}

const request = (fields: object) => JSON.stringify({ jsonrpc: '2.0', id: 7, ...fields })
const ping = request({ method: 'ping' })
const call = (params?: object) => request({ method: 'tools/call', params })

describe('a body that is not a message', () => {
  it.each([
    ['no JSON', '{'],
    ['no UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
    ['nothing', ''],
  ])('(%s) is 400, -32700 Parse error, and the id is null', async (_what, body) => {
    const answer = await send(body)
    expect(answer).toMatchObject({ status: 400, type: 'application/json' })
    expect(answer.body).toEqual({
      jsonrpc: '2.0',
      error: {
        code: -32700,
        message: expect.any(String),
        data: {
          code: 'invalid_json',
          message: answer.body.error.message,
          documentation_url: `${service.url}/docs#error-invalid_json`,
          request_id: answer.headers.get('x-request-id'),
        },
      },
      id: null,
    })
  })

  it.each([
    ['another type', '7'],
    ['null', 'null'],
    ['no fields', '{}'],
    ['an old version', '{"jsonrpc":"1.0","id":7,"method":"ping"}'],
    ['no method', request({ method: 5 })],
    ['parameters in a list', request({ method: 'ping', params: [] })],
    ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}'],
    ['a batch', `[${ping}]`],
    ['an empty batch', '[]'],
  ])('(%s) is 400, -32600 Invalid Request', async (_what, body) => {
    const answer = await send(body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } })
    expect([null, 7]).toContain(answer.body.id)
  })
})

describe('a request that can not be performed', () => {
  it.each(['nope', 'resources/list', 'prompts/get', 'logging/setLevel', 'sampling/createMessage'])(
    '(method %s) is -32601 Method not found',
    async (method) => {
      const answer = await send(request({ method, params: {} }))
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: 7, error: { code: -32601, message: 'Method not found' } })
      expect(answer.body.error.data).toMatchObject({
        code: 'validation_failed',
        details: [{ field: 'method', code: 'invalid_value', message: 'is not known here' }],
        request_id: answer.headers.get('x-request-id'),
      })
    },
  )

  it.each([
    [
      'an unknown tool',
      { name: 'nope' },
      'name',
      'invalid_value',
      expect.stringMatching(/^is no tool. There are: check_overlap, /),
    ],
    ['no tool', {}, 'name', 'required', 'is required'],
    ['no parameters', undefined, 'name', 'required', 'is required'],
    ['a number as the tool', { name: 7 }, 'name', 'invalid_type', 'must be a string'],
    ['arguments in a list', { name: 'check_overlap', arguments: [] }, 'arguments', 'invalid_type', 'must be an object'],
    ['null as arguments', { name: 'check_overlap', arguments: null }, 'arguments', 'invalid_type', 'must be an object'],
    ['arguments as text', { name: 'check_overlap', arguments: '{}' }, 'arguments', 'invalid_type', 'must be an object'],
  ])('(%s) is -32602 Invalid params, and names the field', async (_what, params, field, code, message) => {
    const answer = await send(call(params))
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: 7, error: { code: -32602 } })
    const { error } = answer.body
    expect(error.data).toMatchObject({ code: 'validation_failed', details: [{ field, code, message }] })
    expect(error.message).toBe(error.data.message)
    expect(error.message).toMatch(new RegExp(`^${field}: `))
    expect(error.data.request_id).toBe(answer.headers.get('x-request-id'))
  })

  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  it.each([
    ['a cursor that is a number', 'tools/list', { cursor: 7 }, ['cursor']],
    ['no parameters of initialize', 'initialize', undefined, ['params']],
    ['no version', 'initialize', { ...client, protocolVersion: undefined }, ['protocolVersion']],
    [
      'two nested faults',
      'initialize',
      { ...client, capabilities: { roots: 7 }, clientInfo: { ...client.clientInfo, icons: [{ src: 5 }] } },
      ['capabilities.roots', 'clientInfo.icons[0].src'],
    ],
  ])('(%s) is -32602 Invalid params, and names each field', async (_what, method, params, fields) => {
    const answer = await send(request({ method, params }))
    expect(answer).toMatchObject({ status: 200, body: { jsonrpc: '2.0', id: 7, error: { code: -32602 } } })
    const { message, data } = answer.body.error
    expect(data.details.map(({ field }: { field: string }) => field)).toEqual(fields)
    expect(message).toMatch(new RegExp(`^${fields[0]}: expected \\w+, received \\w+$`))
    expect(data).toMatchObject({ code: 'validation_failed', message, request_id: answer.headers.get('x-request-id') })
  })

  it('names at most 100 faults, and shortens long field names as other errors do', async () => {
    const icons = Array.from({ length: 20_000 }, () => ({ src: 5 }))
    const many = await send(request({ method: 'initialize', params: { ...client, clientInfo: { icons } } }))
    expect(many.body.error.data.details).toHaveLength(100)
    const capabilities = { experimental: { ['x'.repeat(200_000)]: 7 } }
    const long = await send(request({ method: 'initialize', params: { ...client, capabilities } }))
    const field = `${'capabilities.experimental.'.padEnd(100, 'x')}…`
    expect(long.body.error.data.details).toMatchObject([{ field }])
    expect(long.body.error.message).toBe(`${field}: expected record, received number`)
  })

  it('cancels the response of the SDK that it replaces', async () => {
    let ended = false
    const cancel = () => {
      ended = true
    }
    const message = { jsonrpc: '2.0', id: 7, method: 'tools/list', params: { cursor: 7 } }
    await withApiErrors(new Response(new ReadableStream({ cancel })), message, { requestId: 'some-id', publicUrl: '' })
    expect(ended).toBe(true)
  })

  it('(invalid arguments) is a result with isError, which the model can read', async () => {
    const { body } = await send(call({ name: 'check_overlap', arguments: { repository: 5 } }))
    expect(body).toMatchObject({ jsonrpc: '2.0', id: 7, result: { isError: true } })
  })
})

describe('an HTTP error', () => {
  const none = { authorization: '' }
  it.each([
    ['no token', 401, 'unauthenticated', ping, { headers: none }],
    ['a page of another origin', 403, 'forbidden', ping, { headers: { origin: 'https://evil.example' } }],
    ['GET', 405, 'method_not_allowed', undefined, { method: 'GET', headers: { accept: 'text/event-stream' } }],
    ['GET without a token', 405, 'method_not_allowed', undefined, { method: 'GET', headers: none }],
    ['DELETE', 405, 'method_not_allowed', undefined, { method: 'DELETE' }],
    ['too much', 413, 'payload_too_large', 'x'.repeat(262_145), {}],
    ['another type', 415, 'unsupported_media_type', ping, { headers: { 'content-type': 'text/plain' } }],
  ] as const)('(%s) is %i, with a JSON-RPC body', async (_what, status, code, body, sent) => {
    const answer = await send(body, sent)
    expect(answer).toMatchObject({ status, type: 'application/json' })
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', error: { code: -32000, data: { code } }, id: null })
    expect(answer.body.error.message).toBe(answer.body.error.data.message)
  })
})

describe('an error of the protocol', () => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2030-01-01',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  }
  const list = { method: 'tools/list' }
  const ofVersion = (version: string, method = 'tools/list') => ({
    headers: { 'mcp-protocol-version': version, 'mcp-method': method },
  })
  it.each([
    ['an Accept of one type', 406, -32000, 'Accept', request(list), { headers: { accept: 'application/json' } }],
    ['an old version', 400, -32000, 'MCP-Protocol-Version', request(list), ofVersion('1999-01-01')],
    [
      'a future version',
      400,
      -32022,
      'MCP-Protocol-Version',
      request({ ...list, params: { _meta } }),
      ofVersion('2030-01-01'),
    ],
    [
      'a header that differs from the body',
      400,
      -32020,
      'Mcp-Method',
      request({ ...list, params: { _meta } }),
      ofVersion('2030-01-01', 'ping'),
    ],
    ['a version without its metadata', 400, -32602, 'params._meta', request(list), ofVersion('2026-07-28')],
    ['no message', 400, -32600, 'body', '{}', {}],
  ] as const)('(%s) is %i, %i, and contains the error of the API', async (_what, status, code, field, body, sent) => {
    const answer = await send(body, sent)
    expect(answer).toMatchObject({ status, type: 'application/json' })
    const { error } = answer.body
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', error: { code } })
    expect(error.data).toMatchObject({
      code: 'validation_failed',
      message: error.message,
      details: [{ field, code: 'invalid_value', message: error.message }],
      documentation_url: `${service.url}/docs#error-validation_failed`,
      request_id: answer.headers.get('x-request-id'),
    })
  })

  it.each([
    ['an Accept of another type', 406, 'Accept', { accept: 'text/html' }],
    ['an old version', 400, 'MCP-Protocol-Version', { 'mcp-protocol-version': '1999-01-01' }],
  ])('(%s) is %i, whatever the parameters are', async (_what, status, field, headers) => {
    const answer = await send(request({ ...list, params: { cursor: 7 } }), { headers })
    expect(answer).toMatchObject({ status, body: { error: { code: -32000, data: { details: [{ field }] } } } })
  })

  it('(a method that the version has removed) is 404, whatever the parameters are', async () => {
    const own = { ..._meta, 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
    const answer = await send(
      request({ method: 'initialize', params: { _meta: own } }),
      ofVersion('2026-07-28', 'initialize'),
    )
    expect(answer).toMatchObject({ status: 404, body: { id: 7, error: { code: -32601 } } })
  })

  it('(an unknown method) is 404 since 2026-07-28, and 200 before', async () => {
    const own = { ..._meta, 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
    for (const method of ['foo/bar', 'resources/list', 'prompts/get']) {
      const answer = await send(request({ method, params: { _meta: own } }), ofVersion('2026-07-28', method))
      expect(answer).toMatchObject({ status: 404, body: { id: 7, error: { code: -32601 } } })
      expect(await send(request({ method }))).toMatchObject({ status: 200, body: { id: 7, error: { code: -32601 } } })
    }
  })

  it('(a future version) names the supported versions', async () => {
    const { body } = await send(request({ ...list, params: { _meta } }), ofVersion('2030-01-01'))
    expect(body).toMatchObject({ id: 7, error: { data: { supported: ['2026-07-28'], requested: '2030-01-01' } } })
  })
})

describe('the Accept header', () => {
  it.each([both, 'text/event-stream;q=0.5, application/json', '*/*', 'text/event-stream, application/*'])(
    'may be %s',
    async (accept) => {
      const answer = await send(ping, { headers: { accept } })
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({ jsonrpc: '2.0', id: 7, result: {} })
    },
  )

  it.each(['application/json', 'text/event-stream', 'text/html', '*/*, text/event-stream;q=0'])(
    'is 406 if it is %s, since a response may have either type',
    async (accept) => {
      const answer = await send(ping, { headers: { accept } })
      expect(answer.status).toBe(406)
      expect(answer.body).toMatchObject({ jsonrpc: '2.0', error: { code: -32000 } })
    },
  )
})

it.each([
  ['a notification', { method: 'notifications/initialized' }],
  ['a notification of another kind', { method: 'notifications/other' }],
  ['a response', { id: 1, result: {} }],
  ['an error', { id: 1, error: { code: 1, message: 'x' } }],
])('%s is 202 without a body', async (_what, fields) => {
  expect(await send(JSON.stringify({ jsonrpc: '2.0', ...fields }))).toMatchObject({ status: 202, body: '' })
})
