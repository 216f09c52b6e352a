import { describe, expect, it } from 'vitest'
import { isRepositoryName, repositoryNameKey } from '../../../src/core/repository-names.ts'
import { canBeToken, needsWriteProbe } from '../../../src/core/user-tokens.ts'

describe('names of repositories', () => {
  it.each([
    ['octocat', 'hello-world'],
    ['a', 'b'],
    ['Some_Org-1', 'repo.with.dots'],
    ['x'.repeat(100), 'y'.repeat(100)],
    ['octocat', '.github'],
    ['octocat', '...'],
    ['octocat', '-_.'],
  ])('takes %s/%s', (owner, repo) => {
    expect(isRepositoryName(owner, repo)).toBe(true)
  })

  it.each([
    ['octocat', '.'],
    ['octocat', '..'],
    ['..', 'user'],
    ['.', 'user'],
    ['a.b', 'repo'],
    ['', 'repo'],
    ['octocat', ''],
    ['x'.repeat(101), 'repo'],
    ['octocat', 'y'.repeat(101)],
    ['octocat', '../user'],
    ['octocat', '..%2fuser'],
    ['octocat', 'a/b'],
    ['octocat', 'a b'],
    ['octocat', 'repo\n'],
    ['octocat\n', 'repo'],
    ['octocat', 'a?b'],
    ['octocat', 'a#b'],
    ['octocat', 'a\\b'],
    ['octocat', 'a\0'],
    ['öctocat', 'repo'],
    ['octocat', 'rëpo'],
    ['octocat', '{repo}'],
  ])('refuses %j/%j', (owner, repo) => {
    expect(isRepositoryName(owner, repo)).toBe(false)
  })

  it('compares without regard to case', () => {
    expect(repositoryNameKey('OctoCat', 'Hello-World')).toBe(repositoryNameKey('octocat', 'hello-world'))
  })
})

describe('tokens', () => {
  it.each([
    'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
    'x',
    '0123456789abcdef0123456789abcdef01234567',
    'github_pat_11AAAAAAA0abc',
    'ghs_1.eyJhbGciOiJIUzI1NiJ9.abc-_/+~=',
    '!"#$%&()*',
    'x'.repeat(8192),
  ])('accepts the alphabet and length of %j', (token) => {
    expect(canBeToken(token)).toBe(true)
  })

  it.each([
    '',
    'a b',
    ' a',
    'a\tb',
    'a\r\nX-Injected: 1',
    'a\n',
    'a\0',
    'a\x7f',
    'tökén',
    'tok\u{1f511}en',
    'a\ud800',
    'x'.repeat(8193),
    'x'.repeat(10_240),
  ])('does not let %j near a header', (token) => {
    expect(canBeToken(token)).toBe(false)
  })

  it('recognises by the prefix the tokens whose permissions GitHub shows wrong', () => {
    expect(['ghs_x', 'ghs_', 'github_pat_x'].map(needsWriteProbe)).toEqual([true, true, true])
    expect(['ghp_x', 'gho_x', 'ghu_x', 'xghs_', 'GHS_x', 'github_pa', 'x'].some(needsWriteProbe)).toBe(false)
  })
})
