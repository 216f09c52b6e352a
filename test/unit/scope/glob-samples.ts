import fc from 'fast-check'
import { parseGlob } from '../../../src/core/scope/glob/glob.ts'

const parts = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b', '.', 'ab', 'a.b', '\\[', '\\*', ']', '😀') },
  { weight: 4, arbitrary: fc.constantFrom('*', '?', '**', '***') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '[ab]',
      '[!a]',
      '[a-b]',
      '[.]',
      '[]a]',
      '[b-a]',
      '[a.]',
      '[!]b]',
      '[a-]',
      '[^.]',
      '[',
      '[\\]a]',
      '[+-a]',
      '[!a-😀]',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('{a,b}', '{,b}', 'a{,.b}', '{a}', '{?,[ab]}', '{1..2}', '{*,a*}', '{[a],b}'),
  },
)

/** A segment without slashes: characters, wildcards, brackets and braces over a small alphabet. */
export const segment = fc
  .array(parts, { minLength: 1, maxLength: 4 })
  .map((all) => all.join(''))
  .filter(isGlob)

const names = fc.constantFrom(
  'a',
  'b',
  '*',
  '**',
  '?',
  'a.b',
  '*.b',
  '[ab]',
  '[ab].b',
  '?*',
  '.a',
  '[!a]*',
  '{a,b}',
  '{a,*/b}',
  '{a/b,**}',
  '{,a/}b',
  'a*',
)

/** A path of segments from a small palette, so that many pairs meet and many only just do not. */
export const simplePath = fc
  .tuple(
    fc.constantFrom('', '', '', './', '/'),
    fc.array(names, { minLength: 1, maxLength: 5 }),
    fc.constantFrom('', '', '', '/', '/.'),
  )
  .map(([start, all, end]) => start + all.join('/') + end)
  .filter(isGlob)

/** Any glob: a path of palette segments and composed ones. */
export const glob = fc
  .array(fc.oneof(names, segment), { minLength: 1, maxLength: 5 })
  .map((all) => all.join('/'))
  .filter(isGlob)

function isGlob(text: string): boolean {
  return parseGlob(text).ok
}
