import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findObservation } from '../../../src/service/github/callers/observation.sql.ts'
import { hour, minute } from '../../support/clock.ts'
import { collectGarbage } from '../../support/collect-garbage.ts'
import { faults } from '../../support/github/faults.ts'
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

describe('the token of a caller', () => {
  it('is used no longer than its time, also after memory was freed', async () => {
    const { github } = service
    const { repository } = scene
    github.fail(faults.never(), { path: new RegExp(`^${repository.path}/pulls\\?.*state=`) })
    // Shorter than one request to GitHub may take. A request that fails by its own limit is saved as a failed reading.
    const brief = await startCallersService({ times: { waitMs: 0, tokenMs: 3_000 } }, service)
    try {
      await scene.stateOf({ from: brief })
      await expect.poll(() => scene.lists()).toHaveLength(1)
      await collectGarbage()
      await brief.callers?.idle()
      expect(await findObservation(service.db, repository.id, service.clock.now())).toMatchObject({ failedAt: null })
    } finally {
      await brief.stop()
    }
  })

  it('keeps half of what is left of its limit, also where it was used elsewhere meanwhile', async () => {
    const { github, clock } = service
    const limit = { limit: 5_000, used: 0, resetsAt: clock.now().getTime() + 2 * hour }
    const token = github.addToken(`ghp_old${scene.repository.id}`, `writer${scene.repository.id}`, { limit })
    await scene.stateAndReading({ token })
    await scene.openPulls(30)
    clock.advance(minute)
    limit.used = limit.limit - 40
    await scene.stateAndReading({ token })
    expect(scene.fileReads().length).toBeGreaterThan(0)
    expect(limit.limit - limit.used).toBe(20)
  })

  it('stops a reading at half, where it is used elsewhere during the reading', async () => {
    const { github, clock } = service
    await scene.openPulls(30)
    const limit = { limit: 5_000, used: 4_000, resetsAt: clock.now().getTime() + hour }
    const token = github.addToken(`ghp_shared${scene.repository.id}`, `writer${scene.repository.id}`, { limit })
    const useMost = () => {
      limit.used = Math.max(limit.used, 4_600)
    }
    github.fail(faults.runBefore(useMost), { path: /\/pulls\/\d+\/files/ })
    await scene.stateAndReading({ token })
    // Those that had begun at the same time end.
    expect(scene.fileReads().length).toBeLessThanOrEqual(4)
  })
})
