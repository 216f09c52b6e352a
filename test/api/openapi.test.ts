import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { errorCodes } from '../../src/core/errors.ts'
import { expectDocumented } from '../support/document.ts'
import { startTestService, type TestService } from '../support/service.ts'

type Json = Record<string, unknown>
interface Operation {
  operationId: string
  parameters: { name: string; in: string; required: boolean; schema: Json }[]
  requestBody?: { content: Record<string, { schema: Json }> }
  responses: Record<string, { content: Record<string, { schema: Json }> }>
}
interface Document {
  openapi: string
  info: { description: string; version: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json> }
}

let service: TestService
let document: Document
beforeAll(async () => {
  service = await startTestService()
  const response = await fetch(`${service.url}/api/v1/openapi.json`)
  document = (await response.json()) as Document
})
afterAll(() => service.stop())

const operations = () => Object.values(document.paths).flatMap((path) => Object.values(path))
const bodyOf = (operation: Operation) => operation.requestBody?.content['application/json']?.schema

it('§13 names every route of the specification', () => {
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path.replace('/repos/{owner}/{repo}', '')}`),
  )
  expect(routes.sort()).toEqual(
    [
      ...['get /activity', 'post /activity', 'post /activity/check', 'get /activity/{id}', 'patch /activity/{id}'],
      ...['post /activity/{id}/heartbeat', 'post /activity/{id}/archive', 'get /collisions', 'get /events'],
      ...['get /notables', 'post /notables', 'get /notables/{id}', 'patch /notables/{id}', 'get /settings'],
      'post /notables/{id}/archive',
    ].sort(),
  )
  expect(document.openapi).toBe('3.1.0')
  expect(new Set(operations().map(({ operationId }) => operationId)).size).toBe(routes.length)
})

it('§13 closes requests, and leaves answers open for further fields', () => {
  for (const operation of operations()) {
    const body = bodyOf(operation)
    if (body) expect([operation.operationId, body.additionalProperties]).toEqual([operation.operationId, false])
  }
  expect(JSON.stringify(document.components.schemas)).not.toContain('"additionalProperties":false')
})

it('§13 has an answer and two errors for each operation, and all that they refer to', () => {
  for (const { operationId, responses } of operations()) {
    const [success = '', ...errors] = Object.keys(responses)
    expect([operationId, success, errors]).toEqual([operationId, expect.stringMatching(/^20[01]$/), ['4XX', '5XX']])
  }
  const text = JSON.stringify(document)
  const named = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((name) => !(String(name) in document.components.schemas))).toEqual([])
  expect(text.length).toBeLessThan(110_000)
  for (const code of Object.keys(errorCodes)) expect(document.info.description).toContain(`\`${code}\``)
})

it('§13 can be read as draft 7 too: no tuples, no ids, no pattern of a number', () => {
  const text = JSON.stringify(document)
  for (const word of ['prefixItems', '"$id"', '"$schema"', '"$defs"']) expect(text).not.toContain(word)
  const parameters = operations().flatMap(({ parameters }) => parameters)
  for (const { name, schema } of parameters)
    if ('pattern' in schema) expect([name, schema.type]).toEqual([name, 'string'])
  const ajv = new Ajv({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'api')
  for (const name of Object.keys(document.components.schemas)) ajv.compile({ $ref: `api#/components/schemas/${name}` })
  for (const operation of operations()) ajv.compile({ ...bodyOf(operation), components: document.components })
})

it('says of every parameter where it stands, and which must be sent', () => {
  for (const { operationId, parameters } of operations()) {
    expect(
      parameters.slice(0, 2).map(({ name }) => name),
      operationId,
    ).toEqual(['owner', 'repo'])
    const required = parameters.filter(({ required }) => required)
    expect(
      required.every((one) => one.in === 'path'),
      operationId,
    ).toBe(true)
  }
  const ofCreates = operations().filter(({ parameters }) => parameters.some(({ name }) => name === 'Idempotency-Key'))
  expect(ofCreates.map(({ operationId }) => operationId)).toEqual(['createActivity', 'createNotable'])
})

it('is of the version of the package', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(document.info.version).toBe(version)
})

it('fails tests whose answers are not as it says', async () => {
  const beat = { id: 'act_1', status: 'active', heartbeat_at: '2026-11-20T09:30:00.000Z', expires_at: null }
  const path = '/activity/act_1/heartbeat'
  const expected = (body: object) => expectDocumented(service.url, 'POST', path, 200, body)
  await expect(expected(beat)).rejects.toThrow('expires_at must be string')
  const whole = { ...beat, expires_at: beat.heartbeat_at }
  await expected(whole)
  await expect(expected({ ...whole, further: 1 })).rejects.toThrow('additional properties')
  await expect(expectDocumented(service.url, 'POST', path, 201, whole)).rejects.toThrow('no documented operation')
  await expect(expectDocumented(service.url, 'POST', path, 400, whole)).rejects.toThrow("required property 'error'")
})
