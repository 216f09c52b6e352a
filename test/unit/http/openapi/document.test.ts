import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { errorCodes } from '../../../../src/core/errors.ts'
import { buildDocument } from '../../../../src/service/api/http/openapi/document.ts'
import { documentPath, errorsOf } from '../../../../src/service/api/http/openapi/operation-object.ts'
import { webhookErrors } from '../../../../src/service/api/http/openapi/webhook.ts'
import { allOperations } from '../../../../src/service/api/http/routes/api.ts'
import { checkDocumented } from '../../../support/documented.ts'

interface Operation {
  operationId: string
  summary: string
  responses: Record<string, unknown>
}
type Item = Record<'get' | 'post' | 'patch', Operation>

const document = buildDocument()
const text = JSON.stringify(document)
const operations = Object.entries<Partial<Item>>(JSON.parse(JSON.stringify(document.paths))).flatMap(([path, item]) =>
  (['get', 'post', 'patch'] as const).flatMap((method) => {
    const operation = item[method]
    return operation ? [{ name: `${method} ${path}`, ...operation }] : []
  }),
)

describe('the OpenAPI document', () => {
  it('has every operation, the webhook and the service information, and nothing else', () => {
    const served = allOperations.map(({ method, path }) => `${method} ${documentPath(path)}`)
    expect(operations.map(({ name }) => name).sort()).toEqual(
      [...served, 'get /api/v1', 'post /api/github/webhooks'].sort(),
    )
    expect(served).toContain('get /repos/{owner}/{repo}/activity/{id}')
  })

  it('has a unique id and a summary for every operation', () => {
    const names = operations.map(({ operationId }) => operationId)
    expect(new Set(names).size).toBe(names.length)
    expect(operations.every(({ summary }) => summary.length > 3)).toBe(true)
  })

  it('has exactly the components that it refers to', () => {
    const referenced = new Set([...text.matchAll(/"#\/components\/(\w+\/\w+)"/g)].map(([, name]) => name))
    const components = Object.entries(document.components)
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, parts]) => Object.keys(parts).map((name) => `${kind}/${name}`))
    expect([...referenced].sort()).toEqual(components.sort())
    expect(text).not.toContain('$defs')
  })

  it('has no tuples, which generators of clients and readers of draft 7 do not understand', () => {
    expect(text).not.toContain('"prefixItems"')
    expect(text).not.toContain('"items":false')
    const { schemas } = JSON.parse(text).components
    const range = { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 }
    expect(schemas.CollidingPair.properties.lines.items).toMatchObject(range)
    const { changes } = schemas.ActivityCreate.properties
    expect(changes.properties.files.items.properties.lines.items).toMatchObject(range)
  })

  it('names every error code that an operation can return', () => {
    const named = new Set([...allOperations.flatMap(errorsOf), ...webhookErrors])
    // These do not depend on the operation; the description of the document names them.
    const unnamed = ['method_not_allowed']
    expect(errorCodes.filter((code) => !named.has(code))).toEqual(unnamed)
  })

  it('has only examples that match their schemas', () => {
    const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true, uri: true } })
    const examples: { schema: object; example: unknown }[] = []
    JSON.stringify(document, (_key, node) => {
      if (Array.isArray(node?.examples))
        examples.push(...node.examples.map((example: unknown) => ({ schema: node, example })))
      if (node?.example !== undefined) examples.push({ schema: node.schema, example: node.example })
      return node
    })
    expect(examples.filter(({ schema, example }) => !ajv.validate(schema, example))).toEqual([])
    expect(examples.length).toBeGreaterThan(20)
  })

  it('has a minimum length for every text that must not be empty', () => {
    const ajv = new Ajv2020({ strict: false, formats: { 'date-time': /^\d/, uri: true } })
    const maybeEmpty: string[] = []
    const visit = (node: unknown, at: string) => {
      if (typeof node !== 'object' || node === null) return
      const isText = 'type' in node && [node.type].flat().includes('string')
      if (isText && ajv.validate(node, '')) maybeEmpty.push(at)
      for (const [key, part] of Object.entries(node)) visit(part, `${at}/${key}`)
    }
    const { schemas, parameters } = document.components
    for (const [name, schema] of Object.entries(schemas)) if (/Create$|Update$|Check$/.test(name)) visit(schema, name)
    visit(parameters, 'parameters')
    visit(document.paths, 'paths')
    expect(maybeEmpty.filter((at) => !at.includes('/responses/'))).toEqual([
      // The service accepts these empty: no ETag matches, and no event has that name.
      'parameters/LastEventId/schema',
      'parameters/IfNoneMatch/schema',
      'paths//api/github/webhooks/post/parameters/0/schema',
    ])
  })

  it('has no default in a body, which generators of clients take for a required field', () => {
    const { schemas = {} } = buildDocument().components
    for (const name of ['ActivityCreate', 'ActivityUpdate', 'NotableCreate', 'NotableUpdate', 'OverlapCheck'])
      expect(JSON.stringify(schemas[name])).toMatch(/^{(?!.*"default":)/)
    expect(JSON.stringify(schemas.ActivityCreate)).toContain('Default: `\\"low\\"`.')
  })

  it('forbids unknown fields in requests, and allows them in responses', () => {
    const { schemas } = document.components
    const objects = (schema: unknown) =>
      [...JSON.stringify(schema).matchAll(/"type":(\["object","null"\]|"object")/g)].length
    const closed = (schema: unknown) => [...JSON.stringify(schema).matchAll(/"additionalProperties":false/g)].length
    for (const [name, schema] of Object.entries(schemas)) {
      const isRequest = /Create$|Update$|Check$/.test(name)
      expect({ name, closed: closed(schema) }).toEqual({ name, closed: isRequest ? objects(schema) : 0 })
    }
  })
})

