import { expect, it } from 'vitest'
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
