import { describe, expect, it } from 'vitest'
import { compareInSlices, examplePathOf } from '../../../src/core/scope/compare.ts'
import { runInSlices, workBudget } from '../../../src/core/scope/match/work-budget.ts'
import { type AreaMap, parseScope } from '../../../src/core/scope/parse-scope.ts'
import { compareScopes } from '../../support/compare-scopes.ts'

type Given = { areas?: string[]; paths?: string[] }

function compare(a: Given, b: Given, areaMap: AreaMap = {}) {
  const [x, y] = [a, b].map(({ areas = [], paths = [] }) => parseScope({ areas, paths }, areaMap))
  const overlap = x && y ? compareScopes(x, y) : null
  if (overlap === null) return null
  const { areas, paths, sameFile } = overlap
  return { areas, paths: paths && [paths.a.text, paths.b.text, examplePathOf(overlap)], sameFile: sameFile !== null }
}

describe('two scopes overlap', () => {
  it('if two of their globs share a path, with an example', () => {
    expect(compare({ paths: ['docs/**', 'src/*/a.ts'] }, { paths: ['src/b/*.ts'] })).toEqual({
      areas: [],
      paths: ['src/*/a.ts', 'src/b/*.ts', 'src/b/a.ts'],
      sameFile: false,
    })
  })

  it('if they share an area, compared by Unicode lower case and named as in the first scope', () => {
    expect(compare({ areas: ['Ünïts', 'x', 'X'] }, { areas: ['X', 'üNÏTS'] })).toEqual({
      areas: ['Ünïts', 'x'],
      paths: null,
      sameFile: false,
    })
  })

  it('if both name the same file, which takes precedence over other paths', () => {
    expect(compare({ paths: ['src/**', './src/{a,b}.ts'] }, { paths: ['src/c.ts', 'src/b.ts'] })).toEqual({
      areas: [],
      paths: ['./src/{a,b}.ts', 'src/b.ts', 'src/b.ts'],
      sameFile: true,
    })
  })

  it('with the same file as the example, even if its two globs share other paths', () => {
    expect(compare({ paths: ['{a/*,b.ts}'] }, { paths: ['{a/x.ts,b.ts}'] })?.paths?.[2]).toBe('b.ts')
  })

  it.each([
    [['src/**/*.ts', 'README.md'], ['**'], 'README.md'],
    [['**'], ['src/**/*.ts', 'docs/{a,b*}.md'], 'docs/a.md'],
    [['src/**', 'docs/**'], ['lib/x.ts', 'src/**/*.ts', 'docs/y.md'], 'docs/y.md'],
    [['src/**', 'lib/x.ts'], ['src/*/a.ts'], 'src/b/a.ts'],
  ])('with an example that one side names, where the other covers it: %j and %j', (a, b, example) => {
    expect(compare({ paths: a }, { paths: b })?.paths?.[2]).toBe(example)
    expect(compare({ paths: b }, { paths: a })?.paths?.[2]).toBe(example)
  })

  it('with an example that one side names in an area of the settings', () => {
    const areaMap = { docs: ['docs/**'] }
    const found = compare({ areas: ['docs'], paths: ['src/a.ts'] }, { paths: ['docs/*.md', 'docs/y.md'] }, areaMap)
    expect(found?.paths?.[2]).toBe('docs/y.md')
  })

  it('with some example where it is costly to find one that a side names', () => {
    const costly = Array.from({ length: 5 }, (_, n) => `${'*[ab]'.repeat(200)}${n}z*.ts`)
    const files = Array.from({ length: 20 }, (_, n) => `${'ab'.repeat(250)}${n}.ts`)
    expect(compare({ paths: [...files, 'x/**'] }, { paths: [...costly, 'x/*/a.ts'] })?.paths?.[2]).toBe('x/b/a.ts')
  })

  it('and do not if they share nothing or one is empty', () => {
    expect(compare({ areas: ['a'], paths: ['src/a.ts'] }, { areas: ['b'], paths: ['src/b.ts'] })).toBeNull()
    expect(compare({}, { areas: ['b'], paths: ['**'] })).toBeNull()
    expect(compare({}, {})).toBeNull()
  })
})

