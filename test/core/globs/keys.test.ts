import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Glob, parseGlob } from '../../../src/core/globs/glob.ts'
import { lookupKeys, type Placed, storedKeys } from '../../../src/core/globs/keys.ts'
import { matchesPath, sharedPath } from '../../../src/core/globs/shared-path.ts'

const nothing: Placed = { globs: [], paths: [], areas: [], issues: [], branches: [] }
const placed = (fields: Partial<Placed>): Placed => ({ ...nothing, ...fields })

function isFound(stored: Placed, asking: Placed): boolean {
  const keys = new Set(storedKeys(stored))
  return lookupKeys(asking).some((key) => keys.has(key))
}

const budget = () => ({ steps: 1_000_000 })

const name = fc.constantFrom('a', 'b', 'a.b', '[a]')
/** Each `[a]` doubles the alternatives of a glob, of which it may have 256. */
const isAllowed = (names: string[]) => names.filter((one) => one === '[a]').length <= 7
const deep = fc.array(name, { minLength: 1, maxLength: 12 }).filter(isAllowed)
const end = fc.constantFrom('', '', '/', '/**', '/*', '/*.b', '/**/a', '/{a,b/a}')
/** Two globs and a path that begin alike, so that most meet. */
const near = fc
  .record({ names: deep, depths: fc.tuple(fc.nat(12), fc.nat(12)), ends: fc.tuple(end, end), last: name })
  .map(({ names, depths, ends, last }) => {
    const [a, b] = depths.map((depth, n) => parseGlob(names.slice(0, depth + 1).join('/') + ends[n]))
    return { a: a as Glob, b: b as Glob, path: [...names, last].join('/') }
  })

it('work whose globs meet is found, from either side', () => {
  fc.assert(
    fc.property(near, ({ a, b }) => {
      if (sharedPath(a, b, budget()) === null) return
      expect(isFound(placed({ globs: [a] }), placed({ globs: [b] }))).toBe(true)
    }),
    { numRuns: 200 },
  )
})

it('work that changes a file below a glob, or that a glob names, is found by key or by path, from either side', () => {
  fc.assert(
    fc.property(near, ({ a: one, path: file }) => {
      if (!matchesPath(one, file, budget())) return
      const [byGlob, byFile] = [placed({ globs: [one] }), placed({ paths: [file] })]
      const isNamed = one.patterns.some((pattern) => pattern.path === file)
      expect(isFound(byGlob, byFile)).toBe(true)
      expect(isNamed || isFound(byFile, byGlob)).toBe(true)
    }),
    { numRuns: 200 },
  )
})

it('work that shares an area, an issue or a branch is found, and nothing else by the same text', () => {
  expect(isFound(placed({ areas: ['auth'] }), placed({ areas: ['auth'] }))).toBe(true)
  expect(isFound(placed({ issues: [42] }), placed({ issues: [42] }))).toBe(true)
  expect(isFound(placed({ branches: ['fix'] }), placed({ branches: ['fix'] }))).toBe(true)
  const others = [placed({ areas: ['42'] }), placed({ branches: ['42'] }), placed({ paths: ['42'] })]
  for (const one of others) expect(isFound(one, placed({ issues: [42] }))).toBe(false)
})

it('two that only change files of one directory are not found by it', () => {
  expect(isFound(placed({ paths: ['src/a.ts'] }), placed({ paths: ['src/b.ts'] }))).toBe(false)
})

it('a deep path has no more than nine keys', () => {
  expect(storedKeys(placed({ paths: ['a/b/c/d/e/f/g/h/i/j/k.ts'] }))).toHaveLength(9)
  expect(storedKeys(placed({ globs: [parseGlob('a/b/c/d/e/f/g/h/i/j/k.ts')] }))).toHaveLength(9)
})
