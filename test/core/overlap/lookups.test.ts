import fc from 'fast-check'
import { expect, it } from 'vitest'
import { storedKeys } from '../../../src/core/globs/keys.ts'
import type { Comparison } from '../../../src/core/overlap/comparison.ts'
import { isInDoubt } from '../../../src/core/overlap/comparison.ts'
import { changedFiles } from '../../../src/core/overlap/files.ts'
import { directoriesOf, keysOf, neighbourhoodOf, pathsOf } from '../../../src/core/overlap/lookups.ts'
import type { OverlapRules, Work } from '../../../src/core/overlap/work.ts'
import { compared, type TestFile, workOf } from './works.ts'

const areaGlobs = { auth: ['src/login.ts', 'a.b'], build: ['Makefile', 'src/*.b'] }
const rules: OverlapRules = { areaPaths: new Map(Object.entries(areaGlobs)), isIgnored: () => false }

const name = fc.constantFrom('src', 'a.b', 'docs')
const last = fc.constantFrom('login.ts', 'a.b', 'Makefile', 'src')
const path = fc.tuple(fc.array(name, { maxLength: 2 }), last).map(([names, end]) => [...names, end].join('/'))
const glob = fc.tuple(path, fc.constantFrom('', '', '/', '/**', '/*')).map((parts) => parts.join(''))
const wideOrNot = fc.oneof(glob, fc.constantFrom('**', '*', 'src/*', '*/a.b', '{src,docs}/a.b'))
const file: fc.Arbitrary<TestFile> = fc.record({
  status: fc.constantFrom('added', 'modified', 'removed', 'renamed', 'renamed_from'),
  lines: fc.constantFrom(null, null, [[1, 2]], [[9, 9]]),
  toldBy: fc.constantFrom('client', 'github'),
})
/** What was a file before is no directory of somebody else's without a change of that path. */
const changed = fc.tuple(path, file).map(([at, one]): [string, TestFile] => {
  const isNew = one.status === 'modified' && /(^|\/)(src|a\.b)$/.test(at)
  return [at, isNew ? { ...one, status: 'added' } : one]
})
const work = fc
  .record({
    globs: fc.array(wideOrNot, { maxLength: 2 }),
    areas: fc.array(fc.constantFrom('auth', 'build', 'other'), { maxLength: 1 }),
    files: fc.array(changed, { maxLength: 3 }).map((all) => Object.fromEntries(all)),
    base: fc.constantFrom(null, null, 'main', 'next'),
  })
  .map((one) => workOf({ ...one, areaGlobs }))

/** What a check reads of other work: null where it is not found at all. */
function read(asking: Work, other: Work): Work | null {
  const [paths, directories] = [new Set(pathsOf(asking)), directoriesOf(asking)]
  const { added, renamed, below } = neighbourhoodOf(asking)
  const beside = [...added, ...renamed, ...below]
  const files = [...other.files.byPath.values()]
  const isBelow = (all: string[], of: string) => all.some((directory) => of.startsWith(directory))
  const kept = files.filter((one) => paths.has(one.path) || isBelow([...directories, ...beside], one.path))
  const told = files.flatMap((one) => (one.toldBy === 'client' ? one.path : []))
  const stored = storedKeys({ ...other, areas: other.areas.keys(), paths: told, branches: [] })
  const keys = new Set(keysOf(asking, [], 'main', rules))
  const isFound = kept.some(({ toldBy, path }) => toldBy === 'github' || paths.has(path) || isBelow(beside, path))
  return isFound || stored.some((key) => keys.has(key)) ? { ...other, files: changedFiles(kept) } : null
}

function weight(comparison: Comparison | null): string | null {
  if (comparison === null || (comparison.severity === null && !isInDoubt(comparison))) return null
  return comparison.severity ?? 'in doubt'
}

it('§5 what a check reads of other work makes them meet as all of it does', () => {
  fc.assert(
    fc.property(work, work, (asking, other) => {
      const found = read(asking, other)
      expect(weight(found && compared(asking, found))).toBe(weight(compared(asking, other)))
    }),
    { numRuns: 1_000 },
  )
})
