import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeGlob } from '../../../src/core/scope/glob/escape.ts'
import { headOf, isBelow, meetsAny } from '../../../src/core/texts/sentence/places.ts'

const at = (...paths: string[]) => ({ scope: { paths, areas: [] } })

describe('the place of a glob', () => {
  it.each([
    ['src/auth/**', 'src/auth'],
    ['src/auth/', 'src/auth'],
    ['src/auth/login.ts', 'src/auth/login.ts'],
    ['src/*/session.ts', 'src'],
    ['src/{a,b}/x', 'src'],
    ['**/*.md', ''],
    ['*.md', ''],
    ['app/\\[id\\]/page.tsx', 'app/[id]/page.tsx'],
  ])('%s is %s', (glob, head) => {
    expect(headOf(glob)).toBe(head)
  })

  it('is the path itself where nothing is a wildcard', () => {
    const segment = fc.stringMatching(/^[a-z[\](){}!,.-]{1,6}$/)
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), (segments) => {
        const path = segments.join('/')
        expect(headOf(escapeGlob(path))).toBe(path)
      }),
    )
  })
})

it('a directory holds what lies below it, and no neighbour', () => {
  expect([isBelow('src/a', 'src'), isBelow('src', 'src'), isBelow('srcs', 'src'), isBelow('src', 'src/a')]).toEqual([
    ...[true, true, false, false],
  ])
})

it('two records may meet where a place of one lies below one of the other, or an area is the same', () => {
  expect(meetsAny([at('src/auth/**')])(at('src/auth/login.ts'))).toBe(true)
  expect(meetsAny([at('src/auth/**')])(at('src/cart/**'))).toBe(false)
  expect(meetsAny([at('**/*.md')])(at('src/cart/**'))).toBe(false)
  expect(meetsAny([{ scope: { paths: [], areas: ['Auth'] } }])({ scope: { paths: [], areas: ['auth'] } })).toBe(true)
  expect(meetsAny([{ ...at(), scope_changed: ['src/auth'] }])(at('src/auth/x.ts'))).toBe(true)
  expect(meetsAny([at('src/cart/**'), at('src/auth/**')])(at('src/auth/login.ts'))).toBe(true)
  expect(meetsAny([])(at('src/auth/**'))).toBe(false)
})
