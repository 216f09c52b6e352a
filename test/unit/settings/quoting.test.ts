import { describe, expect, test } from 'vitest'
import { readSettingsFile } from '../../../src/service/records/settings/file.ts'

function problemsOf(text: string) {
  const reading = readSettingsFile(new TextEncoder().encode(text))
  return reading.ok ? [] : reading.problems.map(({ field, message }) => `${field}: ${message}`)
}

describe('a glob that has a meaning in YAML', () => {
  test.each(['*.ts', '**/*.ts', '*', '{a,b}/**', '[id]/x', '!x', '@app/**', '%x'])(
    '%s without quotes is reported with its line and a hint',
    (glob) => {
      const problems = problemsOf(`areas:\n  web:\n    - ${glob}\n`)
      expect(problems).toHaveLength(1)
      expect(problems[0]).toMatch(/^file: line 3: .*in quotes/)
    },
  )

  test('is reported at every place', () => {
    expect(problemsOf('areas:\n  a: [*.ts]\n  b: [x]\n  c: [*.js]\n')).toEqual([
      expect.stringMatching(/^file: line 2: \*\.ts is an alias of nothing/),
      expect.stringMatching(/^file: line 4: \*\.js is an alias of nothing/),
    ])
  })

  test('is an alias after an anchor of that name', () => {
    expect(problemsOf('areas:\n  a: [&x web, *x]\n  b: &y [z]\n  c: *y\n')).toEqual([])
    expect(problemsOf('areas:\n  a: *y\n  b: &y [z]\n')).toEqual([
      expect.stringMatching(/^file: line 2: \*y is an alias/),
    ])
  })
})

describe('a settings file', () => {
  test('may use only the tags of YAML itself', () => {
    expect(problemsOf('areas: {a: !!js/function [b]}\n')).toEqual([expect.stringContaining('tag')])
    expect(problemsOf('areas: {a: !!seq [!!str b]}\n')).toEqual([])
  })

  // zod's record drops this key without an issue.
  test('may not name an area __proto__, but constructor and toString', () => {
    expect(problemsOf('areas: {__proto__: [web]}\n')).toEqual([expect.stringMatching(/^areas\.__proto__: /)])
    const reading = readSettingsFile(new TextEncoder().encode('areas: {constructor: [a], toString: [b]}\n'))
    expect(reading).toEqual({ ok: true, values: { areas: { constructor: ['a'], toString: ['b'] } } })
  })

  test('has one problem for a number that is too large', () => {
    expect(problemsOf('max_activity_ttl_ms: 9007199254740993\n')).toHaveLength(1)
  })
})
