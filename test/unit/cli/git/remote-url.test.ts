import { describe, expect, it } from 'vitest'
import { readRemoteUrl, readRepositoryName } from '../../../../src/cli/git/remote-url.ts'

describe('the repository of a remote', () => {
  it.each([
    ['https://github.com/acme/web', 'github.com'],
    ['https://github.com/acme/web.git', 'github.com'],
    ['https://github.com/acme/web.git/', 'github.com'],
    ['https://user:secret@github.com/acme/web.git', 'github.com'],
    ['https://github.acme.example:8443/acme/web.git', 'github.acme.example'],
    ['http://ghes.example/acme/web', 'ghes.example'],
    ['git@github.com:acme/web.git', 'github.com'],
    ['git@github.com:/acme/web.git', 'github.com'],
    ['github.com:acme/web', 'github.com'],
    ['org-1234@github.com:acme/web.git', 'github.com'],
    ['git@work-alias:acme/web.git', 'work-alias'],
    ['ssh://git@github.com/acme/web.git', 'github.com'],
    ['ssh://git@ssh.github.com:443/acme/web.git', 'ssh.github.com'],
    ['git://GitHub.com/acme/web.git', 'github.com'],
  ])('is read from %s', (url, host) => {
    expect(readRemoteUrl(url)).toEqual({ host, owner: 'acme', name: 'web' })
  })

  it('keeps dots within a name', () => {
    expect(readRemoteUrl('git@github.com:acme/web.site.git')).toMatchObject({ name: 'web.site' })
    expect(readRemoteUrl('https://github.com/acme/.github')).toMatchObject({ name: '.github' })
  })

  it.each([
    '/srv/git/web.git',
    '../web',
    'file:///srv/acme/web',
    'C:\\code\\web',
    'C:/acme/web',
    'https://github.com/acme',
    'https://gitlab.com/acme/web.git',
    'git@bitbucket.org:acme/web.git',
    'git@ssh.dev.azure.com:acme/web',
    '',
  ])('is not read from %s', (url) => {
    expect(readRemoteUrl(url)).toBeUndefined()
  })

  it.each(['https://github.com/a/b/c', 'https://github.com/acme/..', 'https://github.com/ac%2fme/web'])(
    'must be exactly an owner and a name: %s',
    (url) => {
      expect(readRemoteUrl(url)).toBeUndefined()
    },
  )

  it('may be owner/name in --repo', () => {
    expect(readRepositoryName('acme/web')).toMatchObject({ owner: 'acme', name: 'web' })
    expect(readRepositoryName('acme')).toBeUndefined()
  })
})
