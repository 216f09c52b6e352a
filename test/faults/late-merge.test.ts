import { expect, it, onTestFinished, vi } from 'vitest'
import { minute } from '../support/clock.ts'
import { secret } from '../support/deliveries.ts'
import { startTestService } from '../support/service.ts'
import { findOrder } from './history/order.ts'
import { createActivity } from './load/actions.ts'
import { readAll } from './load/clients.ts'
import { deliver } from './load/deliver.ts'
import { newLedger } from './load/ledger.ts'
import type { Load } from './load/send.ts'

it('a merge that the load sends long after the deletion of the branch is no violation', async () => {
  const service = await startTestService({ webhookSecret: secret })
  onTestFinished(() => service.stop())
  vi.useFakeTimers({ toFake: ['Date'], now: service.clock.now() })
  onTestFinished(() => void vi.useRealTimers())
  const load: Load = {
    ledger: newLedger(),
    repository: service.github.addRepository('late'),
    urls: () => [service.url],
    retentionMs: Infinity,
    random: () => 0.9,
    signal: new AbortController().signal,
  }
  const subject = await createActivity(load, 'work')
  if (!subject) throw new Error('it was not created')
  await deliver(load, 'one', subject, 'lose-branch')
  service.clock.advance(minute)
  vi.setSystemTime(service.clock.now())
  await deliver(load, 'another', subject, 'merge')
  await readAll(load)
  expect(load.ledger.violations).toEqual([])
  expect(findOrder(subject.record)).toMatchObject({ is: 'explained' })
  expect(subject.record.steps.at(-1)?.outcome).toMatchObject({ seen: { archived_reason: 'merged' } })
})
