import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type Clone, removeDirectories, sharedRepository } from './command-line.ts'
import { startTestService, type TestRepository, type TestService, type TestServiceOptions } from './service.ts'

/** What each test begins with. */
export interface ClonesStage {
  service: TestService
  /** A new one. */
  repository: TestRepository
  /** A clone of the repository whose `headsup` asks the service, by default with the token of the writer. */
  clone(actor: string, options?: { token?: string; branch?: string }): Clone
}

/**
 * Starts a service for the tests of the file, and calls `prepare` before each of them. For the top of a file: it registers
 * `beforeAll`, `beforeEach` and `afterAll`.
 */
export function prepareClones(prepare: (stage: ClonesStage) => void, options: TestServiceOptions = {}): void {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService(options)
  })
  afterAll(async () => {
    removeDirectories()
    await service.stop()
  })
  beforeEach(() => {
    const repository = service.newRepository()
    const shared = sharedRepository(repository.owner, repository.name)
    const clone: ClonesStage['clone'] = (actor, { token = repository.writer, branch } = {}) => {
      // Long enough for an overloaded machine.
      const env = { HEADSUP_URL: service.url, GITHUB_TOKEN: token, HEADSUP_HOOK_LIMIT_MS: '25000' }
      return shared.clone(actor, env, branch)
    }
    prepare({ service, repository, clone })
  })
}
