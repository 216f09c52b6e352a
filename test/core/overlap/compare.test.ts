import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TooCostly } from '../../../src/core/globs/shared.ts'
import { compare as compareInSteps } from '../../../src/core/overlap/compare.ts'
import { isInDoubt, turned } from '../../../src/core/overlap/comparison.ts'
import { changedFiles as changedFilesOf } from '../../../src/core/overlap/files.ts'
import { compare, compared, type TestFile, type TestWork, workOf } from './works.ts'

const path = 'src/a.ts'
const changes = (file: TestFile, more: TestWork = {}): TestWork => ({ files: { [path]: file }, ...more })
const lines = (...ranges: [number, number][]): TestFile => ({ lines: ranges })
const github = (file: TestFile): TestFile => ({ ...file, toldBy: 'github' })
const unknown: TestFile = { lines: null }

/** What both sides get; null for nothing, `near` and `unsure` for what is near only. */
function met(one: TestWork, other: TestWork, epics: number[] = []): string | null {
  const [forth, back] = [compare(one, other, epics), compare(other, one, epics)]
  expect(back && turned(back)).toEqual(forth)
  if (forth === null) return null
  return `${forth.severity ?? (isInDoubt(forth) ? 'unsure' : 'near')} ${forth.by}`
}

describe('§5 a file that both change', () => {
  it.each<[string, TestFile, TestFile, string]>([
    ['the same line', lines([5, 5]), lines([5, 5]), 'high lines'],
    ['lines without one between', lines([1, 4]), lines([5, 9]), 'high lines'],
    ['an insertion beside a changed line', lines([6, 5]), lines([6, 8]), 'high lines'],
    ['both as a new file', { status: 'added', lines: [[1, 0]] }, { status: 'added', lines: [[1, 0]] }, 'high lines'],
    ['exactly one line between', lines([1, 4]), lines([6, 9]), 'medium lines'],
    ['two lines between', lines([1, 4]), lines([7, 9]), 'near lines'],
    ['lines of one not known', unknown, lines([1, 1]), 'low file'],
    ['lines of both not known', unknown, unknown, 'low file'],
    ['one not known, and one adds it', unknown, { status: 'added', lines: [[1, 0]] }, 'high file'],
    ['one not known, and one removes it', { status: 'removed' }, lines([1, 1]), 'high file'],
    ['one not known, and one renames it to this path', { status: 'renamed' }, lines([1, 1]), 'high file'],
    ['one not known, and one renames it away', { status: 'renamed_from' }, lines([1, 1]), 'high file'],
    ['both as a whole', lines(), lines(), 'high file'],
    ['one as a whole', lines(), lines([1, 1]), 'unsure file'],
    ['a removed one whose lines are known', { status: 'removed', lines: [[1, 20]] }, lines([7, 7]), 'high lines'],
    [
      'a renamed one whose lines are known and far',
      { status: 'renamed', lines: [[1, 2]] },
      lines([9, 9]),
      'near lines',
    ],
  ])('%s', (_, one, other, expected) => {
    expect(met(changes(github(one)), changes(github(other)))).toBe(expected)
  })

  it('tells the places that meet on both sides, and which of the files is the worst', () => {
    const mine = changes(lines([1, 2], [10, 12], [40, 41]), {
      files: { [path]: lines([10, 12], [40, 41]), 'src/b.ts': lines([1, 1]) },
    })
    const theirs: TestWork = { files: { [path]: lines([12, 20], [42, 50], [90, 90]), 'src/b.ts': lines([9, 9]) } }
    expect(compare(mine, theirs)).toMatchObject({
      examplePath: path,
      ours: {
        spans: [
          [9, 12],
          [39, 41],
        ],
        status: 'modified',
      },
      theirs: {
        spans: [
          [11, 20],
          [41, 50],
        ],
        status: 'modified',
      },
      paths: [path, 'src/b.ts'],
      isOfChanges: true,
    })
  })

  it('counts what a client and GitHub both say of covered work', () => {
    const mine = workOf(changes(lines([1, 1])))
    const both = { ...mine, files: mergedFiles() }
    expect(compared(both, workOf(changes(lines([31, 31]))))).toMatchObject({ severity: 'high', by: 'lines' })
  })
})

function mergedFiles() {
  const [client, pull] = [workOf(changes(lines([1, 1]))), workOf(changes(github(lines([30, 30]))))]
  const files = [...client.files.byPath.values(), ...pull.files.byPath.values()]
  return changedFilesOf(files)
}

describe('§5 globs of both', () => {
  it.each<[string, string[], string[], string | null]>([
    ['that can match the same file', ['src/**'], ['**/*.ts'], 'medium globs'],
    ['that share none', ['src/*.ts'], ['src/*.css'], null],
    ['the same literal', [path], [path], 'high globs'],
    ['the same literal with a bracket', ['app/[id]/page.tsx'], ['app/[id]/page.tsx'], 'high globs'],
    ['a literal and a wide one', [path], ['src/*'], 'medium globs'],
    ['braces are wide', ['src/{a,b}.ts'], ['src/{a,b}.ts'], 'medium globs'],
  ])('%s', (_, one, other, expected) => {
    expect(met({ globs: one }, { globs: other })).toBe(expected)
    expect(met({ globs: one, base: 'main' }, { globs: other, base: 'v1' })).toBe(expected)
  })

  it('prefers an example that a side really names', () => {
    expect(compare({ globs: ['src/**', path] }, { globs: ['src/*'] })?.examplePath).toBe(path)
  })
})

