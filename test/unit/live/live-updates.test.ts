import { expect, it, onTestFinished, vi } from 'vitest'
import type { Activity } from '../../../src/activity/schema.ts'
import { createLiveUpdates } from '../../../src/live/live-updates.ts'
import type { LiveSource } from '../../../src/live/watched-repository.ts'
import { silentLog } from '../../support/log.ts'

type Deps = Parameters<typeof createLiveUpdates>[0]

it('after changes that could be applied only in part, a stream begins anew instead of lacking some', async () => {
  const at = new Date('2026-11-20T09:30:00Z').toISOString()
  const activity = { id: 'act_1', status: 'active', began_at: at, expires_at: '2099-01-01T00:00:00Z', covered_by: null }
  let [txid, failures] = [1, 0]
  const change = { repository_id: 1n, kind: 'activity', record_id: 'act_1', delay_ms: 1 }
  const db = {
    query: async () => ({
      rows: [{ epoch: 'e', txid: String(txid), ...(txid > 1 ? change : { repository_id: null }) }],
    }),
  } as unknown as Deps['db']
  const source: LiveSource = {
    load: async () => ({ activities: [], notables: [], covered: [], truncated: false }),
    find: async () => ({ activities: [activity as unknown as Activity], notables: [] }),
    async viewOf() {
      failures++
      if (failures === 1) throw new Error('The database is busy.')
      return undefined
    },
  }
  const updates = createLiveUpdates({ db, log: silentLog, now: () => new Date(at), pollMs: 60_000 })
  const watch = await updates.watch({ repositoryId: 1n, seesObservedWork: false }, source)
  const received: unknown[] = []
  watch?.listen((batch) => received.push(batch))
  txid = 2
  await watch?.catchUp()
  expect(received).toEqual([])
  await watch?.catchUp()
  expect(received).toEqual(['reset'])
  await updates.stop()
})

// The shortest timer of Node takes 1 ms.
it.each([
  { takesMs: 400, beginAt: [1_000, 2_000, 3_000, 4_000] },
  { takesMs: 1_500, beginAt: [1_000, 2_501, 4_002] },
])(
  'polls begin one second apart, or when the one before ends, if each takes $takesMs ms',
  async ({ takesMs, beginAt }) => {
    vi.useFakeTimers()
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const pollsAt: number[] = []
    const begun = performance.now()
    const db = {
      async query(_text: string, values?: unknown[]) {
        if (values) {
          pollsAt.push(performance.now() - begun)
          await new Promise((resolve) => setTimeout(resolve, takesMs))
        }
        return { rows: [{ epoch: 'e', txid: '1', repository_id: null }] }
      },
    } as unknown as Deps['db']
    const source: LiveSource = {
      load: async () => ({ activities: [], notables: [], covered: [], truncated: false }),
      find: async () => ({ activities: [], notables: [] }),
      viewOf: async () => undefined,
    }
    const updates = createLiveUpdates({ db, log: silentLog, now: () => new Date(0) })
    await updates.watch({ repositoryId: 1n, seesObservedWork: false }, source)
    await vi.advanceTimersByTimeAsync(beginAt.at(-1) ?? 0)
    expect(pollsAt).toEqual(beginAt)
    await Promise.all([updates.stop(), vi.runAllTimersAsync()])
  },
)
