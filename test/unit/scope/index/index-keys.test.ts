import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  endOfRange,
  FILE,
  indexKeys,
  PART,
  patternKeys,
  prefixesAbove,
  startsOf,
  WHOLE,
} from '../../../../src/core/scope/index/index-keys.ts'
import { codePoint } from '../../../support/arbitrary/code-point.ts'
import { glob, simplePath } from '../glob-samples.ts'
import { globsIntersect, read } from '../read.ts'

const prefixesOf = (text: string) => [...new Set(patternKeys(read(text)).map(({ literalPrefix }) => literalPrefix))]
const suffixesOf = (text: string) => [...new Set(patternKeys(read(text)).map(({ reversedSuffix }) => reversedSuffix))]
const agree = (a: string, b: string) => a.startsWith(b) || b.startsWith(a)

it('where two globs intersect, a pattern of each has a prefix and a suffix that agree: one starts with the other', () => {
  fc.assert(
    fc.property(fc.oneof(glob, simplePath), fc.oneof(glob, simplePath), (a, b) => {
      const [x, y] = [read(a), read(b)]
      const found = patternKeys(x).some((one) =>
        patternKeys(y).some(
          (other) => agree(one.literalPrefix, other.literalPrefix) && agree(one.reversedSuffix, other.reversedSuffix),
        ),
      )
      if (globsIntersect(a, b)) expect(found).toBe(true)
    }),
    { numRuns: 1000 },
  )
})

describe('the literal prefixes of a glob', () => {
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
    expect(prefixesOf(text)).toEqual(keys)
  })
})

describe('the reversed suffixes of a glob', () => {
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
    expect(suffixesOf(text)).toEqual(tails)
  })
})

describe('the coverage of a glob', () => {
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
  ])('of %s is %j', (text, coverages) => {
    expect(patternKeys(read(text)).map(({ coverage }) => coverage)).toEqual(coverages)
  })

  it('finds that a glob intersects every other glob whose prefix is its own or below', () => {
    let covered = 0
    fc.assert(
      fc.property(fc.oneof(glob, simplePath), fc.oneof(glob, simplePath), (a, b) => {
        const [x, y] = [read(a), read(b)]
        const isCovered = patternKeys(x).some(
          (one) =>
            one.coverage !== PART && patternKeys(y).some((other) => other.literalPrefix.startsWith(one.literalPrefix)),
        )
        if (!isCovered) return
        covered++
        expect(globsIntersect(a, b)).toBe(true)
      }),
      { numRuns: 3000 },
    )
    expect(covered).toBeGreaterThan(40)
  })

  it('is a file for the files that it names, where these have no brackets', () => {
    fc.assert(
      fc.property(fc.oneof(glob, simplePath), (text) => {
        const keyed = patternKeys(read(text)).flatMap(({ literalPrefix, coverage }) =>
          coverage === FILE ? [literalPrefix.slice(0, -1)] : [],
        )
        const { files } = read(text)
        expect(files).toEqual(expect.arrayContaining(keyed))
        expect(keyed).toEqual(expect.arrayContaining(files.filter((file) => !file.includes('['))))
      }),
      { numRuns: 3000 },
    )
  })
})

const text = fc.string({ unit: codePoint, maxLength: 8 }).map((value) => value.toWellFormed())
const bytes = (value: string) => Buffer.from(value, 'utf8')
const precedes = (a: string, b: string) => Buffer.compare(bytes(a), bytes(b)) < 0

describe('the range of texts with one start', () => {
  it('holds exactly that, in the order of bytes', () => {
    fc.assert(
      fc.property(
        text.filter((value) => value !== ''),
        text,
        (start, other) => {
          for (const candidate of [other, start + other]) {
            const inRange = !precedes(candidate, start) && precedes(candidate, endOfRange(start))
            expect(inRange).toBe(candidate.startsWith(start))
          }
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('ends right after the last character, past the surrogates, and past what has no next', () => {
    expect(endOfRange('src/')).toBe('src0')
    expect(endOfRange('a\ud7ff')).toBe('a\ue000')
    expect(endOfRange('a\u{10ffff}')).toBe('b')
    expect(precedes('\u{10ffff}'.repeat(100), endOfRange('\u{10ffff}'))).toBe(true)
  })
})

describe('the keys of a scope', () => {
  it('fit into an index, and still agree with those that they were cut from', () => {
    const long = `${'ü'.repeat(150)}/`.repeat(6)
    const [deep] = indexKeys([read(`${long}x.ts`)])
    expect(deep?.key).toBe(`${'ü'.repeat(150)}/`.repeat(2))
    const [name] = indexKeys([read(`${'x'.repeat(1000)}.ts`)])
    expect(name).toEqual({ key: '', tail: `st.${'x'.repeat(397)}`, extent: PART })
    expect(deep?.extent).toBe(PART)
  })

  it('are distinct', () => {
    fc.assert(
      fc.property(fc.array(glob, { maxLength: 5 }), (globs) => {
        const keys = indexKeys(globs.map(read)).map((entry) => JSON.stringify(entry))
        expect(new Set(keys).size).toBe(keys.length)
      }),
    )
  })

  it('mean all that lies there where one of the globs does', () => {
    for (const globs of [
      ['src/*', 'src/**'],
      ['src/**', 'src/*'],
    ]) {
      expect(indexKeys(globs.map(read))).toEqual([{ key: 'src/', tail: '', extent: WHOLE }])
    }
  })

  it('have above them every whole start, and themselves', () => {
    expect(prefixesAbove('src/a/')).toEqual(['', 'src/', 'src/a/'])
    expect(prefixesAbove('')).toEqual([''])
    expect(startsOf('st.😀')).toEqual(['', 's', 'st', 'st.', 'st.😀'])
  })
})