describe('§5 a file that one names and the other changes', () => {
  it.each<[string, TestWork, TestFile, string]>([
    ['a client’s, and the literal', { globs: [path] }, lines([1, 1]), 'high globs'],
    ['a client’s, and a wide glob', { globs: ['src/**'] }, lines([1, 1]), 'medium globs'],
    ['a client’s, and a directory', { globs: ['src'] }, lines([1, 1]), 'medium globs'],
    ['GitHub’s, and the literal', { globs: [path] }, github(lines([1, 1])), 'low file'],
    ['GitHub’s, and a wide glob', { globs: ['src/**'] }, github(lines([1, 1])), 'unsure globs'],
    ['GitHub’s, and a directory', { globs: ['src'] }, github(lines([1, 1])), 'unsure globs'],
  ])('%s', (_, one, file, expected) => {
    expect(met(one, changes(file))).toBe(expected)
  })

  it('lines alone decide where both know them: neither the literal nor the change counts as a name', () => {
    const mine = changes(lines([1, 1]), { globs: [path] })
    expect(met(mine, changes(lines([50, 50]), { globs: [path] }))).toBe('near lines')
    expect(met(mine, changes(lines([50, 50]), { globs: ['src/**'] }))).toBe('near lines')
    expect(met(mine, changes(unknown, { globs: [path] }))).toBe('high globs')
  })

  it('what two wide globs share stays, whatever the lines say', () => {
    const mine = changes(lines([1, 1]), { globs: ['src/**'] })
    expect(met(mine, changes(lines([50, 50]), { globs: ['src/*'] }))).toBe('medium globs')
  })

  it('is not made of changes alone, for a merge would settle only those', () => {
    const mine = changes(lines([1, 1]))
    expect(compare(mine, changes(lines([1, 1])))?.isOfChanges).toBe(true)
    expect(compare({ ...mine, issues: [4] }, changes(lines([1, 1]), { issues: [4] }))?.isOfChanges).toBe(false)
    expect(compare({ globs: [path] }, changes(github(unknown)))?.isOfChanges).toBe(false)
  })
})

describe('§5 issues and areas', () => {
  it('an issue is medium, and an epic is near only', () => {
    expect(met({ issues: [1, 42] }, { issues: [42] })).toBe('medium issue')
    expect(met({ issues: [42] }, { issues: [43] })).toBeNull()
    expect(met({ issues: [42] }, { issues: [42] }, [42])).toBe('near issue')
  })

  it('an area is low, whatever its case', () => {
    expect(met({ areas: ['Auth'] }, { areas: ['auth'] })).toBe('low area')
    expect(met({ areas: ['auth'] }, { areas: ['authentication'] })).toBeNull()
  })

  it('an area of the settings meets what the other names or changes below it, and nothing else', () => {
    const mine: TestWork = { areas: ['auth'], areaGlobs: { auth: ['src/auth/**'] } }
    expect(met(mine, { globs: ['src/auth/login.ts'] })).toBe('low area')
    expect(met(mine, { files: { 'src/auth/login.ts': github(unknown) } })).toBe('low area')
    expect(met(mine, { files: { 'src/shop/cart.ts': github(unknown) } })).toBeNull()
    expect(met(mine, { globs: ['docs/**'] })).toBeNull()
  })
})

describe('§5 other base branches', () => {
  const main = { base: 'main' }
  const v1 = { base: 'v1' }
  it.each<[string, TestWork, TestWork, string | null]>([
    ['lines are near only', changes(lines([1, 1])), changes(lines([1, 1])), 'unsure lines'],
    ['lines that are apart are nothing', changes(lines([1, 1])), changes(lines([9, 9])), null],
    ['changes as names are near only', { globs: [path] }, changes(github(unknown)), 'unsure file'],
    ['a wide glob over files is nothing', { globs: ['src/*'] }, changes(github(unknown)), null],
    ['issues are near only', { issues: [4] }, { issues: [4] }, 'unsure issue'],
    ['areas count', { areas: ['auth'] }, { areas: ['auth'] }, 'low area'],
    [
      'a literal of both counts, though both know the lines',
      changes(lines([1, 1]), { globs: [path] }),
      changes(lines([9, 9]), { globs: [path] }),
      'high globs',
    ],
  ])('%s', (_, one, other, expected) => {
    expect(met({ ...one, ...main }, { ...other, ...v1 })).toBe(expected)
  })

  it('a base that is not known hides nothing', () => {
    expect(met(changes(lines([1, 1]), main), changes(lines([1, 1])))).toBe('high lines')
  })

  it('tells both bases', () => {
    const found = compare(changes(unknown, main), changes(unknown, v1))
    expect(found).toMatchObject({ nearness: ['base'], ours: { baseBranch: 'main' }, theirs: { baseBranch: 'v1' } })
  })
})

