import fc from 'fast-check'
import { codePoint } from './code-point.ts'

/** Texts that have broken programs: of queries, patterns, markup, paths, prototypes, encodings and numbers. */
export const hostileTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '\u202e\u2066evil',
  '\u0000\u001b[31m',
  '\r\nX-Injected: 1',
  "'; drop table activities; --",
  "' or '1'='1",
  '$1',
  '%s%n',
  '#{7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../../etc/passwd',
  'refs/heads/',
  'refs/heads/refs/heads/x',
  'refs/heads/main\0',
  '-rf',
  '**',
  '**/**/**/**/**/*a*b*c*d*',
  '{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}',
  '{'.repeat(300),
  '['.repeat(300),
  '\\',
  '[!',
  '!(a|b)',
  '(a+)+$',
  'İ',
  'ß',
  'ﬁ',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  'null',
  'undefined',
  'NaN',
  '1e309',
  '-0',
  '9007199254740993',
  '0001-01-01T00:00:00+23:59',
  '9999-12-31T23:59:60Z',
  '10000-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  'http://[',
  'https://user:secret@example.com/',
  'javascript:alert(1)',
  'https://github.com/acme/other/pull/1',
  'https://github.com/acme/other/pull/99999999999999999999',
]

/** Numbers at the limits of common representations. */
const hostileNumbers = [0, -0, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, 5e-324, -(2 ** 63)]

/** Member names with a meaning in JavaScript or in this API. */
export const memberNames = ['__proto__', 'constructor', 'prototype', 'toString', 'id', 'repository_id', 'then', '', 'x']

export const hostileText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 2, arbitrary: fc.string({ unit: codePoint }) },
  // An unpaired surrogate at any position.
  { weight: 1, arbitrary: fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 }).map(fromCodeUnits) },
  { weight: 1, arbitrary: fc.constantFrom(101, 201, 256, 267, 1001, 1025, 2001, 2049).map((size) => 'x'.repeat(size)) },
)

function fromCodeUnits(units: number[]): string {
  return String.fromCharCode(...units)
}

/** Any JSON: scalars as above, and lists and objects of them. */
export const hostileJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 4, arbitrary: hostileText },
    { weight: 1, arbitrary: fc.constantFrom(null, true, false, ...hostileNumbers) },
    { weight: 1, arbitrary: fc.array(tie('json'), { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.dictionary(fc.constantFrom(...memberNames), tie('json'), { maxKeys: 4 }) },
  ),
})).json
