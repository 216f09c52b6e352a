import { beforeEach, expect, it } from 'vitest'
import { ServiceAway, unavailable } from '../../../../src/cli/failure.ts'
import type { HookContext, HookState } from '../../../../src/cli/hooks/hook-state.ts'
import { withQuietFailures } from '../../../../src/cli/hooks/quiet-failures.ts'

let failures: HookState['failures']
let now: number
let runs: number
let address: string

beforeEach(() => {
  failures = {}
  now = 1_000_000
  runs = 0
  address = 'https://one.example/'
})

/** Runs one hook before an edit that fails with this error. Returns whether the failure is reported. */
async function isReported(error: Error): Promise<boolean> {
  const hook = {
    state: { failures },
    async save(change: (state: HookState) => Partial<HookState>) {
      failures = change({ failures } as HookState).failures ?? failures
    },
  } as HookContext
  const work = async () => {
    runs += 1
    throw error
  }
  const quiet = { kind: 'before-edit', hook, terminal: { now: () => now }, addressOf: async () => address }
  return withQuietFailures(quiet, work).then(
    () => false,
    () => true,
  )
}

it('after the service was away, the next hooks do nothing for a minute', async () => {
  expect(await isReported(new ServiceAway('It is not listening.'))).toBe(true)
  expect(await isReported(new ServiceAway('It is not listening.'))).toBe(false)
  expect(runs).toBe(1)
  now += 60_000
  expect(await isReported(new ServiceAway('It is not listening.'))).toBe(true)
  expect(runs).toBe(2)
})

it('after one service was away, another one is called, and the first one is still left alone', async () => {
  await isReported(new ServiceAway('It is not listening.'))
  address = 'https://two.example/'
  expect(await isReported(new ServiceAway('It is not listening.'))).toBe(true)
  expect(runs).toBe(2)
  address = 'https://one.example/'
  expect(await isReported(new ServiceAway('It is not listening.'))).toBe(false)
  expect(runs).toBe(2)
})

it('after any other failure the next hook tries again, and reports the same failure once a minute', async () => {
  const slow = unavailable('git did not finish in time.')
  expect(await isReported(slow)).toBe(true)
  expect(await isReported(slow)).toBe(false)
  expect(runs).toBe(2)
  now += 60_000
  expect(await isReported(slow)).toBe(true)
})
