import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { repositoryOfPath } from '../../../src/core/page-paths.ts'
import { returnPath } from '../../../src/core/return-path.ts'
import { codePoint } from '../../support/arbitrary/code-point.ts'

const service = 'https://headsup.example'

describe('the page after signing in', () => {
  it.each([
    '/acme/shop',
    '/a_b-c/x.y',
    '/acme/shop?path=src%2Fa&q=%20',
    '/acme/shop?q=//evil.example',
    '/-/r/api/shop',
    '/-/r/docs/shop?mine=1',
  ])('is %s as it was asked for', (to) => {
    expect(returnPath(to)).toBe(to)
  })

  it.each([
    ...[null, undefined, '', '/', '/acme', '/acme/', '/acme/shop/', '/acme/shop#x', 'acme/shop', '/acme/..'],
    ...['/-/session', '/-/r/session', '/api/v1', '/docs/style.css', '/-/r/acme/..', '/acme/shop?a b'],
  ])('is the start page for %s', (to) => {
    expect(returnPath(to)).toBe('/')
  })

  it('is never on another site, whatever was requested', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '?',
      '#',
      '@',
      ':',
      '%2F',
      '%5C',
      '\t',
      '\n',
      'a',
      'evil.example',
      'https:',
    )
    const texts = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    )
    fc.assert(
      fc.property(texts, fc.constantFrom('', '/', '/a/b', '/a/b?', '/-/r/a/b'), (text, before) => {
        const to = returnPath(before + text)
        const found = new URL(to, `${service}/-/callback`)
        expect(found.origin).toBe(service)
        expect(found.pathname === '/' || repositoryOfPath(found.pathname) !== undefined).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })
})
