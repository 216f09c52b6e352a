import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { AppError } from '../../src/core/errors.ts'
import { parse } from '../../src/service/api/operation.ts'
import { allOperations } from '../../src/service/api/operations/index.ts'
import { createStreams } from '../../src/service/live/send-versions.ts'
import { badOfType, badValues, goodValue, propertiesOf, type Schema } from '../support/bad-values.ts'
import { type Client, clientOf, startTestService, type TestService, work } from '../support/service.ts'

const operations = allOperations(createStreams({ follow: () => () => {}, stop() {} }))
const notable = { title: 'Sessions move', summary: 'Soon.', importance: 'low', category: 'migration' }
const bodies: Readonly<Record<string, object>> = { createActivity: work, createNotable: notable }

/** What is wrong with the refusal of this value; null where it is refused by the name of its field. */
function faultOf(schema: z.ZodType, input: object, field: string): string | null {
  try {
    parse(schema, input)
    return 'is taken'
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { details = [] } = error.options
    const isNamed = details.some(
      (one) => one.field === field || one.field.startsWith(`${field}.`) || one.field.startsWith(`${field}[`),
    )
    return error.code === 'validation_failed' && isNamed ? null : error.message
  }
}

/** On a check `null` means that nothing was sent. */
const isTaken = (id: string, field: string, what: string) =>
  id === 'checkOverlap' && field === 'changes' && what === 'null'

describe('§2 each wrong value of each operation', () => {
  it('of a body is refused by the name of its field', () => {
    const faults = operations.flatMap(({ id, method, input }) => {
      if (method === 'get') return []
      const fields: [string, Schema][] = [...Object.entries(propertiesOf(input)), ['nonsense', {}]]
      return fields.flatMap(([field, schema]) =>
        badValues(schema).flatMap(([what, value]) => {
          const fault = isTaken(id, field, what) ? null : faultOf(input, { ...bodies[id], [field]: value }, field)
          return fault === null ? [] : `${id} ${field} (${what}): ${fault}`
        }),
      )
    })
    expect(faults).toEqual([])
  })

  it('of a query is refused by the name of its parameter: also an empty one, and one that is given twice', () => {
    const faults = operations.flatMap(({ id, method, input, query }) => {
      const schema = method === 'get' ? input : query
      const fields: [string, Schema][] = [...Object.entries(propertiesOf(schema)), ['nonsense', {}]]
      return fields.flatMap(([field, property]) => {
        const good = String(goodValue(property))
        const isText = property.type === 'string'
        const bad: [string, unknown][] = [
          ['empty', ''],
          ['twice', [good, good]],
          ...(isText ? [] : [['a word', 'maybe'] as [string, unknown]]),
          ...badOfType(property).map(([what, value]): [string, unknown] => [what, String(value)]),
        ]
        return bad.flatMap(([what, value]) => {
          const fault = faultOf(schema, { [field]: value }, field)
          return fault === null ? [] : `${id} ${field} (${what}): ${fault}`
        })
      })
    })
    expect(faults).toEqual([])
  })
})

describe('§2 what is refused', () => {
  let service: TestService
  let client: Client
  beforeAll(async () => {
    service = await startTestService()
    client = clientOf(service)
  })
  afterAll(() => service.stop())

  it('stores nothing, and changes nothing', async () => {
    const activity = (await client.post('/activity', work)).body.activity.id
    const raised = (await client.post('/notables', notable)).body.id
    const stored = async () => {
      const lists = await Promise.all([client.get('/activity?limit=500'), client.get('/notables?limit=500')])
      return lists.map(({ body }) => body.items)
    }
    const before = await stored()
    for (const { id, method, path, input } of operations) {
      if (method === 'get') continue
      const pathOf = path.replace(':id', path.startsWith('/notables') ? raised : activity)
      for (const field of [...Object.keys(propertiesOf(input)), 'nonsense']) {
        const { status, body } = await client.request(method.toUpperCase(), pathOf, { ...bodies[id], [field]: 7.5 })
        expect([id, field, status, body.error.code]).toEqual([id, field, 400, 'validation_failed'])
      }
    }
    expect(await stored()).toEqual(before)
  })
})
