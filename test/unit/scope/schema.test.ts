import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { comparedPaths } from '../../../src/core/scope/columns.ts'
import { ScopeInput, ScopeUpdate } from '../../../src/core/scope/schema.ts'
import { issueDetails } from '../../../src/service/lib/issue-details.ts'

const bytesOf = (texts: readonly string[]) => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)

/** The faults of a scope, as `field code`. */
function faultsOf(schema: typeof ScopeInput | typeof ScopeUpdate, scope: object): string[] {
  const { error } = schema.safeParse(scope)
  return error ? issueDetails(error, { input: scope, root: 'scope' }).map(({ field, code }) => `${field} ${code}`) : []
}

function messagesOf(schema: typeof ScopeInput | typeof ScopeUpdate, scope: object): string[] {
  return schema.safeParse(scope).error?.issues.map(({ message }) => message) ?? []
}

/** Texts of characters with one to four bytes. */
const texts = (longest: number, most: number) =>
  fc.array(
    fc.tuple(fc.constantFrom('a', 'é', '字', '😀'), fc.integer({ min: 1, max: longest })).map(([c, n]) => c.repeat(n)),
    { maxLength: most },
  )

describe.each([
  ['a new scope', ScopeInput],
  ['a scope that replaces another', ScopeUpdate],
])('%s', (_, schema) => {
  it('has paths of at most 16 KiB of UTF-8 together', () => {
    fc.assert(
      fc.property(texts(1024, 30), (paths) => {
        expect(faultsOf(schema, { paths })).toEqual(bytesOf(paths) > 16 * 1024 ? ['paths too_long'] : [])
      }),
    )
  })

  it('has areas of at most 4 KiB of UTF-8 together', () => {
    fc.assert(
      fc.property(texts(100, 100), (areas) => {
        expect(faultsOf(schema, { areas })).toEqual(bytesOf(areas) > 4 * 1024 ? ['areas too_long'] : [])
      }),
    )
  })

  it('may have exactly that much, and not a byte more', () => {
    const paths = Array.from({ length: 16 }, (_, n) => `${n}`.padStart(1024, 'a'))
    expect(faultsOf(schema, { paths })).toEqual([])
    expect(faultsOf(schema, { paths: [...paths.slice(1), `${'a'.repeat(1023)}é`] })).toEqual(['paths too_long'])
    const areas = Array.from({ length: 64 }, (_, n) => `${n}`.padStart(64, 'a'))
    expect(faultsOf(schema, { areas })).toEqual([])
    expect(faultsOf(schema, { areas: [...areas, 'a'] })).toEqual(['areas too_long'])
  })

  it('has at most 1,000 alternatives', () => {
    const paths = Array.from({ length: 50 }, (_, n) => `${n}/{1..20}`)
    expect(faultsOf(schema, { paths })).toEqual([])
    expect(faultsOf(schema, { paths: [...paths, 'a'] })).toEqual(['paths too_many'])
  })

  it('says how many alternatives the globs of a scope have beyond 1,000', () => {
    const paths = [...Array.from({ length: 15 }, (_, n) => `d${n}/{1..64}`), 'e/{1..41}']
    expect(messagesOf(schema, { paths })).toEqual(['must have at most 1000 alternatives together, and have 1001'])
    expect(messagesOf(schema, { paths: [...paths.slice(0, -1), 'e/{1..40}'] })).toEqual([])
  })

  it('shows the beginning of a long glob that it refuses, in whole characters, and that it goes on', () => {
    const cut = (paths: string[]) => messagesOf(schema, { paths }).map((message) => message.split(':')[0])
    expect(cut([`a${'😀'.repeat(100)}{`])).toEqual([`"a${'😀'.repeat(99)}…" at position 101`])
    expect(cut([`${'a'.repeat(99)}{`])).toEqual([`"${'a'.repeat(99)}{" at position 99`])
  })
})

describe('the paths of a stored scope that are compared', () => {
  it('are the first ones that have at most 16 KiB of UTF-8 together', () => {
    fc.assert(
      fc.property(texts(1024, 40), (paths) => {
        const compared = comparedPaths(paths)
        expect(compared).toEqual(paths.slice(0, compared.length))
        expect(bytesOf(compared)).toBeLessThanOrEqual(16 * 1024)
        const next = paths.slice(0, compared.length + 1)
        expect(next.length === compared.length || bytesOf(next) > 16 * 1024).toBe(true)
      }),
    )
  })
})
