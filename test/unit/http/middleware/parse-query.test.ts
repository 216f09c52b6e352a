import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../src/core/errors.ts'
import { parseQuery } from '../../../../src/service/api/http/middleware/parse-query.ts'

/** The details of the refusal, or the parameters. */
function read(query: string) {
  try {
    return { ...parseQuery(`/activity?${query}`) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expect(error.code).toBe('validation_failed')
    return error.details?.map(({ field, code }) => `${field} ${code}`)
  }
}

describe('the parameters of a query', () => {
  it.each([
    ['', {}],
    ['&&', {}],
    ['a=1&b=%20x+y', { a: '1', b: ' x y' }],
    ['a==', { a: '=' }],
    ['a=1?&b=?', { a: '1?', b: '?' }],
    ['?', ['? invalid_value']],
    ['?a=1', { '?a': '1' }],
    ['a=1&?', ['? invalid_value']],
    ['=', [' invalid_value']],
    ['a', ['a invalid_value']],
    ['a=', ['a invalid_value']],
    ['a=1&a=2', ['a duplicate']],
    ['a[]=1', ['a[] unknown_field']],
    ['a%5B%5D=1&a[]=2', ['a[] unknown_field', 'a[] unknown_field']],
    ['a=%ff', ['a invalid_value']],
    ['a=%', ['a invalid_value']],
  ])('%j', (query, expected) => {
    expect(read(query)).toEqual(expected)
  })

  it('may have the names of inherited properties', () => {
    expect(Object.entries(parseQuery('/?__proto__=x&toString=y'))).toEqual([
      ['__proto__', 'x'],
      ['toString', 'y'],
    ])
  })

  it('are parsed or refused with any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[?&=%a#+]*$/)), (query) => {
        read(query)
      }),
    )
  })
})
