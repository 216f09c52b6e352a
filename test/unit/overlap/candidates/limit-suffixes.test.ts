import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { indexLookups } from '../../../../src/core/rules/candidates/index-lookups.ts'
import { limitRanges, limitSuffixes, mostSuffixes } from '../../../../src/core/rules/candidates/limit-suffixes.ts'
import { type Coverage, type IndexKey, PART, WHOLE } from '../../../../src/core/scope/index/index-keys.ts'
import { parseScope } from '../../../../src/core/scope/parse-scope.ts'

const letter = fc.constantFrom('a', 'é', '😀', '😁')
/** Most of them start alike, as reversed names with an extension do. */
const suffix = fc
  .tuple(fc.constantFrom('st.', 'st.', 'st.', 'xst.', ''), fc.string({ unit: letter, maxLength: 8, size: 'max' }))
  .map(([end, name]) => end + name)
const longSuffix = fc.string({ unit: letter, minLength: 4, maxLength: 8, size: 'max' }).map((name) => `st.${name}`)
/** Rarely an empty suffix, and few short ones: they find so much that nothing could be missed. */
const suffixes = (minLength: number) =>
  fc
    .tuple(fc.uniqueArray(longSuffix, { minLength, maxLength: 300, size: 'max' }), fc.array(suffix, { maxLength: 3 }))
    .map(([long, more]) => [...new Set([...long, ...more])])
const key = fc.constantFrom('a/', 'a/a/', 'a/a/b/', 'a/b/', 'a-/', 'b/', 'b/a/')
const extent = fc.constant<Coverage>(PART)
const pair = fc.record({ key, tail: longSuffix, extent })
const pairs = fc.array(pair, { minLength: mostSuffixes + 1, maxLength: 300, size: 'max' })

/** As the SQL statement compares them. */
const agree = (a: string, b: string) => a.startsWith(b) || b.startsWith(a)
const liesBelow = (entry: IndexKey, lookup: IndexKey) => entry.key !== lookup.key && entry.key.startsWith(lookup.key)
const finds = (lookups: readonly IndexKey[], entry: IndexKey) =>
  lookups.some((lookup) => liesBelow(entry, lookup) && agree(entry.tail, lookup.tail))

describe('limitSuffixes', () => {
  it('finds every entry that the full list finds', () => {
    fc.assert(
      fc.property(suffixes(0), fc.array(suffix, { maxLength: 20 }), (many, entries) => {
        const few = [...limitSuffixes(new Set(many))]
        for (const entry of [...many, ...entries]) {
          if (many.some((one) => agree(one, entry))) expect(few.some((one) => agree(one, entry))).toBe(true)
        }
      }),
      // Finding a smaller example takes minutes.
      { endOnFailure: true },
    )
  })

  it('returns few suffixes of whole characters, as long as possible', () => {
    fc.assert(
      fc.property(suffixes(mostSuffixes + 1), (all) => {
        const many = all.filter((one) => one !== '')
        const few = [...limitSuffixes(new Set(many))]
        expect(few.length).toBeLessThanOrEqual(mostSuffixes)
        expect(few.filter((one) => !one.isWellFormed())).toEqual([])
        const [longest = 0] = few.map((one) => one.length).sort((a, b) => b - a)
        // The next character may have two units.
        expect(new Set(many.map((one) => one.slice(0, longest + 2))).size).toBeGreaterThan(mostSuffixes)
      }),
      { endOnFailure: true },
    )
    const names = Array.from({ length: 2_000 }, (_, n) => `st.${String(n).padStart(4, '0')}`)
    expect([...limitSuffixes(new Set(names))]).toEqual(
      Array.from({ length: 20 }, (_, n) => `st.${String(n).padStart(2, '0')}`),
    )
  })

  it('returns only the empty suffix if it is in the list, since every path has it', () => {
    expect(limitSuffixes(new Set(['st.a', '', 'st.b']))).toEqual(new Set(['']))
  })

  it('returns a short list as it is', () => {
    const many = new Set(Array.from({ length: mostSuffixes }, (_, n) => `st.${n}`))
    expect(limitSuffixes(many)).toBe(many)
  })
})

