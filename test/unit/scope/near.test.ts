import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { globsMeet } from '../../../src/scope/glob-meet.ts'
import { nearTo, waysOf } from '../../../src/scope/near.ts'
import { pathKeys } from '../../../src/scope/scope-key.ts'
import { glob, simplePath } from './glob-samples.ts'
import { read } from './read.ts'

/** Whether a glob of this text could meet, by a way that does not stand first. */
function isNear(keys: string[], text: string): boolean {
  return nearTo(keys)(waysOf(['some/other.ts', text]), 1 + 2)
}

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
    'src/b*/x.ts',
    '**',
    'sr{c,v}/auth',
    '{,x}src/auth',
    '.{a,}/src/auth',
    'src/.{a,}/auth',
    '\\src/auth',
    'src/[a-c]uth/x.ts',
  ])('is %s to src/auth', (text) => {
    expect(isNear(['docs/guide/', 'src/auth/', 'web/'], text)).toBe(true)
  })

  it.each([
    'src/authors/x.ts',
    'src/aut',
    'src/.auth',
    'sr',
    'doc',
    'docs/guides',
    '.src/auth',
    'app/[id]/page.tsx',
    'z/src/auth',
  ])('is not %s', (text) => {
    expect(isNear(['docs/guide/', 'src/auth/', 'web/'], text)).toBe(false)
  })

  it('tells apart what differs in one half of a character of two', () => {
    const near = ['\u{1f600}/a', '\u{1f601}', '\u{1f602}/a', '\u{1f600}x'].map((text) =>
      isNear(['\u{1f600}/', '\u{1f601}/'], text),
    )
    expect(near).toEqual([true, true, false, false])
  })

  it('is everything where a glob of the scope is open at its beginning, and nothing where there is none', () => {
    expect(isNear(['', 'src/'], 'docs/a.md')).toBe(true)
    expect(isNear([], 'docs/a.md')).toBe(false)
  })

  it('tells what lies deeper than it looks by the first sixteen directories', () => {
    const deep = 'a/'.repeat(16)
    const near = [`${deep}b/c.ts`, `${deep}x/y`, `b/${deep}c`, deep].map((text) => isNear([`${deep}b/`], text))
    expect(near).toEqual([true, true, false, true])
    expect(isNear(['a/'], `${deep}b`)).toBe(true)
    expect(waysOf([deep, `${deep}b/c/d`])).toHaveLength(2 * 17)
  })

  it('tells apart nearly all of what lies elsewhere, however many keys there are', () => {
    for (const count of [1, 20, 100]) {
      const keys = Array.from({ length: count }, (_, n) => `packages/p${n}/src/`)
      const far = Array.from({ length: 2_000 }, (_, n) => `packages/q${n}/src/x.ts`)
      expect(far.filter((text) => isNear(keys, text)).length).toBeLessThan(100)
    }
  })

  it('lets no glob go that could meet', () => {
    fc.assert(
      fc.property(some, some, (a, b) => {
        const [x, y] = [read(a), read(b)]
        if (globsMeet(x, y)) {
          const keys = pathKeys([x]).map(({ key }) => key)
          expect(isNear(keys, b)).toBe(true)
        }
      }),
      { numRuns: 3000 },
    )
  })
})
