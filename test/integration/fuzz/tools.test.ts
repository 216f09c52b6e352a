import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { listTools } from '../../../src/service/api/mcp/tool-list.ts'
import { hostileJson, hostileText } from '../../support/arbitrary/hostile.ts'
import { broken } from '../../support/arbitrary/value.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

/** Calls of each tool. Raise it for a long look. */
const runs = 40

/** In ms, for one call: what takes longer hangs. */
const patience = 10_000

let service: TestService
let repository: TestRepository
let likely: Record<string, unknown>

beforeAll(async () => {
  service = await startTestService()
  repository = service.newRepository()
  const changes = { files: [{ path: 'src/auth/session.ts', lines: [[10, 20]] }] }
  const work = { title: 'Login', summary: 'Rework it.', actor: 'Alice', branch: 'feature/login', changes }
  await repository.created('/activity', { ...work, branch: 'feature/other' })
  likely = {
    ...work,
    repository: `${repository.owner}/${repository.name}`,
    activity_id: (await repository.created('/activity', work)).activity.id,
    notable_id: (await repository.raised()).id,
    importance: 'low',
    category: 'warning',
    scope: { areas: ['auth'], paths: ['src/auth'] },
    proposals: [{ scope: { paths: ['src/auth'] } }, { changes }],
    risk: 'high',
    limit: 5,
  }
})
afterAll(() => service.stop())

async function send(body: unknown) {
  const response = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${repository.writer}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(body) ?? '',
  })
  return { status: response.status, text: await response.text() }
}

const Properties = z.object({ properties: z.record(z.string(), z.unknown()) })
/** The SDK's clients 1.x read schemas as draft 7, those of 2.x as 2020-12. */
const dialects = [new Ajv({ strict: false }), new Ajv2020({ strict: false })]
const tools = listTools().map(({ name, inputSchema, outputSchema = {} }) => {
  const { $schema: _, ...schema } = outputSchema
  const parameters = Object.keys(Properties.parse(inputSchema).properties)
  return { name, parameters, checks: dialects.map((ajv) => ajv.compile(schema)) }
})
const Reply = z.object({ result: z.object({ structuredContent: z.object({}).loose() }) })

/** The result in a reply, which may be an event of a stream; undefined for an error. */
function resultIn(text: string) {
  const [json = text] = text.match(/(?<=^data: ).*$/m) ?? []
  return Reply.safeParse(JSON.parse(json)).data?.result.structuredContent
}

describe('a model that calls', () => {
  it.each(tools)(
    '$name with any arguments gets a result that matches its schema, and never an internal error',
    async ({ name, parameters, checks }) => {
      let taken = 0
      const known = fc.oneof(fc.constant(parameters), fc.subarray(parameters)).map((chosen) => {
        const members = [...chosen, 'repository'].filter((member) => member in likely)
        return Object.fromEntries(members.map((member) => [member, likely[member]]))
      })
      const args = fc.oneof({ weight: 2, arbitrary: known }, { weight: 3, arbitrary: known.chain(broken) })
      const answered = fc.asyncProperty(args, async (given) => {
        const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
        const { status, text } = await send(call)
        expect(status, text).toBeLessThan(500)
        expect(text).not.toContain('internal_error')
        const result = resultIn(text)
        if (result === undefined) return
        for (const check of checks) expect(check(result), JSON.stringify(check.errors)).toBe(true)
        taken++
      })
      await fc.assert(answered, { numRuns: runs, timeout: patience })
      expect(taken, 'at least one call has to succeed').toBeGreaterThan(0)
    },
    runs * patience,
  )

  it(
    'anything at all never gets a 500',
    async () => {
      const message = fc.record(
        { jsonrpc: fc.constantFrom('2.0', '1.0', 2), id: hostileJson, method: hostileText, params: hostileJson },
        { requiredKeys: [] },
      )
      const answered = fc.asyncProperty(
        fc.oneof(message, hostileJson, fc.array(message, { maxLength: 3 })),
        async (body) => {
          const { status, text } = await send(body)
          expect(status, text).toBeLessThan(500)
        },
      )
      await fc.assert(answered, { numRuns: runs * 4, timeout: patience })
    },
    runs * 4 * patience,
  )
})
