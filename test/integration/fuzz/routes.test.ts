import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/service/lib/ids.ts'
import { operations } from '../../support/arbitrary/document.ts'
import { hostileText } from '../../support/arbitrary/hostile.ts'
import { requestOf } from '../../support/arbitrary/request.ts'
import type { Known } from '../../support/arbitrary/value.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

/** Requests of each operation. Raise it for a long look: every run begins with another seed. */
const runs = 100

/** In ms, for one request: what takes longer hangs. */
const patience = 10_000

/** Stands in all texts of another repository, and may come out of no answer to this one's callers. */
const secret = 'never-to-be-seen-elsewhere'

const work = { title: 'Login', summary: 'Rework it.', actor: 'Alice', branch: 'feature/login' }
const notable = { title: 'Careful', summary: 'The schema moves.', importance: 'low', category: 'warning' }

let service: TestService
let repository: TestRepository
let known: Known
/** What nobody but the callers of the other repository may see or change. */
let foreign: { repository: TestRepository; rows: string }

beforeAll(async () => {
  service = await startTestService()
  repository = service.newRepository()
  const other = service.newRepository()
  const scope = { areas: ['auth', secret], paths: ['src/auth', `src/${secret}/**`] }
  const activities: string[] = []
  const notables: string[] = []
  const cursors: string[] = []
  for (const of of [other, repository]) {
    const texts = of === other ? { summary: secret, scope } : { scope: { areas: ['auth'], paths: ['src/auth'] } }
    for (let count = 0; count < 3; count++) {
      activities.push((await of.created('/activity', { ...work, ...texts })).activity.id)
      notables.push((await of.raised({ ...notable, ...texts })).id)
    }
    cursors.push(...[await of.page('/activity?limit=1'), await of.page('/notables?limit=1')].map(cursorOf))
  }
  known = {
    activity: mostlyOwn(activities, newId('act')),
    notable: mostlyOwn(notables, newId('ntb')),
    activity_id: fc.constantFrom(...activities, newId('act'), notables[0]),
    supersedes: fc.subarray([...notables, newId('ntb'), activities[0]]),
    cursor: fc.constantFrom(...cursors, newId('act')),
  }
  foreign = { repository: other, rows: await rowsOf(other) }
})
afterAll(() => service.stop())

/** The first half of the ids are the other repository's. */
function mostlyOwn(ids: string[], missing: string): fc.Arbitrary<string> {
  const own = ids.slice(ids.length / 2)
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...own) }, fc.constantFrom(...ids, missing))
}

function cursorOf({ next_cursor }: { next_cursor: string | null }): string {
  return next_cursor ?? ''
}

/** Everything that is stored of a repository. */
async function rowsOf({ id }: TestRepository): Promise<string> {
  const tables = ['activities', 'notables', 'scope_keys', 'idempotency_keys']
  const found = tables.map((table) =>
    service.db.query(`select * from ${table} as row where repository_id = $1 order by row::text`, [id]),
  )
  return JSON.stringify(
    (await Promise.all(found)).map(({ rows }) => rows),
    (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
  )
}

describe('any request to', () => {
  it.each(operations)(
    '$operationId gets a documented response, never a 500, with data of this repository only',
    async (operation) => {
      let taken = 0
      const asked = fc.asyncProperty(requestOf(operation, known), async ({ method, path, ...sent }) => {
        const answer = await repository.call(method, path, sent)
        expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500)
        expect(JSON.stringify(answer.body ?? null)).not.toContain(secret)
        if (answer.status < 300) taken++
      })
      await fc.assert(asked, { numRuns: runs, timeout: patience })
      expect(await rowsOf(foreign.repository)).toBe(foreign.rows)
      expect(taken, 'at least one request has to succeed').toBeGreaterThan(0)
    },
    runs * patience,
  )

  it('an owner or repository of any name is 404', async () => {
    const segment = hostileText
      .map((text) => encodeURIComponent(text.toWellFormed()))
      .filter((text) => !/^\.*$/.test(text))
    const asked = fc.asyncProperty(segment, segment, async (owner, repo) => {
      const names = [`${owner}/${repo}`, `${owner}/${repository.name}`, `${repository.owner}/${repo}`]
      const answers = names.map((name) =>
        service.call('GET', `/api/v1/repos/${name}/activity`, { token: repository.writer }),
      )
      for (const { status } of await Promise.all(answers)) expect(status).toBe(404)
    })
    await fc.assert(asked, { numRuns: runs, timeout: patience })
  })
})