describe('the check of every response in the tests', () => {
  const url = 'http://localhost/api/v1/repos/octocat/hello'
  const id = 'act_01h455vb4pex5vsknk084sn02q'
  const at = '2026-11-20T09:30:00.000Z'
  const requestId = { 'x-request-id': 'a' }
  const heartbeat = { id, heartbeat_at: at, expires_at: at }
  const error = { code: 'forbidden', message: 'No.', documentation_url: '/docs#error-forbidden', request_id: 'a' }
  const checkResponse =
    (status: number, body: unknown, headers: Record<string, string> = requestId) =>
    () =>
      checkDocumented(
        `${url}/activity/${id}/heartbeat`,
        { method: 'POST' },
        { status, body, headers: new Headers(headers) },
      )

  it('passes a documented response', () => {
    expect(checkResponse(200, heartbeat)).not.toThrow()
    expect(checkResponse(403, { error })).not.toThrow()
  })

  it.each([
    ['an undocumented field', checkResponse(200, { ...heartbeat, more: 1 }), /additional properties.*more/],
    ['a missing field', checkResponse(200, { id, heartbeat_at: at }), /expires_at/],
    ['a value of another type', checkResponse(200, { ...heartbeat, expires_at: 'soon' }), /date-time/],
    ['no body', checkResponse(200, undefined), /body is missing/],
    ['an undocumented status', checkResponse(201, heartbeat), /201 is not documented/],
    [
      'a code that this operation never returns',
      checkResponse(403, { error: { ...error, code: 'not_found' } }),
      /code/,
    ],
    ['an unknown code', checkResponse(403, { error: { ...error, code: 'sesame' } }), /code/],
    ['an undocumented field of an error', checkResponse(403, { error: { ...error, stack: 'x' } }), /stack/],
    ['a missing header', checkResponse(200, heartbeat, {}), /X-Request-Id is missing/],
    ['no Retry-After', checkResponse(503, { error: { ...error, code: 'unavailable' } }), /Retry-After is missing/],
    [
      'a Retry-After that is not a number',
      checkResponse(503, {}, { ...requestId, 'retry-after': 'soon' }),
      /Retry-After: .*integer/,
    ],
  ])('fails for %s', (_, check, message) => expect(check).toThrow(message))

  it.each([
    ['parameter', '/activity?colour=red', {}],
    ['value of a parameter', '/activity?limit=101', {}],
    ['field', '/activity/check', { method: 'POST', body: { colour: 'red' } }],
  ])('fails for a success with an undocumented %s', (_, path, call) => {
    const success = { status: 200, body: {}, headers: new Headers(requestId) }
    expect(() => checkDocumented(url + path, call, success)).toThrow(/colour|<= 100/)
  })

  it('fails for a success of an unknown path or method', () => {
    const success = { status: 200, body: {}, headers: new Headers(requestId) }
    expect(() => checkDocumented(`${url}/nowhere`, {}, success)).toThrow(/no operation/)
    expect(() => checkDocumented(`${url}/activity`, { method: 'DELETE' }, success)).toThrow(/no operation/)
  })
})
