import { expect, it } from 'vitest'
import { createFlights, type Flight } from '../../../src/lib/coalesce.ts'

const caller = { tokenKey: 't', address: '192.0.2.1' }

function pending() {
  let resolve = (_: string) => {}
  const promise = new Promise<string>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

it('whoever asks what is being asked waits for the same answer', async () => {
  const flights = createFlights<string>()
  const answer = pending()
  let asked = 0
  const ask = () => {
    asked++
    return answer.promise
  }
  const both = [flights.join('k', caller, ask), flights.join('k', { ...caller, address: '192.0.2.2' }, ask)]
  answer.resolve('yes')
  expect(await Promise.all(both)).toEqual(['yes', 'yes'])
  expect(asked).toBe(1)
  expect(await flights.join('k', caller, async () => 'anew')).toBe('anew')
})

it('a question knows of every address that waits for it', async () => {
  const flights = createFlights<string>()
  const answer = pending()
  const seen: Flight[] = []
  const ask = (flight: Flight) => {
    seen.push(flight)
    return answer.promise
  }
  for (const address of ['a', 'b', 'a']) void flights.join('k', { tokenKey: 't', address }, ask)
  expect([...(seen[0]?.addresses ?? [])]).toEqual(['a', 'b'])
  answer.resolve('')
})

it('a superseded question that ends late does not part those who wait for the next one', async () => {
  const flights = createFlights<string>()
  const [first, second] = [pending(), pending()]
  const one = flights.join('k', caller, () => first.promise)
  flights.supersede()
  const two = flights.join('k', caller, () => second.promise)
  first.resolve('first')
  expect(await one).toBe('first')
  const three = flights.join('k', caller, async () => 'third')
  second.resolve('second')
  expect(await Promise.all([two, three])).toEqual(['second', 'second'])
})

it("superseding one token's questions leaves the others", async () => {
  const flights = createFlights<boolean>()
  const answer = pending()
  const ask = async (flight: Flight) => {
    await answer.promise
    return flight.current
  }
  const both = [flights.join('t k', caller, ask), flights.join('u k', { ...caller, tokenKey: 'u' }, ask)]
  flights.supersede('t')
  answer.resolve('')
  expect(await Promise.all(both)).toEqual([false, true])
})
