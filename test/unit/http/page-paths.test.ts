import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pagePathOf, repositoryInText, repositoryOfPath } from '../../../src/core/page-paths.ts'

describe('the path of a page', () => {
  it.each([
    ['/acme/shop', { owner: 'acme', repo: 'shop' }],
    ['/acme/.github', { owner: 'acme', repo: '.github' }],
    ['/-/r/api/shop', { owner: 'api', repo: 'shop' }],
    ['/-/r/acme/shop', { owner: 'acme', repo: 'shop' }],
    ['/api/v1', undefined],
    ['/docs/style.css', undefined],
    ['/MCP/x', undefined],
    ['/-/headsup.mjs', undefined],
    ['/acme/..', undefined],
    ['/acme', undefined],
    ['/acme/shop/', undefined],
    ['/acme/shop/pulls', undefined],
    ['/a%2Fb/c', undefined],
  ])('%s is that of %j', (path, repository) => {
    expect(repositoryOfPath(path)).toEqual(repository)
  })

  it('leads back to the same repository, whoever owns it', () => {
    const owner = fc.oneof(fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/), fc.constantFrom('api', 'Docs', 'mcp', 'readyz'))
    const repo = fc.stringMatching(/^[A-Za-z0-9._-]{1,20}$/).filter((name) => !/^\.\.?$/.test(name))
    fc.assert(
      fc.property(fc.record({ owner, repo }), (repository) => {
        expect(repositoryOfPath(pagePathOf(repository))).toEqual(repository)
      }),
    )
  })
})

it.each([
  ['acme/shop', 'acme shop'],
  [' https://github.com/acme/shop.git ', 'acme shop'],
  ['git@github.com:acme/shop.git', 'acme shop'],
  ['https://github.com/acme/shop/', 'acme shop'],
  ['acme', undefined],
  ['acme/..', undefined],
  ['a/b/c', undefined],
])('reads the repository of %s: %s', (text, name) => {
  const found = repositoryInText(text)
  expect(found && `${found.owner} ${found.repo}`).toBe(name)
})
