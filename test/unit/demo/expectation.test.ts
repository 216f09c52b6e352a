import { describe, expect, it } from 'vitest'
import { differences } from '../../../scripts/demo/expectation.ts'

describe('what an answer of the demo has to be', () => {
  it('is held of every field that is named, and of no other', () => {
    expect(
      differences({ status: 200, body: { severity: null } }, { status: 200, body: { severity: null, id: 1 } }),
    ).toEqual([])
  })

  it.each([
    ['a value', { a: { b: 1 } }, { a: { b: 2 } }, 'a.b is 2, and ought to be 1'],
    ['a field that is missing', { a: 1 }, {}, 'a is undefined, and ought to be 1'],
    ['an object that is none', { a: {} }, { a: null }, 'a is null, and ought to be {}'],
    ['a list that is longer', { a: [] }, { a: [1] }, 'a is [1], and ought to be []'],
    ['an item', { a: [{ b: 1 }] }, { a: [{ b: 2 }] }, 'a[0].b is 2, and ought to be 1'],
  ])('names %s that differs', (_name, expected, found, difference) => {
    expect(differences(expected, found)).toEqual([difference])
  })
})