describe('the same file', () => {
  it.each([
    [['src/a.ts'], ['src/a.ts'], true],
    [['app/[id]/page.tsx'], ['/app/[id]/page.tsx'], true],
    [['\\[a].ts'], ['[a].ts'], true],
    [['src/*.ts'], ['src/*.ts'], false],
    [['src/billing'], ['src/billing'], false],
    [['src/v1.2/'], ['src/v1.2/'], false],
    [['**/a.ts'], ['a.ts'], false],
  ])('is named by %s and %s: %s', (a, b, same) => {
    expect(compare({ paths: a }, { paths: b })?.sameFile).toBe(same)
  })
})

describe('the globs that the settings give to an area', () => {
  const areaMap = {
    Billing: ['src/billing/**', 'src/pay.ts'],
    money: ['src/billing/**', 'src/pay.ts'],
    docs: ['docs/'],
  }

  it('belong to a scope that names the area', () => {
    expect(compare({ areas: ['billing'] }, { paths: ['**/invoice.ts'] }, areaMap)).toEqual({
      areas: [],
      paths: ['src/billing/**', '**/invoice.ts', 'src/billing/invoice.ts'],
      sameFile: false,
    })
    expect(compare({ paths: ['**/invoice.ts'] }, { areas: ['BILLING'] }, areaMap)?.paths?.[2]).toBe(
      'src/billing/invoice.ts',
    )
  })

  it('are compared between two different areas', () => {
    expect(compare({ areas: ['billing'] }, { areas: ['money'] }, areaMap)?.paths?.[2]).toBe('src/billing/a')
    expect(compare({ areas: ['billing'] }, { areas: ['docs'] }, areaMap)).toBeNull()
  })

  it('do not turn a shared area into shared paths', () => {
    expect(compare({ areas: ['billing'] }, { areas: ['billing'] }, areaMap)).toMatchObject({ paths: null })
    expect(compare({ areas: ['billing', 'money'] }, { areas: ['money', 'billing'] }, areaMap)).toMatchObject({
      paths: null,
    })
  })

  it('are compared beside a shared area if another area or a path is named', () => {
    expect(compare({ areas: ['billing'] }, { areas: ['billing', 'money'] }, areaMap)).toMatchObject({
      areas: ['billing'],
      paths: ['src/billing/**', 'src/billing/**', 'src/billing/a'],
    })
    expect(compare({ areas: ['billing'] }, { areas: ['billing'], paths: ['src/billing/x.ts'] }, areaMap)).toMatchObject(
      {
        paths: ['src/billing/**', 'src/billing/x.ts', 'src/billing/x.ts'],
      },
    )
  })

  it('do not count for the same file: the scopes themselves have to name it', () => {
    expect(compare({ areas: ['billing'] }, { paths: ['src/pay.ts'] }, areaMap)?.sameFile).toBe(false)
    expect(compare({ areas: ['billing'] }, { areas: ['money'] }, areaMap)?.sameFile).toBe(false)
  })

  it('include those of labels that differ only in case', () => {
    const two = { Web: ['web/'], web: ['site/'] }
    expect(compare({ areas: ['WEB'] }, { paths: ['web/a'] }, two)?.paths?.[2]).toBe('web/a')
    expect(compare({ areas: ['WEB'] }, { paths: ['site/a'] }, two)?.paths?.[2]).toBe('site/a')
  })
})

