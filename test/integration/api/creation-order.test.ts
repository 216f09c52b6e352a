import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { hour, second } from '../../support/clock.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const work = { title: 'Login', summary: 'Rework it.', actor: 'Alice' }
const Page = z.object({ items: z.array(z.object({ id: z.string(), created_at: z.string(), expires_at: z.string() })) })

async function listed(repository: TestRepository, path: string) {
  const { items } = Page.parse((await repository.get(`${path}?limit=100`)).body)
  return items
}

/** Starts the work this often, while the clock goes on with each turn of the event loop. */
async function whileTimePasses(count: number, start: () => Promise<unknown>): Promise<void> {
  const pending = new Set<Promise<unknown>>()
  for (let started = 0; started < count || pending.size > 0; started++) {
    if (started < count) {
      const one = start().finally(() => pending.delete(one))
      pending.add(one)
    }
    service.clock.advance(1)
    await setImmediate()
  }
}

describe('records that are created at once', () => {
  it.each([
    ['/activity', (repository: TestRepository) => repository.created('/activity', work)],
    ['/notables', (repository: TestRepository) => repository.raised()],
  ])('have ids and created_at in the same order: %s', async (path, create) => {
    const repository = service.newRepository()
    await whileTimePasses(80, () => create(repository))
    const items = await listed(repository, path)
    expect(items).toHaveLength(80)
    const times = items.map(({ created_at }) => created_at)
    expect(times).toEqual(times.toSorted().reverse())
    expect(new Set(times).size).toBeGreaterThan(1)
  })
})

describe('a record that is created after the clock was set back', () => {
  const createTwo = async (setBack: number) => {
    const repository = service.newRepository()
    const first = (await repository.created('/activity', work)).activity
    service.clock.advance(-setBack)
    const second = (await repository.created('/activity', work)).activity
    expect((await listed(repository, '/activity')).map(({ id }) => id)).toEqual([second.id, first.id])
    return { repository, first, second }
  }

  it('by less than 30 s has the time of the one before, until that time has passed', async () => {
    const { repository, first, second: held } = await createTwo(30 * second - 1)
    expect(held).toMatchObject({ created_at: first.created_at, expires_at: first.expires_at })
    service.clock.advance(30 * second)
    const { activity } = await repository.created('/activity', work)
    expect(Date.parse(activity.created_at) - Date.parse(first.created_at)).toBe(1)
  })

  it('by more has the right time, and a later id', async () => {
    const { first, second: right } = await createTwo(hour)
    expect(Date.parse(right.created_at) - Date.parse(first.created_at)).toBe(-hour)
  })
})
