import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { secret, sign } from '../../support/deliveries.ts'
import { connectRaw, statuses } from '../../support/raw-client.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService
let repository: TestRepository

beforeAll(async () => {
  service = await startTestService({ webhookSecret: secret })
  repository = service.newRepository()
})
afterAll(() => service.stop())

const work = JSON.stringify({ title: 'Twice', summary: 'It must not be there.', actor: 'Mallory' })
const delivery = JSON.stringify({ zen: 'Speak like a human.' })

type Field = [name: string, value: string]

/** What comes back for a POST of these fields, each on a line of its own and as it is spelled. */
async function post(path: string, fields: Field[], body: string) {
  const connection = await connectRaw(service.url)
  const lines = fields.map(([name, value]) => `${name}: ${value}`)
  connection.write([`POST ${path} HTTP/1.1`, ...lines, 'Connection: close', '', body].join('\r\n'))
  const text = await connection.closed()
  return { statuses: statuses(text), body: text.slice(text.indexOf('\r\n\r\n') + 4) }
}

const common = (body: string): Field[] => [
  ['Host', 'headsup.example'],
  ['Content-Type', 'application/json'],
  ['Content-Length', String(body.length)],
]
const create = (): Field[] => [
  ...common(work),
  ['Authorization', `Bearer ${repository.writer}`],
  ['Idempotency-Key', 'key-1'],
]
const hook = (): Field[] => [
  ...common(delivery),
  ['X-GitHub-Event', 'ping'],
  ['X-GitHub-Delivery', 'guid-1'],
  ['X-Hub-Signature-256', sign(delivery)],
]
const rpc = (): Field[] => [
  ...common('{}'),
  ['Authorization', `Bearer ${repository.writer}`],
  ['Accept', 'application/json, text/event-stream'],
  ['Origin', 'https://headsup.example'],
]

/** The fields with one of them once more, in other letters, before or behind its like. */
function twice(fields: Field[], name: string, value: (old: string) => string, place: 'before' | 'behind'): Field[] {
  return fields.flatMap(([known, old]): Field[] => {
    if (known !== name) return [[known, old]]
    const added: Field = [known.toUpperCase(), value(old)]
    return place === 'before' ? [added, [known, old]] : [[known, old], added]
  })
}

const same = (old: string) => old
const other = (old: string) => `${old}x`

describe('a header that decides something and is there twice', () => {
  const cases = [
    { where: 'the API', path: () => `/api/v1${repository.path}/activity`, fields: create, body: work },
    { where: 'webhooks', path: () => '/api/github/webhooks', fields: hook, body: delivery },
    { where: 'MCP', path: () => '/mcp', fields: rpc, body: '{}' },
  ]
  const named: [string, string[]][] = [
    ['the API', ['Host', 'Authorization', 'Content-Type', 'Idempotency-Key']],
    ['webhooks', ['Content-Type', 'X-GitHub-Event', 'X-GitHub-Delivery', 'X-Hub-Signature-256']],
    ['MCP', ['Authorization', 'Content-Type', 'Origin']],
  ]
  const all = named.flatMap(([where, names]) => names.map((name) => [where, name] as const))

  it.each(all)('(%s, %s) is 400 and named, whatever both say and in whichever order', async (where, name) => {
    const found = cases.find((one) => one.where === where)
    if (!found) throw new Error(where)
    for (const value of [same, other]) {
      for (const place of ['before', 'behind'] as const) {
        const answer = await post(found.path(), twice(found.fields(), name, value, place), found.body)
        expect(answer.statuses).toEqual([400])
        const { error } = JSON.parse(answer.body)
        expect(where === 'MCP' ? error.data : error).toMatchObject({
          code: 'validation_failed',
          message: `${name}: must be there once`,
          details: [{ field: name, code: 'duplicate', message: 'must be there once' }],
        })
      }
    }
    expect((await repository.page('/activity')).items).toEqual([])
  })

  it('(a length, a transfer coding) is 400, be both the same', async () => {
    const path = `/api/v1${repository.path}/activity`
    for (const value of [same, other]) {
      expect((await post(path, twice(create(), 'Content-Length', value, 'behind'), work)).statuses).toEqual([400])
    }
    const chunks: Field = ['Transfer-Encoding', 'chunked']
    const fields = [...create().filter(([name]) => name !== 'Content-Length'), chunks, chunks]
    const body = `${work.length.toString(16)}\r\n${work}\r\n0\r\n\r\n`
    expect((await post(path, fields, body)).statuses).toEqual([400])
    expect((await repository.page('/activity')).items).toEqual([])
  })

  it('is found behind a thousand others', async () => {
    const many = Array.from({ length: 2_000 }, (): Field => ['a', ''])
    const fields: Field[] = [...create(), ...many, ['Authorization', 'Bearer another']]
    expect((await post(`/api/v1${repository.path}/activity`, fields, work)).statuses).toEqual([400])
  })

  it('is the reason: once, each of these requests is taken', async () => {
    const found = service.newRepository()
    const fields = create().map(
      ([name, value]): Field => [name, name === 'Authorization' ? `Bearer ${found.writer}` : value],
    )
    expect((await post(`/api/v1${found.path}/activity`, fields, work)).statuses).toEqual([201])
    expect((await post('/api/github/webhooks', hook(), delivery)).statuses).toEqual([200])
    expect((await post('/mcp', rpc(), '{}')).body).toContain('jsonrpc')
  })

  it('may be a list: of what is there already, of what is accepted', async () => {
    const fields: Field[] = [
      ...create(),
      ['If-None-Match', 'W/"a"'],
      ['If-None-Match', 'W/"b"'],
      ['Accept', 'a/b'],
      ['Accept', '*/*'],
    ]
    const path = `/api/v1${repository.path}/activity/check`
    expect((await post(path, fields, work)).statuses).toEqual([200])
  })
})
