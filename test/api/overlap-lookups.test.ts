import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { clientOf, startTestService, type TestService, work } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const name = fc.constantFrom('a', 'b', 'src', 'docs')
const file = fc.constantFrom('x.ts', 'y.ts', 'README.md', 'Makefile')
const path = fc.tuple(fc.array(name, { maxLength: 3 }), file).map(([names, last]) => [...names, last].join('/'))
const segment = fc.oneof(name, fc.constantFrom('*', '**', '?', '{a,src}'))
const glob = fc
  .tuple(fc.array(segment, { maxLength: 3 }), fc.oneof(file, fc.constantFrom('*.ts', '**', 'a', 'x.{ts,js}')))
  .map(([names, last]) => [...names, last].join('/'))
const lines = fc.integer({ min: 1, max: 9 }).map((first): [number, number] => [first, first + 1])
const changed = fc.record({ path, lines: fc.option(fc.array(lines, { maxLength: 2 })) })
const proposal = fc.record({
  scope: fc.record({
    areas: fc.array(fc.constantFrom('auth', 'cart'), { maxLength: 1 }),
    paths: fc.array(glob, { maxLength: 2 }),
  }),
  issues: fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 1 }),
  changes: fc.record({ files: fc.uniqueArray(changed, { maxLength: 3, selector: (one) => one.path }) }),
})

it('§5 a check finds by its keys exactly the work that the comparison of all pairs finds', async () => {
  const client = clientOf(service)
  const proposals = fc.sample(proposal, { numRuns: 40, seed: 7 })
  const ids: string[] = []
  for (const [index, one] of proposals.entries()) {
    const { status, body } = await client.post('/activity', { ...work, branch: `branch-${index}`, ...one })
    expect(status).toBe(201)
    ids.push(body.activity.id)
  }
  const { items, truncated } = (await client.get('/collisions')).body
  expect(truncated).toBe(false)
  expect(items.length).toBeGreaterThan(20)
  for (const id of ids) {
    const others = items.flatMap(({ activity_ids }: { activity_ids: string[] }) =>
      activity_ids.includes(id) ? activity_ids.filter((other) => other !== id) : [],
    )
    const { body } = await client.post('/activity/check', { activity_id: id })
    expect(body.related_activity_ids.toSorted(), JSON.stringify(proposals[ids.indexOf(id)])).toEqual(others.toSorted())
  }
})
