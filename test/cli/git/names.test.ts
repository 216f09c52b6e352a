import { describe, expect, it } from 'vitest'
import { configOf, parseEntries } from '../../../src/cli/git/config.ts'
import { issueOfBranch } from '../../../src/cli/git/issue.ts'
import { readRemoteUrl } from '../../../src/cli/git/remote-url.ts'

describe('§14 the repository of a remote', () => {
  it.each([
    'https://github.com/acme/shop',
    'https://github.com/acme/shop.git',
    'https://github.com/acme/shop/',
    'https://alice@github.com/acme/shop.git',
    'https://alice:secret@github.com:443/acme/shop.git',
    'HTTPS://GitHub.com/acme/shop.git',
    'ssh://git@github.com/acme/shop.git',
    'ssh://git@github.com:22/acme/shop.git/',
    'git@github.com:acme/shop.git',
    'git@github.com:acme/shop',
    'github.com:acme/shop.git',
    'git://github.com/acme/shop.git',
  ])('is read of %s', (url) => {
    expect(readRemoteUrl(url)).toEqual({ host: 'github.com', owner: 'acme', name: 'shop' })
  })

  it.each([
    '/srv/git/acme/shop.git',
    '../shop',
    'file:///srv/acme/shop',
    'C:\\work\\shop',
    'https://github.com/acme',
    'https://github.com/acme/..',
    'https://github.com/a/b/c',
    'ext::sh -c touch% /tmp/x',
  ])('is none in %s', (url) => {
    expect(readRemoteUrl(url)).toBeUndefined()
  })

  it('is the one behind the longest insteadOf', () => {
    const config = configOf([
      { scope: 'local', key: 'remote.origin.url', value: 'gh:acme/shop' },
      { scope: 'global', key: 'url.https://example.com/.insteadof', value: 'g' },
      { scope: 'global', key: 'url.git@github.com:.insteadof', value: 'gh:' },
    ])
    expect(config.remotes).toEqual([{ name: 'origin', url: 'git@github.com:acme/shop', chosen: undefined }])
  })

  it('keeps the settings of the user apart from those of a clone', () => {
    const output =
      'global\0headsup.url\nhttps://a\0local\0headsup.url\nhttps://b\0local\0filter.a=b.clean\nx\0local\0core.bare\0'
    const config = configOf(parseEntries(output))
    expect(config.get('headsup.url')).toBe('https://b')
    expect(config.getGlobal('headsup.url')).toBe('https://a')
    expect(config.filters).toEqual(['a=b'])
  })
})

describe('§14 the issue of a branch', () => {
  it.each([
    ['issue-42', 42],
    ['fix/issue-42', 42],
    ['gh-7', 7],
    ['GH-7', 7],
    ['issues/42', 42],
    ['alice/issues/42', 42],
    ['42-add-cart', 42],
    ['feat/42-é', 42],
    ['issue-42-add-cart', 42],
  ])('is read of %s', (branch, number) => {
    expect(issueOfBranch(branch)).toBe(number)
  })

  it.each([
    'main',
    '42',
    '7-0-stable',
    'v4.2',
    '42-',
    'issue-0',
    '42-add/cart',
    'tissue-42',
    '2026-11-20',
    '9999999999-x',
  ])('is none in %s', (branch) => {
    expect(issueOfBranch(branch)).toBeUndefined()
  })
})
