import fc from 'fast-check'
import picomatch from 'picomatch'
import { describe, expect, it } from 'vitest'
import { glob } from '../glob-samples.ts'
import { covers, globsIntersect } from '../read.ts'
import { matches, readings } from '../reference-matcher.ts'

/** Sentence by sentence: a glob, paths that it covers, paths that it does not. */
const sentences: Record<string, [glob: string, covered: string[], others: string[]][]> = {
  'a literal path is this path and everything below it': [
    ['src/billing', ['src/billing', 'src/billing/x/y.ts'], ['src', 'src/billings', 'a/src/billing']],
    ['Makefile', ['Makefile', 'Makefile/a'], []],
  ],
  'a slash at the end is everything below': [
    ['src/', ['src/a', 'src/a/b.ts'], ['src', 'srcs/a']],
    ['packages/*/', ['packages/a/b', 'packages/a/b/c'], ['packages/a']],
    ['v1.2/', ['v1.2/a'], ['v1.2']],
  ],
  'a star is any run of characters, also none, within a segment': [
    ['a*b', ['ab', 'axb', 'a.b', 'a*b'], ['a/b', 'abc']],
    ['src/*', ['src/a', 'src/.a'], ['src', 'src/a/b']],
    ['*/*', ['a/b'], ['a', 'a/b/c']],
  ],
  'a question mark is one character': [
    ['?', ['a', '😀'], ['ab', 'a/b']],
    ['a?b', ['a.b', 'axb'], ['ab', 'a/b']],
  ],
  'a class is one character of it': [
    ['x[abc]', ['xa', 'xc'], ['xd', 'x', 'xab']],
    ['x[a-c]', ['xb', 'x[a-c]'], ['xd', 'x-']],
    ['x[!a]', ['xb', 'x!'], ['xa', 'x']],
    ['x[^a]', ['xb', 'x^'], ['xa', 'x']],
    ['x[!😀]y', ['xay'], ['x😀y']],
    ['x[a-😀]', ['xz', 'x漢'], ['xA', 'x😁']],
  ],
  'no class holds the slash': [
    ['a[!b]c', ['axc'], ['a/c']],
    ['a[+-a]c', ['a.c', 'a0c'], ['a/c']],
  ],
  'a bracket that comes first in a class is literal': [
    ['x[]a]', ['x]', 'xa', 'x[]a]'], ['x[', 'x[]']],
    ['x[!]a]', ['xb', 'x['], ['x]', 'xa']],
    ['x[^]a]', ['xb'], ['x]', 'xa']],
    ['x[]', ['x[]'], ['x', 'x]']],
    ['x[!]', ['x[!]'], ['x!', 'xa']],
  ],
  'a hyphen first, last or right after a range is literal': [
    ['x[-a]', ['x-', 'xa'], ['xb']],
    ['x[a-]', ['x-', 'xa'], ['xb']],
    ['x[!-a]', ['xb'], ['x-', 'xa']],
    ['x[a-c-e]', ['xb', 'x-', 'xe'], ['xd']],
    ['x[]-a]', ['x]', 'x^', 'xa'], ['x-', 'xb']],
    ['x[--0]', ['x-', 'x.', 'x0'], ['x1', 'x,']],
  ],
  'a range that runs backwards holds nothing': [
    ['app/[user-id]/a', ['app/[user-id]/a', 'app/u/a', 'app/d/a'], ['app/i/a', 'app/r/a', 'app/-/a']],
    ['x[b-a]', ['x[b-a]'], ['xa', 'xb', 'x-']],
    ['x[!b-a]', ['xa', 'xb'], ['x']],
  ],
  'two stars as a segment, at the front or in the middle, are any number of segments': [
    ['src/**/a.ts', ['src/a.ts', 'src/x/a.ts', 'src/x/y/a.ts'], ['src/a.tsx', 'a.ts']],
    ['**/a.ts', ['a.ts', 'x/y/a.ts'], ['xa.ts']],
    ['**/**/a', ['a', 'x/a'], []],
  ],
  'two stars at the end are at least one segment': [
    ['src/**', ['src/a', 'src/a/b'], ['src']],
    ['src/**/**', ['src/a', 'src/a/b'], ['src']],
    ['src/**/*', ['src/a', 'src/a/b'], ['src']],
  ],
  'more stars, or stars within a segment, are one star': [
    ['**.md', ['a.md', '.md'], ['x/a.md']],
    ['a**b', ['ab', 'axb'], ['a/b']],
    ['***', ['a'], ['a/b']],
    ['a/***/b', ['a/x/b'], ['a/b', 'a/x/y/b']],
  ],
  'braces are either': [
    ['{a,b}.ts', ['a.ts', 'b.ts'], ['c.ts', '{a,b}.ts']],
    ['src/{a/b,c}/x', ['src/a/b/x', 'src/c/x'], ['src/a/x']],
    ['a{,b}', ['a', 'ab'], ['b']],
    ['a{b,c{d,e}}', ['ab', 'acd', 'ace'], ['ac']],
    ['x{a,b}{c,d}', ['xac', 'xbd'], ['xab']],
  ],
  'braces with two dots are a range, in either order': [
    ['{1..12}', ['1', '9', '10', '12'], ['0', '13', '01']],
    ['{3..1}', ['3', '2', '1'], ['4']],
    ['x{a..c}', ['xa', 'xb', 'xc'], ['xd']],
    ['x{C..A}', ['xA', 'xB'], ['xa']],
    ['{0..0}', ['0'], ['1']],
    ['{a..c,x}', ['a..c', 'x'], ['b']],
  ],
  'braces with neither are literal, what is inside keeps its meaning': [
    ['{a}', ['{a}'], ['a']],
    ['{*}', ['{x}', '{}'], ['x']],
    ['{}', ['{}'], []],
    ['{a{b,c}}', ['{ab}', '{ac}'], ['ab']],
    ['{[ab]}', ['{a}', '{[ab]}'], ['a']],
    ['{a,{b}}', ['a', '{b}'], ['b']],
  ],
  'a lone closing brace or comma is literal': [
    ['a}', ['a}'], []],
    ['a,b', ['a,b'], ['a', 'b']],
    ['{a,b}}', ['a}', 'b}'], ['a']],
  ],
  'an escape is the character itself': [
    ['\\*', ['*'], ['a']],
    ['\\?\\[\\]\\{\\}\\,\\!\\\\\\(\\)', ['?[]{},!\\()'], []],
    ['{a\\,b,c}', ['a,b', 'c'], ['a']],
    ['[a\\]b]', ['a', ']', 'b', '[a]b]'], ['\\']],
    ['[\\!a]', ['!', 'a', '[!a]'], ['b']],
    ['\\[a]', ['[a]'], ['a']],
    ['[\\{a,b\\}]', ['{', 'a', ',', '}', '[{a,b}]'], ['ab']],
  ],
  'characters are code points, nothing is normalised, case matters': [
    ['src/A.ts', ['src/A.ts'], ['src/a.ts']],
    ['é', ['é'], ['e\u0301']],
    ['a??', ['a😀😀'], ['a😀']],
  ],
  'dots are nothing special': [
    ['*', ['.env', '...'], []],
    ['**/a', ['.x/a'], []],
    ['?env', ['.env'], []],
    ['[.a]env', ['.env'], []],
  ],
  'braces are expanded first, and each alternative is read as if it had been given alone': [
    ['[{a,b}]', ['[a]', 'b', '[b]'], ['{', ',']],
    ['{a/,./b}', ['a/x', 'b', 'b/x'], ['a', './b']],
    ['{[,a]}', ['[', 'a]'], ['a']],
    ['{*,a}*/b', ['b', 'ab/b', 'x/y/b'], ['x']],
  ],
  'cleaning drops a leading ./ or /, doubled slashes and . segments': [
    ['./src/a', ['src/a'], []],
    ['/src/a', ['src/a'], []],
    ['//src//a', ['src/a'], []],
    ['src/./a', ['src/a'], []],
    ['./././a', ['a'], []],
    ['src/.', ['src', 'src/a'], []],
    ['src/./', ['src/a'], ['src']],
    ['src//', ['src/a'], ['src']],
  ],
  'a glob is anchored at the root': [['*.md', ['a.md'], ['docs/a.md']]],
  'everything below is meant only where the last segment is literal': [
    ['packages/*', ['packages/a'], ['packages/a/b']],
    ['packages/a?', ['packages/ab'], ['packages/ab/c']],
    ['{src,lib*}', ['src/a', 'lib', 'libs'], ['lib/a']],
  ],
  'a bracket means its class or its own text, the rest of the segment keeps its meaning': [
    ['app/[id]/page.tsx', ['app/[id]/page.tsx', 'app/i/page.tsx'], ['app/id/page.tsx', 'app/x/page.tsx']],
    ['pages/[id].*', ['pages/[id].tsx', 'pages/d.tsx'], ['pages/id.tsx']],
    ['[...slug]', ['[...slug]', 's'], ['slug']],
    ['[[...slug]]', ['[[...slug]]', 's]', '[]'], ['[...slug]', 's']],
    ['[a][b]', ['ab', '[a]b', 'a[b]', '[a][b]'], ['[ab]']],
    ['[*]', ['*', '[*]'], ['[x]']],
    ['[?]x', ['?x', '[?]x'], ['[a]x']],
  ],
  'a bracket closes within its segment or is literal': [
    ['[a/b]', ['[a/b]'], ['a']],
    ['[!/]', ['[!/]'], ['a']],
    ['a[b', ['a[b'], ['ab']],
    ['[*', ['[', '[x'], ['x']],
  ],
  'below counts for the own text alone': [
    ['app/[id]', ['app/[id]', 'app/[id]/a', 'app/i'], ['app/i/a']],
    ['app/[a][b]', ['app/[a][b]/c', 'app/ab'], ['app/ab/c', 'app/[a]b/c']],
  ],
  '[:alpha:] has no special meaning': [['[[:alpha:]]', [':]', 'p]', '[[:alpha:]]'], ['x', 'x]']]],
  'parentheses and at signs are literal': [
    ['app/(shop)/a', ['app/(shop)/a'], ['app/shop/a']],
    ['app/@modal', ['app/@modal'], ['app/modal']],
    ['(a|b)', ['(a|b)'], ['a']],
  ],
}

