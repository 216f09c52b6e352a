import fc from 'fast-check'
import type { Operation } from './document.ts'
import { hostileText, hostileTexts, memberNames } from './hostile.ts'
import { broken, type Known, validValue } from './value.ts'

/** A request of one operation. */
export interface MadeRequest {
  method: string
  /** Below `/repos/{owner}/{repo}`, with its query. */
  path: string
  headers: Record<string, string>
  /** The body: JSON, or almost. */
  raw?: string
  /** The parsed body, to be checked against the document if the request is accepted. */
  body?: unknown
}

/** Requests of the operation: valid ones, ones with one invalid part, and hostile ones. */
export function requestOf(operation: Operation, known: Known): fc.Arbitrary<MadeRequest> {
  const body = bodyOf(operation, known)
  return fc
    .record({ path: pathOf(operation, known), query: queryOf(operation, known), headers: headersOf(operation), body })
    .map(({ path, query, headers, body }) => ({
      method: operation.method,
      path: query === '' ? path : `${path}?${query}`,
      headers,
      ...(body === undefined ? {} : { raw: body, body: meaning(body) }),
    }))
    .filter(({ path }) => path.length < longestPath)
}

/** Node refuses requests with more than 16 KiB of headers, before any operation. */
const longestPath = 12_000

function pathOf({ path }: Operation, known: Known): fc.Arbitrary<string> {
  if (!path.includes('{id}')) return fc.constant(path)
  const name = path.startsWith('/notables') ? 'notable' : 'activity'
  const id = fc.oneof({ weight: 8, arbitrary: known[name] ?? fc.constant('') }, hostileText)
  return id.map((value) => path.replace('{id}', () => segment(String(value))))
}

/** The client would resolve a segment of dots as a directory. */
function segment(value: string): string {
  const encoded = encodeURIComponent(value.toWellFormed())
  return /^\.*$/.test(encoded) ? 'x' : encoded
}

function queryOf({ parameters }: Operation, known: Known): fc.Arbitrary<string> {
  const declared = parameters.filter((parameter) => parameter.in === 'query')
  const given = declared.map(({ name, schema }) => {
    const value = fc.oneof({ weight: 3, arbitrary: validValue(schema, name, known) }, hostileText)
    return value.map((text) => `${name}=${encodeURIComponent(String(text).toWellFormed())}`)
  })
  const stray = fc.constantFrom(
    'x=1',
    '?',
    '?x',
    '__proto__=x',
    'limit',
    'limit=1&limit=2',
    '=',
    '&',
    '%',
    '%ff=%00',
    'a[b]=c',
  )
  const part = given.length === 0 ? stray : fc.oneof({ weight: 20, arbitrary: fc.oneof(...given) }, stray)
  const parts = fc.array(part, { maxLength: given.length === 0 ? 1 : 3 })
  return fc
    .oneof({ weight: given.length === 0 ? 9 : 1, arbitrary: fc.constant([]) }, parts)
    .map((chosen) => chosen.join('&'))
}

/** The characters that the client accepts in a header. */
const headerText = fc
  .oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: 'binary-ascii' }), fc.constant('x'.repeat(300)))
  .map((text) => text.replaceAll(/[^\t -~\u0080-\u00ff]/g, ''))

function headersOf({ parameters }: Operation): fc.Arbitrary<Record<string, string>> {
  const declared = parameters.filter((parameter) => parameter.in === 'header')
  const entries = declared.map(({ name, schema }) => [
    name.toLowerCase(),
    fc.oneof(textOf(validValue(schema)), headerText),
  ])
  return fc.record(
    {
      ...Object.fromEntries(entries),
      'x-request-id': headerText,
      // Written as the client writes it, which would otherwise send both.
      'content-type': fc.oneof({ weight: 19, arbitrary: fc.constant('application/json') }, headerText),
    },
    { requiredKeys: ['content-type'] },
  )
}

function textOf(value: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  return value.map(String).map((text) => text.replaceAll(/[^\t -~\u0080-\u00ff]/g, ''))
}

function bodyOf({ body }: Operation, known: Known): fc.Arbitrary<string | undefined> {
  if (!body) return fc.constant(undefined)
  const valid = validValue(body, '', known)
  return fc.oneof(
    { weight: 6, arbitrary: valid.map(toJson) },
    { weight: 9, arbitrary: valid.chain(broken).map(toJson) },
    { weight: 1, arbitrary: fc.constantFrom('', '{', 'nul', '\u0000', '{"a":1}{', '[', `{"${memberNames[0]}":{}}`) },
    { weight: 1, arbitrary: hostileText.map(toJson) },
  )
}

function meaning(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}

/** JSON has no undefined. */
function toJson(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}
