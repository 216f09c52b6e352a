import { beforeAll, describe, expect, it } from 'vitest'
import { parsedGlob } from '../../../src/scope/glob-cache.ts'
import { dearGlobs, heapUsed, nameOf } from './heap.ts'

describe('globs that are kept', () => {
  let before = 0
  beforeAll(() => {
    before = heapUsed()
  })

  it.each(['two characters of two bytes a segment', 'many alternatives', 'a bracket a segment'])(
    'take less than 100 MB, also where all of them would take more: %s',
    (kind) => {
      for (let n = 0; n < 700; n++) parsedGlob(dearGlobs[kind]?.(n) ?? '')
      expect(heapUsed() - before).toBeLessThan(100_000_000)
    },
  )

  it('are thirty thousand usual ones at least, all at once', () => {
    const directories = (n: number) =>
      Array.from({ length: 3 + (n % 5) }, (_, up) => nameOf(Math.floor(n / 4 ** up) * 8 + up, 7)).reverse()
    const globs = Array.from({ length: 30_000 }, (_, n) =>
      [...directories(Math.floor(n / 8)), `${nameOf(n * 17, 9)}.ts`].join('/'),
    )
    const read = globs.map(parsedGlob)
    expect(globs.filter((glob, n) => parsedGlob(glob) !== read[n])).toHaveLength(0)
  })
})
