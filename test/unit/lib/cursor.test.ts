import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeCursor, encodeCursor } from '../../../src/service/lib/cursor.ts'
import { newId } from '../../../src/service/lib/ids.ts'

const scope = { repositoryId: 7n, route: 'activity', filters: { status: 'active', actor: undefined } }

describe('a cursor', () => {
  it('holds the id that it was made for', () => {
    const id = newId('act')
    expect(decodeCursor(encodeCursor(id, scope), scope)).toBe(id)
  })

  it.each([
    ['another repository', { ...scope, repositoryId: 8n }],
    ['another route', { ...scope, route: 'notables' }],
    ['another filter', { ...scope, filters: { status: 'paused' } }],
    ['one more filter', { ...scope, filters: { ...scope.filters, branch: 'main' } }],
  ])('is refused for %s', (_name, other) => {
    expect(() => decodeCursor(encodeCursor(newId('act'), scope), other)).toThrow('cursor')
  })

  it('does not depend on the order of the filters', () => {
    const ab = { ...scope, filters: { a: 1, b: 2 } }
    const ba = { ...scope, filters: { b: 2, a: 1 } }
    expect(decodeCursor(encodeCursor('act_1', ab), ba)).toBe('act_1')
  })

  it('is refused when a character is changed, added or removed', () => {
    const cursor = encodeCursor(newId('act'), scope)
    fc.assert(
      fc.property(fc.nat(cursor.length - 1), fc.constantFrom(...'Ab0-_= '), (at, letter) => {
        for (const other of [
          cursor.slice(0, at) + letter + cursor.slice(at + 1),
          cursor.slice(0, at) + letter + cursor.slice(at),
          cursor.slice(0, at) + cursor.slice(at + 1),
        ]) {
          if (other !== cursor) expect(() => decodeCursor(other, scope)).toThrow('cursor')
        }
      }),
    )
  })

  it('is refused when it is any other text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => decodeCursor(text, scope)).toThrow('cursor')
      }),
    )
  })
})
