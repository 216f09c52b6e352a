import { describe, expect, test } from 'vitest'
import { readSettingsFile } from '../../../src/settings/file.ts'

function problemsOf(text: string) {
  const reading = readSettingsFile(new TextEncoder().encode(text))
  return reading.ok ? [] : reading.problems.map(({ field, message }) => `${field}: ${message}`)
}

describe('a glob that YAML takes for something else', () => {
  test.each(['*.ts', '**/*.ts', '*', '{a,b}/**', '[id]/x', '!x', '@app/**', '%x'])(
    '%s without quotes is told with its line, and with what to do',
    (glob) => {
      const problems = problemsOf(`areas:\n  web:\n    - ${glob}\n`)
      expect(problems).toHaveLength(1)
      expect(problems[0]).toMatch(/^file: line 3: .*in quotes/)
    },
  )

  test('is told wherever it stands', () => {
    expect(problemsOf('areas:\n  a: [*.ts]\n  b: [x]\n  c: [*.js]\n')).toEqual([
      expect.stringMatching(/^file: line 2: \*\.ts is an alias of nothing/),
      expect.stringMatching(/^file: line 4: \*\.js is an alias of nothing/),
    ])
  })

  test('is an alias where there is an anchor of that name before it', () => {
    expect(problemsOf('areas:\n  a: [&x web, *x]\n  b: &y [z]\n  c: *y\n')).toEqual([])
    expect(problemsOf('areas:\n  a: *y\n  b: &y [z]\n')).toEqual([
      expect.stringMatching(/^file: line 2: \*y is an alias/),
    ])
  })
})

describe('a settings file', () => {
  test('has no tags but those of YAML', () => {
    expect(problemsOf('areas: {a: !!js/function [b]}\n')).toEqual([expect.stringContaining('tag')])
    expect(problemsOf('areas: {a: !!seq [!!str b]}\n')).toEqual([])
  })

  // A record of zod's would leave it out without a word.
  test('has no area named __proto__, and may have one named as anything else of an object', () => {
    expect(problemsOf('areas: {__proto__: [web]}\n')).toEqual([expect.stringMatching(/^areas\.__proto__: /)])
    const reading = readSettingsFile(new TextEncoder().encode('areas: {constructor: [a], toString: [b]}\n'))
    expect(reading).toEqual({ ok: true, values: { areas: { constructor: ['a'], toString: ['b'] } } })
  })

  test('is told once of a number that is too large', () => {
    expect(problemsOf('max_activity_ttl_ms: 9007199254740993\n')).toHaveLength(1)
  })
})
