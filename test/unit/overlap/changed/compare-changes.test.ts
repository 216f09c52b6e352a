import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FileChange, LineRange } from '../../../../src/core/changes/file-change.ts'
import { unionOfFiles } from '../../../../src/core/changes/union.ts'
import type { Severity } from '../../../../src/core/enums.ts'
import { type ChangedWork, comparableWork } from '../../../../src/core/rules/changed/changed-work.ts'
import {
  type ChangesOverlap,
  type CountingRules,
  compareChanges,
} from '../../../../src/core/rules/changed/compare-changes.ts'

const path = fc.constantFrom('a.ts', 'b.ts', 'src/c.ts', 'package-lock.json')
const range = fc
  .tuple(fc.integer({ min: 1, max: 30 }), fc.nat(4))
  .map(([first, more]): LineRange => [first, first + more])
const file: fc.Arbitrary<FileChange> = fc
  .record({
    path,
    previous_path: fc.option(path),
    status: fc.constantFrom('added', 'modified', 'modified', 'modified', 'removed', 'renamed'),
    lines: fc.option(fc.array(range, { maxLength: 4 }), { freq: 6 }),
    blob: fc.constantFrom(undefined, 'x', 'y'),
  })
  .map((change) => (change.status === 'renamed' ? change : { ...change, previous_path: null }))
  .map((change) => (change.status === 'removed' && change.blob ? { ...change, blob: null } : change))
const sha = fc.constantFrom('1', '2', '3')
const work: fc.Arbitrary<ChangedWork> = fc.record({
  baseBranch: fc.option(fc.constantFrom('main', 'main', 'main', 'next'), { freq: 8 }),
  author: fc.constantFrom('alice', 'bob', 'carol', 'dependabot[bot]'),
  headSha: fc.option(sha),
  commits: fc.constantFrom([], [], [], ['1'], ['2', '3']).map((shas) => new Set<string>(shas)),
  files: fc.array(file, { maxLength: 4 }),
  filesTotal: fc.constantFrom(4, 4, 4, 200),
})

const ignoresLocks = (changed: string) => changed.endsWith('package-lock.json')
const ignoresNothing = () => false
const quiet: CountingRules = {
  isIgnored: ignoresLocks,
  ignoredAuthors: ['dependabot[bot]'],
  maxFiles: 100,
  isHot: (changed) => changed === 'b.ts',
}
const loud: CountingRules = {
  isIgnored: ignoresNothing,
  ignoredAuthors: [],
  maxFiles: Number.POSITIVE_INFINITY,
  isHot: () => false,
}

function compare(a: ChangedWork, b: ChangedWork, rules = quiet) {
  return compareChanges(comparableWork(a), comparableWork(b), rules)
}

function rank(severity: Severity | null | undefined): number {
  return severity ? ['low', 'medium', 'high'].indexOf(severity) + 1 : 0
}

/** Order of files where nothing tells two apart does not matter. */
function sorted<T>(items: readonly T[] = []): string[] {
  return items.map((item) => JSON.stringify(item)).sort()
}