describe.each(Object.entries(sentences))('%s', (_, cases) => {
  it.each(cases)('%s', (text, covered, others) => {
    expect([covered, others].map((paths) => paths.filter((path) => covers(text, path)))).toEqual([covered, []])
    expect([covered, others].map((paths) => paths.filter((path) => matches(text, path)))).toEqual([covered, []])
  })
})

describe('the whole repository', () => {
  it.each(['.', '/', './', '**', '**/*', '././', '//'])('is %s', (text) => {
    expect(['a', '.a', 'a/b', 'a/b/c.ts'].filter((path) => !covers(text, path))).toEqual([])
  })
})

describe('no path has the segments . and ..', () => {
  it.each([
    ['?', '[.]'],
    ['??', '[.][.]'],
    ['.?', '[.][.]'],
    ['?.', '.?'],
    ['.*', '?'],
    ['..*', '??'],
  ])('so %s and %s do not intersect', (a, b) => {
    expect(globsIntersect(a, b)).toBe(false)
  })

  it.each([
    ['??', '.*'],
    ['.*', '*.'],
    ['[.]', '*'],
    ['[.]?', '.[a]'],
    ['???', '...'],
  ])('but %s and %s do', (a, b) => {
    expect(globsIntersect(a, b)).toBe(true)
  })
})

