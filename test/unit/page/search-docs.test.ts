import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Entry, search } from '../../../src/page/model/search-docs.ts'

function entry(name: string, facts: Partial<Entry> = {}): Entry {
  return { name, kind: 'Field', place: '', text: '', href: `#${name}`, ...facts }
}

const entries = [
  entry('summary', { text: 'Says when it expires.' }),
  entry('not_expires'),
  entry('lastexpires'),
  entry('expires_at'),
  entry('expires'),
  entry('Announce work', { kind: 'Operation', place: 'POST …/activity', text: 'createActivity' }),
]

const namesFor = (query: string) => search(entries, query).map(({ name }) => name)

describe('a search in the reference', () => {
  it('finds names before descriptions: the whole name, its beginning, the beginning of a word, the inside of one', () => {
    expect(namesFor('expires')).toEqual(['expires', 'expires_at', 'not_expires', 'lastexpires', 'summary'])
  })

  it('ignores case, and needs every word', () => {
    expect(namesFor('  EXPIRES   says ')).toEqual(['summary'])
    expect(namesFor('expires nowhere')).toEqual([])
  })

  it('finds an operation by its path and by its id', () => {
    expect(namesFor('post activity')).toEqual(['Announce work'])
    expect(namesFor('createactivity')).toEqual(['Announce work'])
  })

  it('prefers anything else to a field with the same name', () => {
    const schema = entry('heartbeat', { kind: 'Schema' })
    expect(search([entry('heartbeat'), schema], 'heartbeat')[0]).toBe(schema)
  })

  it('finds nothing for no words, and each entry at most once for any', () => {
    expect(namesFor('  ')).toEqual([])
    fc.assert(
      fc.property(fc.string(), (query) => {
        const found = search(entries, query)
        expect(new Set(found).size).toBe(found.length)
      }),
    )
  })
})