describe('§5 what git can not merge without a shared path', () => {
  it('a file added to a directory out of which the other renames files', () => {
    const moves: TestWork = { files: { 'lib/a.ts': { status: 'renamed_from' }, 'core/a.ts': { status: 'renamed' } } }
    const added = (at: string): TestWork => ({ files: { [at]: { status: 'added', lines: [[1, 0]] } } })
    expect(met(moves, added('lib/new.ts'))).toBe('unsure file')
    expect(met(moves, added('lib/deep/new.ts'))).toBeNull()
    expect(met(moves, { files: { 'lib/old.ts': unknown } })).toBeNull()
  })

  it('a path that is a directory of the other’s', () => {
    const file: TestWork = { files: { 'lib/core': { status: 'added', lines: [[1, 0]] } } }
    const below = (status: TestFile['status'] = 'added'): TestWork => ({
      files: { 'lib/core/a.ts': { status }, 'x.ts': {}, 'y.ts': {} },
    })
    expect(met(file, below())).toBe('unsure file')
    expect(met(file, below('removed'))).toBeNull()
    expect(met(file, { files: { 'lib/core.ts': { status: 'added' } } })).toBeNull()
  })
})

describe('§5 contained changes', () => {
  const head = 'a'.repeat(40)
  it('the changes of recorded work whose head is among the other’s commits do not count, its scope and issues do', () => {
    const mine = changes(lines([1, 1]), { head })
    const theirs = changes(lines([1, 1]), { commits: [head] })
    expect(met(mine, theirs)).toBeNull()
    expect(met({ ...mine, issues: [4] }, { ...theirs, issues: [4] })).toBe('medium issue')
    expect(met({ ...mine, globs: [path] }, { ...theirs, globs: [path] })).toBe('high globs')
  })
})

it('§5 work without scope and changes meets nothing but issues', () => {
  expect(met({}, { globs: ['**'], areas: ['auth'], files: { [path]: unknown } })).toBeNull()
  expect(met({ issues: [4] }, { globs: ['**'], issues: [4] })).toBe('medium issue')
})

it('§5 the comparison is the same from both sides', () => {
  const text = (...all: string[]) => fc.constantFrom(...all)
  const paths = text('src/a.ts', 'src/b.ts', 'src/auth/login.ts', 'src/auth', 'docs/x.md', 'a[b].ts')
  const range = fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: -1, max: 3 }))
    .map(([first, more]) => [first, first + more] as [number, number])
  const file = fc.record({
    status: text('added', 'modified', 'removed', 'renamed', 'renamed_from') as fc.Arbitrary<
      NonNullable<TestFile['status']>
    >,
    lines: fc.option(fc.array(range, { maxLength: 3 })),
    toldBy: text('client', 'github') as fc.Arbitrary<'client' | 'github'>,
  })
  const work: fc.Arbitrary<TestWork> = fc.record({
    base: text('main', 'v1', '').map((base) => base || null),
    globs: fc.array(text('src/**', '**/*.ts', 'src/a.ts', 'src/auth', '{src,docs}/*', 'a[b].ts', '*'), {
      maxLength: 3,
    }),
    areas: fc.uniqueArray(text('auth', 'Docs', 'shop'), { maxLength: 2 }),
    areaGlobs: fc.constant({ auth: ['src/auth/**'], Docs: ['docs'] }),
    files: fc.dictionary(paths, file, { maxKeys: 4 }),
    issues: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 2 }),
    head: text('a', 'b'),
    commits: fc.uniqueArray(text('a', 'b', 'c'), { maxLength: 1 }),
  })
  fc.assert(
    fc.property(work, work, fc.subarray([1, 2]), (one, other, epics) => {
      const back = compare(other, one, epics)
      expect(back && turned(back)).toEqual(compare(one, other, epics))
    }),
    { numRuns: 200 },
  )
})

it('§5 pauses before it has taken 250,000 steps, however hard globs and files are', () => {
  const files = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`src/${at}/a.ts`, {}]))
  const hard = (end: string) => ({ globs: [`x/${`**/a*${end}/`.repeat(40)}{0..255}*z`] })
  for (const [one, other] of [
    [hard('b'), hard('c')],
    [{ globs: ['**/*{0..255}*x'] }, { files }],
    [{ areas: ['a'], areaGlobs: { a: ['**/*{0..255}*x'] } }, { files }],
  ]) {
    const budget = { steps: 2_000_000 }
    const steps = compareInSteps(workOf(one ?? {}), workOf(other ?? {}), { budget, epics: new Set() })
    let most = 0
    for (let before = budget.steps, isDone: boolean | undefined = false; !isDone; before = budget.steps) {
      try {
        isDone = steps.next().done
      } catch (error) {
        expect(error).toBeInstanceOf(TooCostly)
        isDone = true
      }
      most = Math.max(most, before - budget.steps)
    }
    expect(most).toBeLessThanOrEqual(250_001)
  }
})
