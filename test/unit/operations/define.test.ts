import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineOperation, type OperationDeps, type RequestSlot } from '../../../src/service/api/operations/define.ts'
import type { Repository } from '../../../src/service/records/repository/repository.ts'

it('access and settings come before the slot, and the slot before the query and the body', async () => {
  const steps: string[] = []
  const repository = { id: 1n } as Repository
  const step = async <T>(name: string, result: T): Promise<T> => {
    await setImmediate()
    steps.push(name)
    return result
  }
  const operation = defineOperation({
    method: 'post',
    path: '/',
    operationId: 'test',
    summary: '',
    description: '',
    access: 'read',
    query: z.unknown(),
    body: z.unknown(),
    success: 200,
    answer: z.unknown(),
    handle: () => step('handled', { status: 200, body: {} }),
  })
  const deps: OperationDeps = {
    authorize: () => step('access', repository),
    settingsOf: () => step('settings', {} as never),
    makeContext: () => ({}) as never,
    liveUpdates: {} as never,
  }
  const slot: RequestSlot = {
    waitForGithub: (ask) => ask(),
    async run(id, work) {
      await step(`slot of ${id}`, undefined)
      const result = await work()
      return step('slot given back', result)
    },
  }
  await operation.perform(deps, {
    caller: { token: '', owner: '', repo: '', clientAddress: '', requestId: '' },
    slot,
    id: '',
    url: '',
    onRepository() {},
    query: () => void steps.push('query'),
    idempotencyKey: () => undefined,
    lastEventId: () => undefined,
    body: () => step('body', {}),
  })
  expect(steps).toEqual(['access', 'settings', 'slot of 1', 'query', 'body', 'handled', 'slot given back'])
})
