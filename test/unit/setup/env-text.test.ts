import { parse } from 'dotenv'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EnvTextError, withVariables } from '../../../src/setup/env-text.ts'

const oneLine = fc.string({ unit: 'grapheme' }).filter((text) => !/[\p{C}\p{Zl}\p{Zp}]/u.test(text) && text !== '')
const name = fc.constantFrom('A', 'B', 'APP_ID', 'WEBHOOK_SECRET', 'toString', '__proto__x')
const line = fc.oneof(
  fc.constantFrom(
    '',
    '# APP_ID=1',
    'export APP_ID = 2 # two',
    'B: 3',
    'A="x\nAPP_ID=4\n"',
    "B='",
    '"',
    'APP_ID=',
    '\r',
  ),
  fc
    .tuple(name, fc.constantFrom('', "'", '"', '`'), oneLine)
    .map(([key, mark, value]) => `${key}=${mark}${value}${mark}`),
)
const envText = fc.array(line, { maxLength: 8 }).chain((lines) => {
  return fc.constantFrom('\n', '\r\n').map((eol) => lines.join(eol))
})

describe('setting variables in the text of a .env', () => {
  it('sets exactly the new values and keeps every other variable, or throws', () => {
    let refused = 0
    fc.assert(
      fc.property(envText, fc.dictionary(name, oneLine, { minKeys: 1 }), (text, variables) => {
        try {
          expect({ ...parse(withVariables(text, variables)) }).toEqual({ ...parse(text), ...variables })
        } catch (error) {
          if (!(error instanceof EnvTextError)) throw error
          refused++
        }
      }),
      { numRuns: 1000 },
    )
    expect(refused).toBeLessThan(300)
  })

  it('changes nothing if it is done twice', () => {
    fc.assert(
      fc.property(fc.dictionary(name, fc.stringMatching(/^[\w '#$]+$/), { minKeys: 1 }), (variables) => {
        const once = withVariables('# mine\nC=1', variables)
        expect(withVariables(once, variables)).toBe(once)
      }),
    )
  })

  it.each([
    ['', 'A=2\n'],
    ['A=1', 'A=2\n'],
    ['A=1\r\nB=1\r\n', 'A=2\nB=1\r\n'],
    ['# A=1\n  export A = "1" # one\nA=3\nB=1\n', '# A=1\nA=2\nB=1\n'],
    ['B=1', 'B=1\nA=2\n'],
    ['B="\nA=1\n"\n', 'B="\nA=1\n"\nA=2\n'],
    ['A="-----BEGIN\nx==\n-----END"\n# after\n', 'A=2\n# after\n'],
  ])('sets A in %j', (before, after) => {
    expect(withVariables(before, { A: '2' })).toBe(after)
  })

  it.each([
    ['plain-1.2/3+4=', 'plain-1.2/3+4='],
    ['two words # no comment', "'two words # no comment'"],
    ['$HOME \\n "x"', `'$HOME \\n "x"'`],
    ["it's", "`it's`"],
    ['a\nb\n', '"a\\nb\\n"'],
  ])('writes the value %j so that dotenv reads it back', (value, written) => {
    expect(withVariables('', { A: value })).toBe(`A=${written}\n`)
    expect(parse(`A=${written}`)).toEqual({ A: value })
  })

  it.each(['a\rb', 'a\u2028b\r\n', '\'"`'])('throws for the value %j, which a .env can not represent', (value) => {
    expect(() => withVariables('', { A: value })).toThrow(EnvTextError)
  })

  it('throws if an open quotation mark would include the value', () => {
    expect(() => withVariables("B='open\n", { A: '# x' })).toThrow(/quotation mark/)
  })
})
