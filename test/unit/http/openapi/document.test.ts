import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { errorCodes } from '../../../../src/errors.ts'
import { buildDocument } from '../../../../src/http/openapi/document.ts'
import { documentPath, errorsOf } from '../../../../src/http/openapi/operation.ts'
import { webhookErrors } from '../../../../src/http/openapi/webhook.ts'
import { allOperations } from '../../../../src/http/routes/api.ts'
import { documented } from '../../../support/documented.ts'

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

describe('the document', () => {
  it('holds every route of the table, and nothing else but the webhook', () => {
    const served = allOperations.map(({ method, path }) => `${method} ${documentPath(path)}`)
    expect(operations.map(({ name }) => name).sort()).toEqual([...served, 'post /api/github/webhooks'].sort())
    expect(served).toContain('get /repos/{owner}/{repo}/activity/{id}')
  })

  it('calls every operation by a name of its own', () => {
    const names = operations.map(({ operationId }) => operationId)
    expect(new Set(names).size).toBe(names.length)
    expect(operations.every(({ summary }) => summary.length > 3)).toBe(true)
  })

  it('refers to nothing that it does not hold, and holds nothing that nothing refers to', () => {
    const referred = new Set([...text.matchAll(/"#\/components\/(\w+\/\w+)"/g)].map(([, name]) => name))
    const held = Object.entries(document.components)
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, parts]) => Object.keys(parts).map((name) => `${kind}/${name}`))
    expect([...referred].sort()).toEqual(held.sort())
    expect(text).not.toContain('$defs')
  })

  it('names every error code where it can be answered', () => {
    const named = new Set([...allOperations.flatMap(errorsOf), ...webhookErrors])
    // What belongs to no operation: the document says it once for all.
    const unnamed = ['expectation_failed', 'headers_too_large', 'method_not_allowed']
    expect(errorCodes.filter((code) => !named.has(code))).toEqual(unnamed)
  })

  it('gives only examples that fit', () => {
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

  it('lets no text be empty that is refused when it is', () => {
    const ajv = new Ajv2020({ strict: false, formats: { 'date-time': /^\d/, uri: true } })
    const maybeEmpty: string[] = []
    const look = (node: unknown, at: string) => {
      if (typeof node !== 'object' || node === null) return
      const isText = 'type' in node && [node.type].flat().includes('string')
      if (isText && ajv.validate(node, '')) maybeEmpty.push(at)
      for (const [key, part] of Object.entries(node)) look(part, `${at}/${key}`)
    }
    const { schemas, parameters } = document.components
    for (const [name, schema] of Object.entries(schemas)) if (/Create$|Update$|Check$/.test(name)) look(schema, name)
    look(parameters, 'parameters')
    look(document.paths, 'paths')
    expect(maybeEmpty.filter((at) => !at.includes('/responses/'))).toEqual([
      // They match nothing and name no known event.
      'parameters/IfNoneMatch/schema',
      'paths//api/github/webhooks/post/parameters/0/schema',
    ])
  })

  it('closes what is sent, and leaves open what is answered', () => {
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

describe('the check of every answer of the tests', () => {
  const url = 'http://localhost/api/v1/repos/octocat/hello'
  const id = 'act_01h455vb4pex5vsknk084sn02q'
  const at = '2026-11-20T09:30:00.000Z'
  const requestId = { 'x-request-id': 'a' }
  const beat = { id, heartbeat_at: at, expires_at: at }
  const error = { code: 'forbidden', message: 'No.', documentation_url: '/docs#error-forbidden', request_id: 'a' }
  const answer =
    (status: number, body: unknown, headers: Record<string, string> = requestId) =>
    () =>
      documented(`${url}/activity/${id}/heartbeat`, { method: 'POST' }, { status, body, headers: new Headers(headers) })

  it('lets pass what is documented', () => {
    expect(answer(200, beat)).not.toThrow()
    expect(answer(403, { error })).not.toThrow()
  })

  it.each([
    ['a field that is not documented', answer(200, { ...beat, more: 1 }), /additional properties.*more/],
    ['a missing field', answer(200, { id, heartbeat_at: at }), /expires_at/],
    ['a value of another type', answer(200, { ...beat, expires_at: 'soon' }), /date-time/],
    ['no body', answer(200, undefined), /body is missing/],
    ['an undocumented status', answer(201, beat), /201 is not documented/],
    ['a code that this operation never answers', answer(403, { error: { ...error, code: 'not_found' } }), /code/],
    ['a code of no list', answer(403, { error: { ...error, code: 'sesame' } }), /code/],
    ['a field of an error that is not documented', answer(403, { error: { ...error, stack: 'x' } }), /stack/],
    ['a missing header', answer(200, beat, {}), /X-Request-Id is missing/],
    ['no Retry-After', answer(503, { error: { ...error, code: 'unavailable' } }), /Retry-After is missing/],
    [
      'a Retry-After that is no number',
      answer(503, {}, { ...requestId, 'retry-after': 'soon' }),
      /Retry-After: .*integer/,
    ],
  ])('refuses %s', (_, check, message) => expect(check).toThrow(message))

  it.each([
    ['a parameter', '/activity?colour=red', {}],
    ['a value of a parameter', '/activity?limit=101', {}],
    ['a field', '/activity/check', { method: 'POST', body: { colour: 'red' } }],
  ])('refuses success for %s that is not documented', (_, path, call) => {
    const success = { status: 200, body: {}, headers: new Headers(requestId) }
    expect(() => documented(url + path, call, success)).toThrow(/colour|<= 100/)
  })

  it('expects 404 where there is no path, and 405 where there is no method', () => {
    const success = { status: 200, body: {}, headers: new Headers(requestId) }
    expect(() => documented(`${url}/nowhere`, {}, success)).toThrow(/no operation/)
    expect(() => documented(`${url}/activity`, { method: 'DELETE' }, success)).toThrow(/no operation/)
  })
})
