import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FILE, globEnds, PART, WHOLE } from '../../../src/scope/glob-key.ts'
import { globsMeet } from '../../../src/scope/glob-meet.ts'
import { glob, simplePath } from './glob-samples.ts'
import { read } from './read.ts'

const keysOf = (text: string) => [...new Set(globEnds(read(text)).map(({ key }) => key))]
const tailsOf = (text: string) => [...new Set(globEnds(read(text)).map(({ tail }) => tail))]
const agree = (a: string, b: string) => a.startsWith(b) || b.startsWith(a)

it('where two globs meet, a reading of each has a key and a tail that agree: one begins with the other', () => {
  fc.assert(
    fc.property(fc.oneof(glob, simplePath), fc.oneof(glob, simplePath), (a, b) => {
      const [x, y] = [read(a), read(b)]
      const found = globEnds(x).some((one) =>
        globEnds(y).some((other) => agree(one.key, other.key) && agree(one.tail, other.tail)),
      )
      if (globsMeet(x, y)) expect(found).toBe(true)
    }),
    { numRuns: 3000 },
  )
})

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
    expect(keysOf(text)).toEqual(keys)
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
    expect(tailsOf(text)).toEqual(tails)
  })
})

describe('the extent of a glob', () => {
  it.each([
    ['src/a.ts', [FILE]],
    ['{a.ts,src/b.ts}', [FILE, FILE]],
    ['src', [WHOLE]],
    ['src/', [WHOLE]],
    ['src/**', [WHOLE]],
    ['v1.2/', [WHOLE]],
    ['**', [WHOLE]],
    ['\\[a]/\\*', [WHOLE]],
    ['app/[id]', [PART, PART]],
    ['src/**/*', [WHOLE]],
    ['**/*', [WHOLE]],
    ['src/*', [PART]],
    ['null/*/**', [PART]],
    ['src/*/', [PART]],
    ['src/*/**', [PART]],
    ['*/src/**', [PART]],
    ['src/**/a/**', [PART]],
    ['**/a.ts', [PART]],
    ['src/?.ts', [PART]],
  ])('of %s is %j', (text, extents) => {
    expect(globEnds(read(text)).map(({ extent }) => extent)).toEqual(extents)
  })

  it('tells that a glob meets every other that begins at its key or below it', () => {
    let told = 0
    fc.assert(
      fc.property(fc.oneof(glob, simplePath), fc.oneof(glob, simplePath), (a, b) => {
        const [x, y] = [read(a), read(b)]
        const isTold = globEnds(x).some(
          (one) => one.extent !== PART && globEnds(y).some((other) => other.key.startsWith(one.key)),
        )
        if (!isTold) return
        told++
        expect(globsMeet(x, y)).toBe(true)
      }),
      { numRuns: 10_000 },
    )
    expect(told).toBeGreaterThan(300)
  })

  it('is a file for the files that it names, where these have no brackets', () => {
    fc.assert(
      fc.property(fc.oneof(glob, simplePath), (text) => {
        const keyed = globEnds(read(text)).flatMap(({ key, extent }) => (extent === FILE ? [key.slice(0, -1)] : []))
        const { files } = read(text)
        expect(files).toEqual(expect.arrayContaining(keyed))
        expect(keyed).toEqual(expect.arrayContaining(files.filter((file) => !file.includes('['))))
      }),
      { numRuns: 3000 },
    )
  })
})
