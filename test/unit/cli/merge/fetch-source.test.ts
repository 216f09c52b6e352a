import { describe, expect, it } from 'vitest'
import { parseGitConfig } from '../../../../src/cli/git/git-config.ts'
import { findFetchSource } from '../../../../src/cli/merge/git/fetch-source.ts'
import { NotTried } from '../../../../src/cli/merge/merge-result.ts'
import { readMergeLimits } from '../../../../src/cli/merge/try-merges.ts'

const ssh = 'git@github.com:acme/app.git'

function sourceOf({ url = ssh, merge = '', server = 'https://github.com', repository = 'acme/app' }) {
  const settings = [['remote.origin.url', url], ...(merge ? [['headsup.merge', merge]] : [])]
  const config = parseGitConfig(settings.map(([key, value]) => `${key}\n${value}\0`).join(''))
  try {
    const found = findFetchSource({ config, repository, githubServer: new URL(server), token: 'secret' })
    return { ...found, url: String(found.url) }
  } catch (error) {
    if (error instanceof NotTried) return error.reason
    throw error
  }
}

describe('heads are fetched', () => {
  const https = { transport: 'https', url: 'https://github.com/acme/app.git', token: 'secret' }

  it("from the service's GitHub by https, wherever the remote is and whatever login it names", () => {
    expect(sourceOf({})).toEqual(https)
    expect(sourceOf({ url: 'https://user:password@elsewhere.example/acme/app' })).toEqual(https)
  })

  it('without https only from a loopback address', () => {
    expect(sourceOf({ server: 'http://127.0.0.1:3000' })).toMatchObject({ url: 'http://127.0.0.1:3000/acme/app.git' })
    expect(sourceOf({ server: 'http://github.example' })).toBe('access')
    expect(sourceOf({ server: 'ftp://127.0.0.1' })).toBe('access')
  })

  it('by ssh only where the setting says so, from the same GitHub', () => {
    expect(sourceOf({ merge: 'ssh' })).toEqual({ transport: 'ssh', url: ssh })
    expect(sourceOf({ merge: 'ssh', url: 'ssh://git@ssh.github.com:443/acme/app' })).toMatchObject({ transport: 'ssh' })
    expect(sourceOf({ merge: 'ssh', url: 'https://github.com/acme/app' })).toBe('no_remote')
    expect(sourceOf({ merge: 'ssh', url: 'git@elsewhere.example:acme/app' })).toBe('no_remote')
    expect(sourceOf({ merge: 'ssh', url: '-oProxyCommand=x:acme/app' })).toBe('no_remote')
  })

  it('not at all where the setting says so, or for a repository that is none', () => {
    expect(['false', 'off', 'NO', '0'].map((merge) => sourceOf({ merge }))).toEqual(['off', 'off', 'off', 'off'])
    expect(sourceOf({ repository: '../app' })).toBe('no_remote')
  })
})

it('a try takes three seconds, or what HEADSUP_MERGE_LIMIT_MS says', () => {
  const limitOf = (text: string) => readMergeLimits({ env: { HEADSUP_MERGE_LIMIT_MS: text } }).milliseconds
  expect(['', '500', '99999', '0', '-1', '1e3', '100000'].map(limitOf)).toEqual([
    3000, 500, 99999, 3000, 3000, 3000, 3000,
  ])
})
