import { describe, expect, it } from 'vitest'
import { repositoryOfRemote } from '../../../../src/service/api/http/server/startup-message.ts'

describe('the repository of a remote', () => {
  it.each([
    'git@github.com:octocat/Hello-World.git',
    'https://github.com/octocat/Hello-World',
    'https://someone@github.com/octocat/Hello-World.git/',
    'ssh://git@github.com:22/octocat/Hello-World.git',
    'git://GitHub.com/octocat/Hello-World',
  ])('is read from %s', (remote) => {
    expect(repositoryOfRemote(remote, 'github.com')).toBe('octocat/Hello-World')
  })

  it.each([
    '/srv/git/octocat/hello',
    '../octocat/hello',
    'https://gitlab.com/octocat/hello',
    'git@github.com:only-one',
    '',
  ])('is undefined for %j', (remote) => {
    expect(repositoryOfRemote(remote, 'github.com')).toBeUndefined()
  })
})
