import { expect, it } from 'vitest'
import { createCoalescer, type PendingRequest } from '../../../src/lib/coalesce.ts'

const caller = { tokenKey: 't', address: '192.0.2.1' }

function pending() {
  let resolve = (_: string) => {}
  const promise = new Promise<string>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

it('whoever asks what is being asked waits for the same answer', async () => {
  const flights = createCoalescer<string>()
  const answer = pending()
  let asked = 0
  const ask = () => {
    asked++
    return answer.promise
  }
  const both = [flights.run('k', caller, ask), flights.run('k', { ...caller, address: '192.0.2.2' }, ask)]
  answer.resolve('yes')
  expect(await Promise.all(both)).toEqual(['yes', 'yes'])
  expect(asked).toBe(1)
  expect(await flights.run('k', caller, async () => 'anew')).toBe('anew')
})

it('a question knows of every address that waits for it', async () => {
  const flights = createCoalescer<string>()
  const answer = pending()
  const seen: PendingRequest[] = []
  const ask = (flight: PendingRequest) => {
    seen.push(flight)
    return answer.promise
  }
  for (const address of ['a', 'b', 'a']) void flights.run('k', { tokenKey: 't', address }, ask)
  expect([...(seen[0]?.addresses ?? [])]).toEqual(['a', 'b'])
  answer.resolve('')
})

it('a superseded question that ends late does not part those who wait for the next one', async () => {
  const flights = createCoalescer<string>()
  const [first, second] = [pending(), pending()]
  const one = flights.run('k', caller, () => first.promise)
  flights.invalidate()
  const two = flights.run('k', caller, () => second.promise)
  first.resolve('first')
  expect(await one).toBe('first')
  const three = flights.run('k', caller, async () => 'third')
  second.resolve('second')
  expect(await Promise.all([two, three])).toEqual(['second', 'second'])
})

it("superseding one token's questions leaves the others", async () => {
  const flights = createCoalescer<boolean>()
  const answer = pending()
  const ask = async (flight: PendingRequest) => {
    await answer.promise
    return flight.current
  }
  const both = [flights.run('t k', caller, ask), flights.run('u k', { ...caller, tokenKey: 'u' }, ask)]
  flights.invalidate('t')
  answer.resolve('')
  expect(await Promise.all(both)).toEqual([false, true])
})
