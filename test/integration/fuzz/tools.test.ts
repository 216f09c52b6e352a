import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { listTools } from '../../../src/mcp/tool-list.ts'
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
  const work = { title: 'Login', summary: 'Rework it.', actor: 'Alice', branch: 'feature/login' }
  likely = {
    ...work,
    repository: `${repository.owner}/${repository.name}`,
    activity_id: (await repository.created('/activity', work)).activity.id,
    notable_id: (await repository.raised()).id,
    importance: 'low',
    category: 'warning',
    scope: { areas: ['auth'], paths: ['src/auth'] },
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
const tools = listTools().map(({ name, inputSchema }) => {
  return { name, parameters: Object.keys(Properties.parse(inputSchema).properties) }
})

describe('a model that calls', () => {
  it.each(tools)(
    '$name with any arguments gets a result, and never an internal error',
    async ({ name, parameters }) => {
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
        if (text.includes('structuredContent')) taken++
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
