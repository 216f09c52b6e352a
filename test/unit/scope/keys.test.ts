import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { globKeys, globTails } from '../../../src/scope/glob-key.ts'
import { globsMeet } from '../../../src/scope/glob-meet.ts'
import { glob, simplePath } from './glob-samples.ts'
import { read } from './read.ts'

const agree = (a: string[], b: string[]) => a.some((x) => b.some((y) => x.startsWith(y) || y.startsWith(x)))

describe('the keys of a glob', () => {
  it.each([
    ['src/a/*.ts', ['src/a/']],
    ['src/a.ts', ['src/a.ts/']],
    ['src', ['src/']],
    ['src/', ['src/']],
    ['**/x', ['']],
    ['src/**/x', ['src/']],
    ['app/[id]/page.tsx', ['app/']],
    ['app/[id]', ['app/']],
    ['{a,b/c}/d*', ['a/', 'b/c/']],
    ['{a,a}/*', ['a/']],
    ['\\[a]/\\*/?', ['[a]/*/']],
    ['.', ['']],
  ])('of %s are %s', (text, keys) => {
    expect(globKeys(read(text))).toEqual(keys)
  })

  it('agree where two globs meet: one begins with the other', () => {
    fc.assert(
      fc.property(fc.oneof(glob, simplePath), fc.oneof(glob, simplePath), (a, b) => {
        const [x, y] = [read(a), read(b)]
        if (globsMeet(x, y)) expect(agree(globKeys(x), globKeys(y))).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })
})

describe('the tails of a glob', () => {
  it.each([
    ['**/*.test.ts', ['st.tset.']],
    ['src/a.ts', ['st.a']],
    ['src/*/a.ts', ['st.a']],
    ['src', ['']],
    ['src/**', ['']],
    ['**/x?😀y', ['y😀']],
    ['pages/[id].tsx', ['xst.']],
    ['app/[id]', ['']],
    ['*.{ts,tsx}', ['st.', 'xst.']],
    ['packages/socket.io/lib/*.ts', ['']],
    ['packages/*-core/*.ts', ['']],
    ['packages/*-core/src/*.ts', ['']],
    ['packages/*/src/*.ts', ['st.']],
  ])('of %s are %s', (text, tails) => {
    expect(globTails(read(text))).toEqual(tails)
  })

  it('agree where two globs meet: one begins with the other', () => {
    fc.assert(
      fc.property(fc.oneof(glob, simplePath), fc.oneof(glob, simplePath), (a, b) => {
        const [x, y] = [read(a), read(b)]
        if (globsMeet(x, y)) expect(agree(globTails(x), globTails(y))).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })
})