describe('comparing in slices', () => {
  /** Takes long to compare with one of another character, and never overlaps it. */
  const hostile = (character: string) =>
    parseScope({
      areas: [],
      paths: Array.from({ length: 5 }, (_, i) => `${'*[ab]'.repeat(150 - i)}*${character}?`),
    })
  const small = parseScope({ areas: [], paths: ['src/*.ts', 'docs/**'] })

  it('finds the same as comparing without slices', async () => {
    const work = workBudget()
    const met = await runInSlices(compareInSlices(small, parseScope({ areas: [], paths: ['src/a.ts'] }), work), work)
    expect(met).toMatchObject({ paths: { a: { text: 'src/*.ts' }, b: { text: 'src/a.ts' } }, sameFile: null })
    expect(
      await runInSlices(compareInSlices(small, parseScope({ areas: [], paths: ['lib/a.ts'] }), work), work),
    ).toBeNull()
  })

  it('pauses repeatedly while hostile scopes are compared', () => {
    const work = workBudget()
    const steps = compareInSlices(hostile('x'), hostile('y'), work)
    let [pauses, longest] = [0, 0]
    for (let before = 0; !steps.next().done; before = work.steps) {
      pauses++
      longest = Math.max(longest, work.steps - before)
      work.sliceEnd = work.steps + 100_000
    }
    expect(pauses).toBeGreaterThan(10)
    expect(longest).toBeLessThan(1_000_000)
  })

  it('pauses between small pairs of globs too', () => {
    const scope = (end: string) =>
      parseScope({ areas: [], paths: Array.from({ length: 50 }, (_, n) => `*${n}*/**/${end}`) })
    const work = workBudget()
    let pauses = 0
    work.sliceEnd = 1_000
    for (const steps = compareInSlices(scope('a?'), scope('b?'), work); !steps.next().done; pauses++) {
      work.sliceEnd = work.steps + 1_000
    }
    expect(pauses).toBeGreaterThan(3)
  })

  it('lets other tasks run between slices', async () => {
    const work = workBudget(5_000_000)
    let turns = 0
    const ticking = setInterval(() => turns++, 0)
    await runInSlices(compareInSlices(hostile('x'), hostile('y'), work), work)
    clearInterval(ticking)
    expect(turns).toBeGreaterThan(0)
  })

  it('is undecided if the work exceeds its limit', async () => {
    const work = workBudget(3_000_000)
    expect(await runInSlices(compareInSlices(hostile('x'), hostile('y'), work), work)).toBe('undecided')
    expect(work.steps).toBeLessThan(5_000_000)
  })

  it('finds the one overlap among hundreds of pairs of large globs, within the work of a check', async () => {
    const list = (n: number, end: string) => {
      const name = (i: number) => String.fromCodePoint(0x4e00 + i)
      return `{${Array.from({ length: 64 }, (_, i) => `${name(i)}${name(n)}/*${end}`).join()}}`
    }
    const lists = (from: number, end: string) => Array.from({ length: 15 }, (_, n) => list(from + n, end))
    const [a, b] = [
      [...lists(0, 'x'), 'src/**'],
      [...lists(500, 'y'), 'src/a.ts'],
    ].map((paths) => parseScope({ areas: [], paths }))
    if (!a || !b) throw new Error('never')
    const budget = workBudget(10_000_000)
    const found = await runInSlices(compareInSlices(a, b, budget), budget)
    expect(found).toMatchObject({ paths: { a: { text: 'src/**' }, b: { text: 'src/a.ts' } } })
  })

  it('takes few steps for large globs that start differently', () => {
    const globs = (from: number) =>
      Array.from({ length: 40 }, (_, n) => `services/s${from + n}/**/m*/**/*.{${'ts,tsx,js,jsx'}}`)
    const work = workBudget()
    const [a, b] = [globs(0), globs(40)].map((paths) => parseScope({ areas: [], paths }))
    if (a && b) expect(compareInSlices(a, b, work).next()).toEqual({ done: true, value: null })
    expect(work.steps).toBeLessThan(40 * 40 * 30)
  })

  it('does not pause for small scopes', () => {
    const work = workBudget()
    for (let i = 0; i < 1000; i++) expect(compareInSlices(small, small, work).next().done).toBe(true)
    expect(work.steps).toBeLessThan(100_000)
  })
})
