import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import nock from 'nock'
import { afterEach, beforeEach, vi } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import { type Callers, createCallers } from '../../src/service/github/callers.ts'
import { githubApiUrl, newRepository, type TestRepository } from './github.ts'

export let callers: Callers
export let at: { owner: string; repo: string }
export let repository: TestRepository
let tokens = 0

/** A token that nobody has used. */
export const newToken = () => `ghp_${++tokens}`

export const caller = (token = newToken(), address = '192.0.2.1') => ({ token, address })
export const ofRepository = () => `/repos/${at.owner}/${at.repo}`
export const github = () => nock(githubApiUrl)
export const permitted = (permissions: object, changed: object = {}) => ({
  ...{ id: repository.id, name: at.repo, owner: { login: at.owner }, default_branch: 'main', private: false },
  ...{ permissions, ...changed },
})

/** For the top level of a test file: callers of GitHub anew for each test, and a repository that they ask for. */
export function useCallers(): void {
  beforeEach(() => {
    callers = createCallers(githubApiUrl)
    repository = newRepository()
    at = { owner: repository.owner, repo: repository.name }
  })
  afterEach(() => {
    vi.restoreAllMocks()
    nock.cleanAll()
  })
}

let passedMs = 0

/** Stops the clocks of caches, which `later` moves; timers stay real. */
export function stopClocks() {
  const [date, monotonic] = [Date.now(), performance.now()]
  passedMs = 0
  vi.spyOn(Date, 'now').mockImplementation(() => date + passedMs)
  vi.spyOn(performance, 'now').mockImplementation(() => monotonic + passedMs)
}

export async function later(ms: number) {
  passedMs += ms
  // A cache looks at the clock once in a millisecond.
  await new Promise((resolve) => setTimeout(resolve, 3))
}

export async function refusalOf(answer: Promise<unknown>): Promise<AppError> {
  const error: unknown = await answer.then(
    () => 'no refusal',
    (thrown) => thrown,
  )
  if (error instanceof AppError) return error
  throw error
}

export const read = (who = caller(), place: object = at) => callers.authorize({ ...who, ...at, ...place }, 'read')
export const write = (who = caller()) => callers.authorize({ ...who, ...at }, 'write')

/** GitHub as a real server, for answers that break off. */
export async function ofServer(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  callers = createCallers(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return () => new Promise((resolve) => server.close(resolve))
}
