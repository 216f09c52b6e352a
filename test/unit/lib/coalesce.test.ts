import { expect, it } from 'vitest'
import { createCoalescer, type PendingRequest } from '../../../src/service/lib/coalesce.ts'

function deferred() {
  let resolve = (_: string) => {}
  const promise = new Promise<string>((resolver) => {
    resolve = resolver
  })
  return { promise, resolve }
}

it('equal requests at the same time run once and share the result', async () => {
  const requests = createCoalescer<string>()
  const { promise, resolve } = deferred()
  let started = 0
  const start = () => {
    started++
    return promise
  }
  const both = [requests.run('k', start), requests.run('k', start)]
  resolve('yes')
  expect(await Promise.all(both)).toEqual(['yes', 'yes'])
  expect(started).toBe(1)
  expect(await requests.run('k', async () => 'new')).toBe('new')
})

it('a request that failed is not joined', async () => {
  const requests = createCoalescer<string>()
  await expect(requests.run('k', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await requests.run('k', async () => 'new')).toBe('new')
})

it('a pending request has the list of every caller that waits for it', async () => {
  const requests = createCoalescer<string, string>()
  const { promise, resolve } = deferred()
  const started: PendingRequest<string>[] = []
  const start = (pending: PendingRequest<string>) => {
    started.push(pending)
    return promise
  }
  for (const caller of ['a', 'b', 'a']) void requests.run('k', start, caller)
  expect([...(started[0]?.callers ?? [])]).toEqual(['a', 'b'])
  resolve('')
})

it('an invalidated request that ends late does not end the request that replaced it', async () => {
  const requests = createCoalescer<string>()
  const [first, second] = [deferred(), deferred()]
  const one = requests.run('k', () => first.promise)
  requests.invalidate()
  const two = requests.run('k', () => second.promise)
  first.resolve('first')
  expect(await one).toBe('first')
  const three = requests.run('k', async () => 'third')
  second.resolve('second')
  expect(await Promise.all([two, three])).toEqual(['second', 'second'])
})

it('only the requests whose key matches are invalidated', async () => {
  const requests = createCoalescer<boolean>()
  const { promise, resolve } = deferred()
  const start = async (pending: PendingRequest) => {
    await promise
    return pending.isCurrent
  }
  const both = [requests.run('t k', start), requests.run('u k', start)]
  requests.invalidate((key) => key.startsWith('t '))
  resolve('')
  expect(await Promise.all(both)).toEqual([false, true])
})
