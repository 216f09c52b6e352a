import { array, assert, constantFrom, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeGlob } from '../../../../src/core/scope/glob/escape.ts'
import { codePoint } from '../../../support/arbitrary/code-point.ts'
import { covers, read } from '../read.ts'

/** Names as git may have them, those that look like globs most of all; no backslash, which the dialect can't say. */
const name = array(constantFrom(...'*?[]{},!()@+^-. abü😀'), { minLength: 1, maxLength: 8 })
  .map((characters) => characters.join(''))
  .filter((text) => text !== '.' && text !== '..')
const path = array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'))

describe('a path as a glob', () => {
  it('is one that names this file, where it looks like one', () => {
    assert(
      property(path, (text) => {
        const { files, patterns } = read(escapeGlob(`${text}.ts`))
        expect(files).toEqual([`${text}.ts`])
        expect(patterns).toHaveLength(1)
      }),
    )
  })

  it('covers this path and no other one', () => {
    assert(
      property(path, path, (text, other) => {
        expect(covers(escapeGlob(text), text)).toBe(true)
        const isBelow = other.startsWith(`${text}/`)
        expect(covers(escapeGlob(text), other)).toBe(other === text || isBelow)
      }),
    )
  })

  it('is read whatever characters there are', () => {
    assert(
      property(string({ unit: codePoint, minLength: 1 }), (text) => {
        const clean = text.replace(/[\0/]/g, '').toWellFormed()
        if (clean !== '' && clean !== '.' && clean !== '..') read(escapeGlob(clean))
      }),
    )
  })

  it('has a wildcard for a backslash', () => {
    expect(escapeGlob('a\\b')).toBe('a?b')
    expect(escapeGlob('a\\*')).toBe('a?\\*')
    expect(covers(escapeGlob('a\\{b'), 'a\\{b')).toBe(true)
  })
})
