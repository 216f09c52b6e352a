import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PART, WHOLE } from '../../../src/scope/glob-key.ts'
import { afterBeginning, beginningsOf, keysAbove, pathKeys } from '../../../src/scope/scope-key.ts'
import { glob } from './glob-samples.ts'
import { read } from './read.ts'

const text = fc.string({ unit: 'binary', maxLength: 8 }).map((value) => value.toWellFormed())
const bytes = (value: string) => Buffer.from(value, 'utf8')
const precedes = (a: string, b: string) => Buffer.compare(bytes(a), bytes(b)) < 0

describe('the range of what begins with a text', () => {
  it('holds exactly that, in the order of bytes', () => {
    fc.assert(
      fc.property(
        text.filter((value) => value !== ''),
        text,
        (beginning, other) => {
          for (const candidate of [other, beginning + other]) {
            const inRange = !precedes(candidate, beginning) && precedes(candidate, afterBeginning(beginning))
            expect(inRange).toBe(candidate.startsWith(beginning))
          }
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('ends right after the last character, past the surrogates, and past what has no next', () => {
    expect(afterBeginning('src/')).toBe('src0')
    expect(afterBeginning('a\ud7ff')).toBe('a\ue000')
    expect(afterBeginning('a\u{10ffff}')).toBe('b')
    expect(precedes('\u{10ffff}'.repeat(100), afterBeginning('\u{10ffff}'))).toBe(true)
  })
})

describe('the keys of a scope', () => {
  it('fit into an index, and still agree with those that they were cut from', () => {
    const long = `${'ü'.repeat(150)}/`.repeat(6)
    const [deep] = pathKeys([read(`${long}x.ts`)])
    expect(deep?.key).toBe(`${'ü'.repeat(150)}/`.repeat(2))
    const [name] = pathKeys([read(`${'x'.repeat(1000)}.ts`)])
    expect(name).toEqual({ key: '', tail: `st.${'x'.repeat(397)}`, extent: PART })
    expect(deep?.extent).toBe(PART)
  })

  it('are distinct', () => {
    fc.assert(
      fc.property(fc.array(glob, { maxLength: 5 }), (globs) => {
        const keys = pathKeys(globs.map(read)).map((entry) => JSON.stringify(entry))
        expect(new Set(keys).size).toBe(keys.length)
      }),
    )
  })

  it('mean all that lies there where one of the globs does', () => {
    for (const globs of [
      ['src/*', 'src/**'],
      ['src/**', 'src/*'],
    ]) {
      expect(pathKeys(globs.map(read))).toEqual([{ key: 'src/', tail: '', extent: WHOLE }])
    }
  })

  it('have above them every whole beginning, and themselves', () => {
    expect(keysAbove('src/a/')).toEqual(['', 'src/', 'src/a/'])
    expect(keysAbove('')).toEqual([''])
    expect(beginningsOf('st.😀')).toEqual(['', 's', 'st', 'st.', 'st.😀'])
  })
})
