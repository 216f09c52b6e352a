import { expect, it } from 'vitest'
import { parsedGlob } from '../../../src/scope/glob-cache.ts'
import { dearGlobs } from './heap.ts'

it('a glob is read once while it is in use, a refused one too', () => {
  expect(parsedGlob('src/**')).toBe(parsedGlob('src/**'))
  expect(parsedGlob('{a')).toBe(parsedGlob('{a'))
  expect(parsedGlob('{a').ok).toBe(false)
})

it('globs that are not used any more are forgotten', () => {
  const first = parsedGlob('kept/not/for/ever')
  for (let n = 0; n < 400; n++) parsedGlob(dearGlobs['many alternatives']?.(n) ?? '')
  expect(parsedGlob('kept/not/for/ever')).not.toBe(first)
  expect(parsedGlob('kept/not/for/ever')).toEqual(first)
})