describe('two pieces of work', () => {
  it('overlap alike from either side', () => {
    fc.assert(
      fc.property(work, work, (a, b) => {
        const [found, turned] = [compare(a, b), compare(b, a)]
        const mirrored = turned?.files.map((one) => {
          const { lines, theirLines, change, theirChange } = one
          return { ...one, lines: theirLines, theirLines: lines, change: theirChange, theirChange: change }
        })
        expect(turned?.severity).toBe(found?.severity)
        expect(sorted(mirrored)).toEqual(sorted(found?.files))
      }),
      { numRuns: 2000 },
    )
  })

  it('overlap alike whatever the order of their files and ranges is, and however the ranges are cut', () => {
    const turned = (given: ChangedWork): ChangedWork => ({
      ...given,
      files: given.files.toReversed().map(({ lines, ...rest }) => {
        // Two lines are read as an insertion, so no cut leaves two.
        const cut = lines?.flatMap(([first, last]): LineRange[] => {
          const whole: LineRange = [first, last]
          return last - first < 3 ? [whole] : [[first, first] as const, [first + 1, last] as const]
        })
        return { ...rest, lines: cut?.toReversed() ?? null }
      }),
    })
    fc.assert(
      fc.property(work, work, (a, b) => {
        const seen = (found: ChangesOverlap | null) =>
          sorted(found?.files.map(({ change, theirChange, ...rest }) => rest))
        expect(seen(compare(turned(a), turned(b)))).toEqual(seen(compare(a, b)))
      }),
      { numRuns: 1000 },
    )
  })

  it('are never worse for each other by a counting rule', () => {
    const rulesOf = fc.record({
      isIgnored: fc.constantFrom(ignoresLocks, ignoresNothing),
      ignoredAuthors: fc.constantFrom(quiet.ignoredAuthors, loud.ignoredAuthors),
      maxFiles: fc.constantFrom(quiet.maxFiles, loud.maxFiles),
      isHot: fc.constantFrom(quiet.isHot, loud.isHot),
    })
    fc.assert(
      fc.property(work, work, rulesOf, (a, b, rules) => {
        const [some, none, all] = [compare(a, b, rules), compare(a, b, loud), compare(a, b)]
        expect(rank(some?.severity)).toBeLessThanOrEqual(rank(none?.severity))
        expect(rank(all?.severity)).toBeLessThanOrEqual(rank(some?.severity))
      }),
      { numRuns: 2000 },
    )
  })

  const isEqual = (one: FileChange, other: FileChange) =>
    one.blob !== undefined &&
    one.blob === other.blob &&
    one.path === other.path &&
    one.previous_path === other.previous_path

  it('do not collide in a file that both leave with the same content, and are compared there', () => {
    fc.assert(
      fc.property(work, work, (a, b) => {
        const files = compare(a, b)?.files ?? []
        for (const { change, theirChange, severity, proximity } of files) {
          if (change === null) continue
          expect(proximity === 'same content').toBe(isEqual(change, theirChange))
          if (isEqual(change, theirChange)) expect(severity).toBeNull()
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('do not collide less by the blobs that a client names for what GitHub lists', () => {
    const blob = fc.constantFrom(undefined, 'x', 'y')
    fc.assert(
      fc.property(work, work, fc.array(blob, { minLength: 4, maxLength: 4 }), (a, b, blobs) => {
        const named = a.files.map((one, at) => (one.status === 'removed' ? one : { ...one, blob: blobs[at] }))
        const files = [...new Map(a.files.map((one) => [one.path, one])).values()]
        const ofClient = [...new Map(named.map((one) => [one.path, one])).values()]
        const byGitHub = compare({ ...a, files: unionOfFiles(files, []) }, b)
        const byBoth = compare({ ...a, files: unionOfFiles(files, ofClient) }, b)
        expect(rank(byBoth?.severity)).toBeGreaterThanOrEqual(rank(byGitHub?.severity))
      }),
      { numRuns: 2000 },
    )
  })

  it('collide in all other files as they do where no content is known', () => {
    const unknown = (given: ChangedWork) => ({
      ...given,
      files: given.files.map(({ blob: _, ...rest }): FileChange => rest),
    })
    const others = (found: ChangesOverlap | null, equal: ReadonlySet<string>) =>
      sorted(
        found?.files.flatMap(({ change, theirChange, ...rest }) =>
          change && equal.has(JSON.stringify([withoutBlob(change), withoutBlob(theirChange)])) ? [] : rest,
        ),
      )
    const withoutBlob = ({ blob: _, ...rest }: FileChange) => rest
    fc.assert(
      fc.property(work, work, (a, b) => {
        const [known, plain] = [compare(a, b), compare(unknown(a), unknown(b))]
        const pairs = a.files.flatMap((one) => b.files.map((other) => [one, other] as const))
        const equal = new Set(
          pairs.flatMap(([one, other]) =>
            isEqual(one, other) ? JSON.stringify([withoutBlob(one), withoutBlob(other)]) : [],
          ),
        )
        expect(others(known, equal)).toEqual(others(plain, equal))
        expect(rank(known?.severity)).toBeLessThanOrEqual(rank(plain?.severity))
      }),
      { numRuns: 2000 },
    )
  })

  it('touch where two replaced lines do, and not where an insertion between the same two lines would not', () => {
    const changing = (lines: LineRange[], inserts?: number[]): ChangedWork => ({
      ...{ baseBranch: 'main', author: 'alice', headSha: null, commits: new Set(), filesTotal: 1 },
      files: [{ path: 'a.ts', previous_path: null, status: 'modified', lines, ...(inserts && { inserts }) }],
    })
    const next = changing([[7, 7]])
    expect(compare(changing([[5, 6]], []), next)?.severity).toBe('high')
    expect(compare(changing([[5, 6]], [0]), next)?.severity).toBe('medium')
    expect(compare(changing([[5, 6]]), next)?.severity).toBe('medium')
  })

  it('overlap as badly as the worst of their files, which comes first', () => {
    fc.assert(
      fc.property(work, work, (a, b) => {
        const found = compare(a, b)
        if (!found) return
        const ranks = found.files.map(({ severity }) => rank(severity))
        expect(ranks).toEqual(ranks.toSorted((x, y) => y - x))
        expect(rank(found.severity)).toBe(ranks[0])
      }),
    )
  })
})
