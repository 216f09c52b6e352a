import { describe, expect, it } from 'vitest'
import { homeRepository, parseGitConfig } from '../../../../src/cli/git/git-config.ts'

describe('the home repository', () => {
  const config = (...lines: string[]) => parseGitConfig(lines.map((line) => `${line.replace('=', '\n')}\0`).join(''))
  const owner = (...lines: string[]) => homeRepository(config(...lines))?.owner

  it('is that of gh, upstream, origin, or the only remote, unless a setting names it', () => {
    const origin = 'remote.origin.url=git@github.com:fork/web'
    const upstream = 'remote.upstream.url=https://github.com/acme/web'
    expect(owner(origin)).toBe('fork')
    expect(owner(origin, upstream)).toBe('acme')
    expect(owner(origin, upstream, 'remote.origin.gh-resolved=base')).toBe('fork')
    expect(owner(origin, upstream, 'headsup.repository=other/web')).toBe('other')
    expect(owner('remote.x.url=git@github.com:only/web')).toBe('only')
    expect(owner('remote.x.url=git@github.com:a/web', 'remote.y.url=git@github.com:b/web')).toBeUndefined()
  })

  it('is found through url.….insteadOf', () => {
    expect(owner('remote.origin.url=gh:acme/web', 'url.git@github.com:.insteadof=gh:')).toBe('acme')
  })
})