describe('limitRanges', () => {
  it('finds every entry that the full list finds', () => {
    fc.assert(
      fc.property(pairs, fc.array(pair, { maxLength: 30 }), (many, entries) => {
        const few = limitRanges(many)
        for (const entry of [...many, ...entries]) if (finds(many, entry)) expect(finds(few, entry)).toBe(true)
      }),
      { endOnFailure: true },
    )
  })

  it('reads no entry for more than a few suffixes', () => {
    fc.assert(
      fc.property(pairs, (many) => {
        const few = limitRanges(many)
        for (const { key: at } of many) {
          const entry = { key: `${at}z/`, tail: '', extent: PART } as const
          const distinct = new Set(
            few.filter((lookup) => liesBelow(entry, lookup)).map((lookup) => JSON.stringify(lookup)),
          )
          expect(distinct.size).toBeLessThanOrEqual(mostSuffixes)
        }
      }),
      { endOnFailure: true },
    )
  })

  it('returns a list of any length as it is if no entry is read too often', () => {
    const apart = Array.from({ length: 500 }, (_, n) => ({ key: `src/${n}/`, tail: 'st.', extent: PART }) as const)
    const above = Array.from({ length: 20 }, (_, n) => ({ key: 'src/', tail: `st.${n}`, extent: PART }) as const)
    expect(limitRanges([...apart, ...above])).toEqual([...apart, ...above])
  })

  it('leaves other families of keys as they are', () => {
    const many = Array.from(
      { length: 200 },
      (_, n) => ({ key: n % 2 ? 'a/' : 'a/b/', tail: `st.${n}`, extent: PART }) as const,
    )
    const elsewhere: IndexKey = { key: 'b/', tail: 'oops', extent: WHOLE }
    const few = limitRanges([...many, elsewhere])
    expect(few).toContainEqual(elsewhere)
    expect(new Set(few.map((lookup) => lookup.key))).toEqual(new Set(['a/', 'b/']))
  })

  it('returns keys that decide nothing if they replace many', () => {
    const many = Array.from({ length: 200 }, (_, n) => ({ key: 'a/', tail: `st.${n}`, extent: WHOLE }) as const)
    expect(new Set(limitRanges(many).map(({ extent }) => extent))).toEqual(new Set([PART]))
  })
})

it('a usual check looks up its own suffixes at its own keys', () => {
  const paths = Array.from({ length: 20 }, (_, n) => `src/${n % 3}/**/x${n}.ts`)
  const { exact, below } = indexLookups(parseScope({ areas: [], paths }), [])
  const ends = paths.map((_, n) => ({
    key: `src/${n % 3}/`,
    tail: `st.${[...`x${n}`].reverse().join('')}`,
    extent: PART,
  }))
  expect(below).toEqual(ends.map((lookup) => ({ ...lookup, after: `${lookup.key.slice(0, -1)}0` })))
  expect([...(exact.get('src/') ?? [])]).toEqual(ends.map((lookup) => lookup.tail))
  expect([...exact.keys()]).toEqual(['', 'src/', 'src/0/', 'src/1/', 'src/2/'])
})

it('a check of 2,000 suffixes looks up few', () => {
  const lot = (from: number) => Array.from({ length: 100 }, (_, n) => `x${from + n}`).join(',')
  const paths = Array.from({ length: 20 }, (_, n) => `${'a/'.repeat(1 + (n % 4))}**/{${lot(n * 100)}}.ts`)
  const { exact, below } = indexLookups(parseScope({ areas: [], paths }), [])
  expect(below.length).toBeLessThanOrEqual(mostSuffixes)
  expect(Math.max(...[...exact.values()].map((ends) => ends.size))).toBeLessThanOrEqual(mostSuffixes)
})

it('hundreds of paths of a thousand directories each have few keys, and names of many characters few suffixes', () => {
  const paths = Array.from({ length: 100 }, (_, n) => `${n}/${'a/'.repeat(200)}f.ts`)
  const { exact, below } = indexLookups(parseScope({ areas: [], paths }), [])
  expect(exact.size).toBeLessThanOrEqual(100 * 32 + 1)
  for (const { key } of below) expect(key.split('/').length).toBeLessThanOrEqual(33)
  const names = Array.from({ length: 16 }, (_, n) => `**/*${'😀'.repeat(400)}${n}`)
  const open = indexLookups(parseScope({ areas: [], paths: names }), [])
  expect(open.suffixes.length).toBeLessThanOrEqual(16 * 64 + 1)
  for (const suffix of open.suffixes) expect(suffix.isWellFormed()).toBe(true)
})
