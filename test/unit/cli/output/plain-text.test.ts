import { assert, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatRelativeTime, plain, safeJson } from '../../../../src/cli/output/plain-text.ts'
import { readableGlob } from '../../../../src/core/scope/glob/escape.ts'
import { codePoint } from '../../../support/arbitrary/code-point.ts'

const unsafe = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

describe('text of other people', () => {
  it('is printed as one line without control and direction characters', () => {
    assert(
      property(string({ unit: codePoint }), (text) => {
        expect(plain(text)).not.toMatch(unsafe)
      }),
    )
    expect(plain('a\n\tb \u001b[31mc\u202e d 👩‍💻')).toBe('a b [31mc d 👩💻')
  })

  it('is printed as JSON with the same values and without these characters', () => {
    assert(
      property(string({ unit: codePoint }), (text) => {
        const json = safeJson({ text })
        expect(JSON.parse(json)).toEqual({ text })
        expect(json.replaceAll('\n', '')).not.toMatch(unsafe)
      }),
    )
  })
})

describe('a time', () => {
  it('is printed relative to now', () => {
    const now = Date.parse('2026-11-20T00:00:00Z')
    expect(formatRelativeTime('2026-11-20T00:05:00Z', now)).toBe('in 5 min')
    expect(formatRelativeTime('2026-11-19T21:00:00Z', now)).toBe('3 h ago')
    expect(formatRelativeTime('2026-11-27T00:00:00Z', now)).toBe('in 7 days')
  })
})

describe('a glob', () => {
  it.each([
    ['app/\\[id\\]/page.tsx', 'app/[id]/page.tsx'],
    ['app/\\(shop\\)/**', 'app/(shop)/**'],
    ['\\{\\{name\\}\\}/a\u001b.ts', '{{name}}/a.ts'],
    ['app/\\[id\\]/*.tsx', 'app/\\[id\\]/*.tsx'],
    ['app/[ab]/\\(x\\).ts', 'app/[ab]/\\(x\\).ts'],
    ['src/{a,b}/\\[x\\].ts', 'src/{a,b}/\\[x\\].ts'],
    ['src/\\*.ts', 'src/\\*.ts'],
    ['src/**', 'src/**'],
  ])('is printed without escapes only where it has no wildcard: %s', (glob, shown) => {
    expect(plain(readableGlob(glob))).toBe(shown)
  })
})