describe('files have nothing below them', () => {
  it.each([
    ['README.md', '**/*.ts', false],
    ['package.json', '*/package.json', false],
    ['package.json', '{*,p*}/package.json', true],
    ['a.b', '?.b/c', true],
    ['a.b', '*?/c', false],
    ['a.b', 'a.b/', true],
    ['a.b', 'a.b/**/c', true],
    ['**/a.b', 'x/a.b/c', true],
    ['x/a.b', '**/a.b/**/c', true],
    ['v1.2/', '**/*.ts', true],
    ['a.b', '[a].b/c', true],
    ['[a].b', '[a].b/c', true],
    ['[a].b', 'a.b/c', false],
    ['x/.env', '**/*.ts', true],
    ['x/a.', '**/*.ts', true],
    ['x/a.b-c', '**/*.ts', true],
    ['x/a.é', '**/*.ts', true],
    ['x/..b', '**/*.ts', false],
    ['x/a\\!.b', '**/*.ts', false],
  ])('%s and %s: %s', (a, b, meet) => {
    expect(globsIntersect(a, b)).toBe(meet)
    expect(globsIntersect(b, a)).toBe(meet)
  })
})

describe('the plain matcher that the other tests judge by', () => {
  const names = fc.constantFrom('a', 'b', 'ab', 'a.b', '.a', 'c', 'aa', 'b.b', 'a.')
  const path = fc.array(names, { minLength: 1, maxLength: 4 }).map((all) => all.join('/'))

  it('reads as picomatch does where both read alike', () => {
    // Below a literal end, classes by their own text, odd stars and ranges: there the two differ by intent.
    const alike = fc
      .array(fc.constantFrom('a', 'b', 'ab', 'a.b', '*', '?', '**', '*.b', 'a*', '?b', '.a', '{a,b}', '{a,ab}.b'), {
        minLength: 1,
        maxLength: 4,
      })
      .map((all) => `${all.join('/')}/*`)
    fc.assert(
      fc.property(alike, path, (text, candidate) => {
        expect(matches(text, candidate)).toBe(picomatch(text, { dot: true })(candidate))
      }),
      { numRuns: 1000 },
    )
  })

  it('covers the same paths as the globs of the service', () => {
    fc.assert(
      fc.property(glob, path, (text, candidate) => {
        const plainly = readings(text, candidate).some(({ file }) => file === null)
        expect(covers(text, candidate)).toBe(plainly)
      }),
      { numRuns: 3000 },
    )
  })
})
