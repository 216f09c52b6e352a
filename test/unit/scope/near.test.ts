import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { globsMeet } from '../../../src/scope/glob-meet.ts'
import { nearTo } from '../../../src/scope/near.ts'
import { pathKeys } from '../../../src/scope/scope-key.ts'
import { glob, simplePath } from './glob-samples.ts'
import { read } from './read.ts'

const some = fc.oneof(glob, simplePath)

describe('what is near to a scope, at a glance', () => {
  it.each([
    'src/auth/x.ts',
    'src/auth',
    'src/auth/',
    'src',
    'src/',
    './src/auth/x.ts',
    '/src/auth',
    'src//auth/x.ts',
    'src/./auth',
    'src/.',
    './/src',
    'src/**',
    'src/a*/x.ts',
    '**',
    'sr{c,v}/auth',
    '{,x}src/auth',
    '.{a,}/src/auth',
    'src/.{a,}/auth',
    '\\src/auth',
    'src/[a-c]uth/x.ts',
  ])('is %s to src/auth', (text) => {
    expect(nearTo(['docs/guide/', 'src/auth/', 'web/'])(text)).toBe(true)
  })

  it.each([
    'src/authors/x.ts',
    'src/aut',
    'src/b*/x.ts',
    'src/.auth',
    'sr',
    'doc',
    'docs/guides',
    '.src/auth',
    'app/[id]/page.tsx',
    'z/src/auth',
  ])('is not %s', (text) => {
    expect(nearTo(['docs/guide/', 'src/auth/', 'web/'])(text)).toBe(false)
  })

  it('tells apart what differs in one half of a character of two', () => {
    const near = nearTo(['\u{1f600}/', '\u{1f601}/'])
    expect(['\u{1f600}/a', '\u{1f601}', '\u{1f602}/a', '\u{1f600}x'].map(near)).toEqual([true, true, false, false])
  })

  it('is everything where a glob of the scope is open at its beginning, and nothing where there is none', () => {
    expect(nearTo(['', 'src/'])('docs/a.md')).toBe(true)
    expect(nearTo([])('docs/a.md')).toBe(false)
  })

  it('lets no glob go that could meet', () => {
    fc.assert(
      fc.property(some, some, (a, b) => {
        const [x, y] = [read(a), read(b)]
        if (globsMeet(x, y)) expect(nearTo(pathKeys([x]).map(({ key }) => key))(b)).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })
})
