import { describe, expect, it } from 'vitest'
import { matchesAny } from '../../../../src/core/changes/ignored.ts'
import { type ComparableWork, comparableWork } from '../../../../src/core/rules/changed/changed-work.ts'
import { type ChangesOverlap, compareChanges } from '../../../../src/core/rules/changed/compare-changes.ts'
import { readGlobs } from '../../../../src/core/scope/parse-scope.ts'
import { type ObservedSide, observationCases } from '../../../support/observation-cases.ts'

/** Each case is asked both ways. */
const cases = observationCases()

function workOf(side: ObservedSide): ComparableWork {
  const { base_branch, author, head_sha, commits, files, files_total = files.length } = side
  const work = { baseBranch: base_branch, author, headSha: head_sha, commits: new Set(commits), files }
  return comparableWork({ ...work, filesTotal: files_total })
}

function shown(overlap: ChangesOverlap | null, fromTheirs = false) {
  if (overlap === null) return null
  const files = overlap.files.map(({ path, severity, proximity, distance, lines, theirLines }) => {
    const [ours, theirs] = fromTheirs ? [theirLines, lines] : [lines, theirLines]
    return { path, severity, proximity, distance, lines: ours, their_lines: theirs }
  })
  return { severity: overlap.severity, files }
}

describe('changes against changes', () => {
  it.each(cases)('$name', ({ rules: given, result, ...sides }) => {
    const ignored = readGlobs(given.ignored_paths)
    const rules = {
      ignoredAuthors: given.ignored_authors,
      isIgnored: (path: string) => matchesAny(path, ignored),
      maxFiles: given.max_files,
      isHot: (path: string) => given.hot.includes(path),
    }
    const [ours, theirs] = [workOf(sides.ours), workOf(sides.theirs)]
    expect(shown(compareChanges(ours, theirs, rules))).toEqual(result)
    expect(shown(compareChanges(theirs, ours, rules), true)).toEqual(result)
  })

  it('are sixty at least', () => expect(cases.length).toBeGreaterThanOrEqual(60))
})
