import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changedPaths } from '../../../src/core/changes/changed-paths.ts'
import { changesWithin } from '../../../src/core/changes/changes-within.ts'
import type { FileChange, LineRange } from '../../../src/core/changes/file-change.ts'
import type { Severity } from '../../../src/core/enums.ts'
import { type ComparableWork, comparableWork } from '../../../src/core/rules/changed/changed-work.ts'
import { namedPaths } from '../../../src/core/rules/changed/compare-names.ts'
import { escapeGlob } from '../../../src/core/scope/glob/escape.ts'
import { parseScope, readGlobs } from '../../../src/core/scope/parse-scope.ts'
import { activityOf, candidatesOf, comparisonOf, evaluate } from './candidates-of.ts'

const files = ['src/auth/login.ts', 'src/auth/token.ts', 'src/session.ts', 'docs/a.md', 'Makefile', 'lib/old.ts']
const globs = ['**', 'src', 'src/**', 'src/*/login.ts', 'src/auth/**', '{lib,docs}/*', '*', 'lib/new.ts', ...files]
const path = fc.constantFrom(...files)
const paths = (least: number) =>
  fc.uniqueArray(fc.constantFrom(...globs), { minLength: least, maxLength: 3, size: 'max' })
const range = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.nat(2))
  .map(([first, more]): LineRange => [first, first + more])
const change: fc.Arbitrary<FileChange> = fc
  .record({
    path: fc.constantFrom(...files, 'lib/new.ts'),
    previous_path: path,
    status: fc.constantFrom('added', 'modified', 'modified', 'modified', 'removed', 'renamed'),
    lines: fc.option(fc.array(range, { maxLength: 3 }), { freq: 6 }),
  })
  .map((one) => (one.status === 'renamed' && one.path !== one.previous_path ? one : { ...one, previous_path: null }))
  .map((one) => (one.status === 'renamed' && one.previous_path === null ? { ...one, status: 'modified' } : one))
const changes = (least: number) =>
  fc.uniqueArray(change, { selector: (one) => one.path, minLength: least, maxLength: 4, size: 'max' })

function workOf(changed: readonly FileChange[], filesTotal = changed.length): ComparableWork {
  const branches = { baseBranch: 'main', author: null, headSha: null, commits: new Set<string>() }
  return comparableWork({ ...branches, files: changed, filesTotal })
}

const other = fc
  .record({
    source: fc.constantFrom('recorded', 'pull_request'),
    blocking: fc.boolean(),
    paths: paths(0),
    areas: fc.constantFrom<string[]>([], ['auth']),
    changed: fc.option(changes(1).map((changed) => workOf(changed))),
  })
  .map((given) => activityOf({ ...given, is_declared: given.source === 'recorded' }))
const repository = fc.record({
  others: fc.array(other, { minLength: 1, maxLength: 5 }),
  maxFiles: fc.constantFrom(1, 2, 100),
  hot: fc.array(path, { maxLength: 2 }),
})

interface Check {
  named: string[]
  changed: readonly FileChange[]
  filesTotal?: number
}

/** The severity of each collision of a check, by id. */
async function check(
  { others, maxFiles, hot }: typeof repository extends fc.Arbitrary<infer Value> ? Value : never,
  { named, changed, filesTotal }: Check,
) {
  const areas = { auth: ['src/auth/**'] }
  const scope = { areas: [], paths: named }
  const all = { ...scope, paths: [...named, ...changedPaths(changed).map(escapeGlob)] }
  const comparison = comparisonOf({
    proposed: parseScope(all, areas),
    named: namedPaths(parseScope(scope, areas)),
    changed: workOf(changed, filesTotal),
    parse: (given) => parseScope(given, areas),
    counting: { ignoredAuthors: [], maxFiles, isIgnored: () => false, hot: new Map([['main', new Set(hot)]]) },
  })
  const noBranches = { branch: null, base_branch: 'main' }
  const { collisions, severity } = await evaluate(noBranches, candidatesOf({ candidates: others }), comparison)
  return { severity, byId: new Map(collisions.map((one) => [one.activity_id, one.severity])) }
}

function rank(severity: Severity | null | undefined): number {
  return severity ? ['low', 'medium', 'high'].indexOf(severity) + 1 : 0
}

describe('naming a path that contains a changed file', () => {
  it('never says less about the changed files below it than a check that names nothing', async () => {
    await fc.assert(
      fc.asyncProperty(repository, paths(1), changes(1), async (known, named, changed) => {
        const within = changesWithin(changed, readGlobs(named))
        const byName = await check(known, { named, changed: within })
        const unnamed = await check(known, { named: [], changed: within, filesTotal: changed.length })
        for (const [id, severity] of unnamed.byId)
          expect(rank(byName.byId.get(id)), id).toBeGreaterThanOrEqual(rank(severity))
      }),
      { numRuns: 300 },
    )
  })

  it('never lowers the answer where it contains all changed files', async () => {
    await fc.assert(
      fc.asyncProperty(repository, paths(0), changes(1), async (known, more, changed) => {
        const byName = await check(known, {
          named: ['**', ...more],
          changed: changesWithin(changed, readGlobs(['**'])),
        })
        for (const named of [[], changedPaths(changed).map(escapeGlob)]) {
          const unnamed = await check(known, { named, changed })
          expect(rank(byName.severity)).toBeGreaterThanOrEqual(rank(unnamed.severity))
        }
      }),
      { numRuns: 200 },
    )
  })
})

describe('the changes within globs', () => {
  it('are those of the files that a glob matches by either name', () => {
    const of = (name: string, previous_path: string | null = null) => ({ path: name, previous_path })
    const all = [of('src/a.ts'), of('lib/new.ts', 'src/old.ts'), of('[x]/a b.ts'), of('docs/a.md')]
    const within = (...texts: string[]) => changesWithin(all, readGlobs(texts)).map((one) => one.path)
    expect(within('src/**')).toEqual(['src/a.ts', 'lib/new.ts'])
    expect(within('src')).toEqual(['src/a.ts', 'lib/new.ts'])
    expect(within('src/old.ts')).toEqual(['lib/new.ts'])
    expect(within('lib/new.ts', '\\[x\\]/a b.ts')).toEqual(['lib/new.ts', '[x]/a b.ts'])
    expect(within('**')).toHaveLength(4)
    expect(within('free.ts')).toEqual([])
    expect(within()).toEqual([])
  })
})
