import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { day, hour, minute, second } from '../../support/clock.ts'
import type { TestService } from '../../support/service.ts'
import { newScene, type ObservedScene, startCallersService } from './callers-setup.ts'

let service: TestService
let scene: ObservedScene

beforeAll(async () => {
  service = await startCallersService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  scene = await newScene(service)
})

const withoutWait = { headers: { prefer: 'wait=0' } }

describe('a repository that callers read', () => {
  it('is forgotten after 24 hours without a question', async () => {
    await scene.openPulls(1)
    expect(await scene.listed()).toHaveLength(1)
    service.clock.advance(day - second)
    await service.callers?.forget()
    expect(await scene.listed()).toHaveLength(1)
    service.clock.advance(day)
    expect(await service.callers?.forget()).toEqual({ forgotten: 1 })
    expect(await scene.listed(withoutWait)).toEqual([])
  })

  it('is kept only among the most recent ones', async () => {
    const few = await startCallersService({ maxObserved: 2 }, service)
    try {
      const all = [scene.repository, service.newRepository(), service.newRepository()]
      for (const one of all) {
        await scene.openPulls(1, one)
        await scene.listed({}, few.as(one))
        service.clock.advance(second)
      }
      await few.callers?.forget()
      const kept = await Promise.all(all.map((one) => scene.listed(withoutWait, few.as(one))))
      expect(kept.map((items) => items.length)).toEqual([0, 1, 1])
    } finally {
      await few.stop()
    }
  })

  it('is not forgotten where the App reads it', async () => {
    await scene.openPulls(1)
    await scene.listed()
    await service.db.query('update observed_repositories set by_app = true where repository_id = $1', [
      scene.repository.id,
    ])
    service.clock.advance(day)
    await service.callers?.forget()
    expect(await scene.listed()).toHaveLength(1)
  })

  it('has the rules of its .gitattributes, read once an hour', async () => {
    const { repository } = scene
    await service.github.push(repository, 'main', { '.gitattributes': 'dist/** linguist-generated\n' })
    const readings = () => scene.requestsTo(/gitattributes/).length
    await scene.stateAndReading()
    const { rows } = await service.db.query<{ rules: unknown }>(
      'select ignored_by_attributes as rules from observed_repositories where repository_id = $1',
      [repository.id],
    )
    const rules = [{ pattern: 'dist/**', settings: [['linguist-generated', true]] }]
    expect(rows).toEqual([{ rules: { macros: [], rules } }])
    service.clock.advance(hour - 1)
    await scene.stateAndReading()
    expect(readings()).toBe(1)
    service.clock.advance(minute)
    await scene.stateAndReading()
    expect(readings()).toBe(2)
  })
})

describe('a fork', () => {
  it('names its parent once a list has shown that no pull request is open', async () => {
    const parent = 'upstream/hello'
    expect(await scene.stateOf({ parent, waitMs: 0 })).not.toMatchObject({ parent })
    await service.callers?.idle()
    await expect.poll(() => scene.stateOf({ parent })).toMatchObject({ pull_requests: 'current', parent })
    await scene.openPulls(1)
    service.clock.advance(minute)
    await scene.stateAndReading({ parent })
    expect(await scene.stateOf({ parent })).toMatchObject({ parent: null })
  })
})
