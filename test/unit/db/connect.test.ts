import fc from 'fast-check'
import pg from 'pg'
import { expect, test } from 'vitest'
import { plainTexts } from '../../../src/service/db/connect.ts'

/** An array as PostgreSQL writes it. */
function written(texts: readonly string[]): string {
  const needsQuotes = /^$|[{}",\\\s]|^null$/i
  const element = (text: string) => (needsQuotes.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : text)
  return `{${texts.map(element).join(',')}}`
}

const textArray: number = 1009

test('An array of texts is read as pg reads it, or left to pg', () => {
  const parse: (text: string) => unknown = pg.types.getTypeParser(textArray)
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom('NULL', 'null', 'src/a.ts', 'a b', '', 'src/**', '{a,b}', 'x"y', 'ä'),
  )
  fc.assert(
    fc.property(fc.array(text, { maxLength: 6 }), (texts) => {
      const array = written(texts)
      const read = plainTexts(array)
      if (read !== undefined) expect(read).toEqual(parse(array))
      expect(read ?? parse(array)).toEqual(texts)
    }),
  )
})

test('An array of usual globs is not left to pg', () => {
  expect(plainTexts('{src/**,docs/*.md}')).toEqual(['src/**', 'docs/*.md'])
  expect(plainTexts('{}')).toEqual([])
})
