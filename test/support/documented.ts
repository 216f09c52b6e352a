import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { buildDocument } from '../../src/service/api/http/openapi/document.ts'
import type { ApiRequest, ApiResponse } from './client.ts'

interface Node {
  [key: string]: unknown
}

/** The OpenAPI document, changed so that responses may not have other fields. */
const document = closed(JSON.parse(JSON.stringify(buildDocument()))) as Node
const ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes: false })
addFormats.default(ajv)
ajv.addSchema({ $id: 'document', ...document })

/** Adds `additionalProperties: false`. Not in an `allOf`, whose parts name only some of the properties. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, child]) => [key, key === 'allOf' ? child : closed(child)])
  const isObjectSchema = 'properties' in value && 'type' in value && [value.type].flat().includes('object')
  return { ...(isObjectSchema ? { additionalProperties: false } : {}), ...Object.fromEntries(entries) }
}

const found = new Map<string, Node | undefined>()

/** What the pointer and each `$ref` there lead to. */
function at(pointer: string): Node | undefined {
  if (!found.has(pointer)) found.set(pointer, lookUp(pointer))
  return found.get(pointer)
}

function lookUp(pointer: string): Node | undefined {
  const keys = pointer.split('/').slice(1)
  let node: unknown = document
  for (const key of keys) node = (node as Node | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')]
  const found = node as Node | undefined
  return typeof found?.$ref === 'string' ? at(found.$ref.slice(1)) : found
}

const escaped = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** The pointer of a node after following its `$ref`. */
function place(pointer: string): string {
  const [last = '', ...above] = pointer.split('/').reverse()
  const parent = at(above.reverse().join('/'))
  const node = parent?.[last.replaceAll('~1', '/').replaceAll('~0', '~')] as Node | undefined
  return typeof node?.$ref === 'string' ? node.$ref.slice(1) : pointer
}

function faults(pointer: string, value: unknown): string[] {
  const check = ajv.getSchema(`document#${pointer}`)
  if (!check) return [`no schema at ${pointer}`]
  check(value)
  return (check.errors ?? []).map(({ instancePath, message, params }) => {
    return `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`
  })
}

/** The paths of the document with what matches them. Those without an id come first. */
const paths = Object.keys(document.paths as Node)
  .sort((a, b) => Number(a.includes('{id}')) - Number(b.includes('{id}')))
  .map((path) => ({ path, matching: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))

/** The path of the document that matches the URL. */
function pathOf(url: URL): string | undefined {
  const asked = url.pathname.replace(/^\/api\/v1(?=\/repos\/)/, '').replace(/\/$/, '')
  return paths.find(({ matching }) => matching.test(asked))?.path
}

function headerFaults(response: string, headers: Headers): string[] {
  const declared = Object.entries(at(`${response}/headers`) ?? {})
  return declared.flatMap(([name]) => {
    const value = headers.get(name)
    const pointer = place(`${response}/headers/${escaped(name)}`)
    if (value === null) return at(pointer)?.required ? [`${name} is missing`] : []
    const isNumber = (at(`${pointer}/schema`) as Node).type === 'integer'
    return faults(`${pointer}/schema`, isNumber ? Number(value) : value).map((fault) => `${name}: ${fault}`)
  })
}

function answerFaults(response: string, { status, headers, body }: ApiResponse): string[] {
  if (!at(response)) return [`status ${status} is not documented`]
  const found = headerFaults(response, headers)
  const schema = `${response}/content/${escaped('application/json')}/schema`
  if (!at(schema)) return body === undefined ? found : [...found, 'a body is not documented']
  if (body === undefined) return [...found, 'the body is missing']
  return [...found, ...faults(schema, body)]
}

/** An accepted request must match the document too. */
function requestFaults(operation: string, url: URL, { body }: ApiRequest): string[] {
  const declared = (at(operation)?.parameters ?? []) as unknown[]
  const parameters = declared.map((_, index) => place(`${operation}/parameters/${index}`))
  const query = [...url.searchParams].flatMap(([name, value]) => {
    const pointer = parameters.find((found) => at(found)?.in === 'query' && at(found)?.name === name)
    if (!pointer) return [`parameter ${name} is not documented`]
    const type = (at(`${pointer}/schema`) as Node).type
    return faults(`${pointer}/schema`, type === 'string' ? value : JSON.parse(value))
  })
  if (body === undefined) return query
  return [...query, ...faults(`${operation}/requestBody/content/${escaped('application/json')}/schema`, body)]
}

/** Returns the response if it matches the OpenAPI document in every field. Otherwise throws an error with the differences. */
export function checkDocumented(address: string, call: ApiRequest, answer: ApiResponse): ApiResponse {
  const url = new URL(address)
  if (!/^\/api\/(v1|github)\//.test(url.pathname)) return answer
  // Node's own answer to a request that arrives too slowly. The document describes it in its text.
  if (answer.status === 408 && answer.body === undefined) return answer
  const method = (call.method ?? 'GET').toLowerCase()
  const found = faultsOf(url, method, call, answer)
  if (found.length === 0) return answer
  throw new Error(`${method} ${url.pathname} ${answer.status} is not as documented:\n${found.join('\n')}`)
}

function faultsOf(url: URL, method: string, call: ApiRequest, answer: ApiResponse): string[] {
  const path = pathOf(url)
  if (path === undefined) return undescribed(answer, 404, 'not_found')
  const operation = `/paths/${escaped(path)}/${method === 'head' ? 'get' : method}`
  if (!at(operation)) return undescribed(answer, 405, 'method_not_allowed')
  if (method === 'head') return at(`${operation}/responses/${answer.status}`) ? [] : ['undocumented status']
  const response = place(`${operation}/responses/${answer.status}`)
  const sent = answer.status < 300 ? requestFaults(operation, url, call) : []
  return [...sent, ...answerFaults(response, answer)]
}

/** If the document has no such operation, only this status is allowed. */
function undescribed({ status, body }: ApiResponse, expected: number, code: string): string[] {
  if (status !== expected) return [`status ${status}, where there is no operation`]
  if (body === undefined) return []
  const isCode = JSON.stringify(body).includes(`"code":"${code}"`)
  return [...faults('/components/schemas/Error', body), ...(isCode ? [] : [`the code is not ${code}`])]
}
