import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { RetrievedActivity } from '../../src/core/schemas/activity.ts'
import { type Clone, removeDirectories, sharedRepository } from './command-line.ts'
import { startTestService, type TestRepository, type TestService, type TestServiceOptions } from './service.ts'

/** What each test begins with. */
export interface ClonesStage {
  service: TestService
  /** A new one. */
  repository: TestRepository
  /** The environment of a `headsup` that asks the service with the token of the writer. */
  variables: { HEADSUP_URL: string; GITHUB_TOKEN: string }
  /** A clone of the repository whose `headsup` asks the service, by default with the token of the writer. */
  clone(actor: string, options?: { token?: string; branch?: string }): Clone
}

/**
 * Starts a service for the tests of the file, and returns what makes a new repository. For the top of a file: it registers
 * `beforeAll` and `afterAll`.
 */
export function startClones(options: TestServiceOptions = {}): () => ClonesStage {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService(options)
  })
  afterAll(async () => {
    removeDirectories()
    await service.stop()
  })
  return () => {
    const repository = service.newRepository()
    const shared = sharedRepository(repository.owner, repository.name)
    const variables = { HEADSUP_URL: service.url, GITHUB_TOKEN: repository.writer }
    const clone: ClonesStage['clone'] = (actor, { token = repository.writer, branch } = {}) => {
      // Long enough for an overloaded machine.
      const env = { ...variables, GITHUB_TOKEN: token, HEADSUP_HOOK_LIMIT_MS: '25000' }
      return shared.clone(actor, env, branch)
    }
    return { service, repository, variables, clone }
  }
}

/** The same, and calls `prepare` before each test. */
export function prepareClones(prepare: (stage: ClonesStage) => void, options: TestServiceOptions = {}): void {
  const newStage = startClones(options)
  beforeEach(() => prepare(newStage()))
}

/** Records the work of the branch, and returns the paths that it is recorded to change, with the old names of renamed files. */
export async function startedChanges(clone: Clone, repository: TestRepository, cwd = '.'): Promise<string[]> {
  const { code, out, err } = await clone.headsup(['start', '--json'], { cwd })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const { body } = await repository.get(`/activity/${JSON.parse(out).activity.id}`)
  const { scope, changes } = RetrievedActivity.parse(body)
  expect(scope.paths).toEqual([])
  return (changes?.files ?? []).flatMap(({ path, previous_path }) => [path, ...(previous_path ? [previous_path] : [])])
}
