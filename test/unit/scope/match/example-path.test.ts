import { describe, expect, it } from 'vitest'
import { sharedPath } from '../read.ts'

describe('the example path of two globs', () => {
  it.each([
    ['is short', 'a/b/**', '**/b/c', 'a/b/c'],
    ['is short', '**/*.ts', '**/*.test.ts', 'a.test.ts'],
    ['is short', 'docs/**/*.md', '**/README.*', 'docs/README.md'],
    ['is short', '**/a/**/b', '**/b/**/a/**', 'b/a/b'],
    ['is short', 'user*', '*.test.ts', 'user.test.ts'],
    ['gives directories other names than the file', '*/*/*.ts', '**', 'b/c/a.ts'],
    ['gives directories other names than the file', 'packages/*/src/**', 'packages/**/*.css', 'packages/b/src/a.css'],
    ['leaves no name maimed', 'test_*.py', '*', 'test_a.py'],
    ['leaves no name maimed', 'user*', '*.test.*', 'user.test.a'],
    ['leaves no name maimed', '*-*', '*_*', 'a_a-a'],
    ['leaves no name maimed', '*.config.*', 'vite*', 'vite.config.a'],
    ['adds nothing to a name that is one', '.env*', '.*', '.env'],
    ['adds nothing to a name that is one', 'a*', '*b', 'ab'],
    ['is never . or ..', '.*', '.*', '.a'],
    ['is never . or ..', '*.', '.*', '.a.'],
    ['is never . or ..', '.*', '.*.', '.a.'],
    ['is never . or ..', '?', '??*', null],
    ['is never . or ..', '[.]*', '.*', '.a'],
    ['takes a bracket for a name', 'app/[...slug]', 'app/**', 'app/[...slug]'],
    ['takes a bracket for a name', '*.[jt]s', 'src.*', 'src.[jt]s'],
    ['takes a bracket for a class where it must', '*.[jt]s', '*.[tx]s', 'a.ts'],
    [
      'takes a bracket for a class where it looks like one',
      'migrations/[0-9]*.sql',
      'migrations/**',
      'migrations/0.sql',
    ],
    ['takes a bracket for a class where it looks like one', '[!a]*.ts', '*.ts', 'b.ts'],
    ['is below a file only where it must be', 'package.json', '{*,p*}/package.json', 'package.json/package.json'],
    ['is below a file only where it must be', 'x/a.b', '{x/a.b/c,*/*.b}', 'x/a.b'],
    ['may be of any characters', '[😀-😂]x', '?x', '😀x'],
    ['may be of any characters', '[!-~]', '[^a-z]', '0'],
  ])('%s: %s and %s', (_, a, b, path) => {
    expect(sharedPath(a, b)).toBe(path)
    expect(sharedPath(b, a)).toBe(path)
  })
})
