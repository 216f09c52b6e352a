import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchesPath } from '../../../../src/core/scope/match/matches-path.ts'
import { glob, segment } from '../glob-samples.ts'
import { read } from '../read.ts'
import { readings } from '../reference-matcher.ts'

const names = ['a', 'b', 'ab', 'a.b', 'b.b', '.a', '[ab]', '[ab].b', '[', '*', '😀']
const paths = (depth: number): string[] =>
  depth === 0 ? [] : names.flatMap((name) => [name, ...paths(depth - 1).map((path) => `${name}/${path}`)])
const shortPaths = paths(3)
const words = (length: number): string[] =>
  length === 0 ? [''] : words(length - 1).flatMap((word) => Array.from('ab.[]😀', (character) => word + character))
const shortNames = [1, 2, 3, 4].flatMap(words).filter((name) => name !== '.' && name !== '..')

/** What the plain matcher says, paths below a file left out. */
const matchesPlainly = (text: string, path: string) => readings(text, path).some(({ file }) => file === null)

function expectAgreement(text: string, candidates: readonly string[]): void {
  const parsed = read(text)
  const matched = candidates.filter((path) => matchesPath(parsed, path))
  expect(matched).toEqual(candidates.filter((path) => matchesPlainly(text, path)))
}

describe('whether a glob matches a path', () => {
  it('is what the plain matcher says of every path of three segments or fewer', () => {
    fc.assert(
      fc.property(glob, (text) => expectAgreement(text, shortPaths)),
      { numRuns: 40 },
    )
  })

  it('is what the plain matcher says of every name of four characters or fewer', () => {
    fc.assert(
      fc.property(segment, (text) => expectAgreement(text, shortNames)),
      { numRuns: 40 },
    )
  })

  it.each([
    ['Makefile', 'Makefile', true],
    ['Makefile', '**/*.snap', false],
    ['a/node_modules/b/c.js', '**/node_modules', true],
    ['vendor/a/b.c', 'vendor/', true],
    ['vendor', 'vendor/', false],
    ['a.ts/b.ts', 'a.ts', false],
    ['src/app', 'src', true],
    ['src', 'src/app', false],
    ['packages/socket.io', 'packages/socket.io/lib/*.ts', false],
    ['app/[id]/page.tsx', 'app/[id]/**', true],
    ['docs/😀', 'docs/?', true],
    ['docs/😀', 'docs/😀', true],
    ['docs/a', 'docs/**', true],
    ['docs', 'docs/**', false],
    [`${'long/'.repeat(300)}a.ts`, '**', true],
    ['a\\b.ts', 'a\\*', false],
    ['a\\b.ts', 'a?b.ts', true],
    ['src/a', '**/[!a]*', false],
  ])('for %s and %s: %s', (path, text, isMatch) => expect(matchesPath(read(text), path)).toBe(isMatch))
})
