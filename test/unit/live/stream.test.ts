import { expect, it } from 'vitest'
import { openEventStream } from '../../../src/service/live/stream.ts'
import { observationOff } from '../../../src/service/observed/observation-state.ts'

type Given = Parameters<typeof openEventStream>

/** How long a stream waits for comparisons, in ms, for a client that wants to wait so long. */
async function waitFor(waitMs: number | undefined): Promise<number[]> {
  const waited: number[] = []
  const watch = {
    position: () => ({ epoch: 'e', snapshot: '1:1:' }),
    snapshotBody: () => Buffer.from('}'),
    collisions: () => ({ items: [], truncated: false, collisions_complete: true }),
    catchUp: async (ms: number) => void waited.push(ms),
    listen() {},
    stop() {},
  }
  const viewer = { observationState: async () => observationOff, mayReadPullRequests: async () => false }
  const context = { repository: { id: 1n }, viewer } as unknown as Given[0]
  const updates = { watch: async () => watch, now: () => '2026-11-28T12:00:00.000Z' }
  const options = { updates, activityId: undefined, lastEventId: undefined, waitMs, access: 'read' }
  await openEventStream(context, options as unknown as Given[1])
  return waited
}

it('a stream waits 0.2 s for comparisons, or as long as its client wants to wait, at most 1 s', async () => {
  expect(await waitFor(undefined)).toEqual([200])
  expect(await waitFor(0)).toEqual([0])
  expect(await waitFor(500)).toEqual([500])
  expect(await waitFor(5_000)).toEqual([1_000])
})
