import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { actsOn, commandsFor, diffLink, messageFor } from '../../../src/core/texts/sentence/acts.ts'
import { codePoint } from '../../support/arbitrary/code-point.ts'
import { activity, pair } from '../page/records.ts'

const pull = activity({ source: 'pull_request', pr_url: 'https://github.com/acme/shop/pull/41', branch: 'fix/limit' })
const repository = 'https://github.com/acme/shop'
const pathHash = 'a'.repeat(64)
const at = (status: 'modified' | 'added', lines: [number, number][] | null) => ({
  ...{ path: 'src/a.ts', pathHash, file: { status, lines } },
})

describe('the link to their lines', () => {
  it.each([
    [at('modified', [[120, 164]]), `#diff-${pathHash}L120-L164`],
    [at('modified', [[7, 7]]), `#diff-${pathHash}L7`],
    [
      at('modified', [
        [1, 2],
        [130, 140],
      ]),
      `#diff-${pathHash}L130-L140`,
    ],
    [at('modified', [[0, 1]]), `#diff-${pathHash}`],
    [at('added', [[1, 9]]), `#diff-${pathHash}`],
    [{ path: 'src/a.ts', pathHash, file: undefined }, `#diff-${pathHash}`],
    [{ path: 'src/a.ts', pathHash: undefined, file: undefined }, ''],
  ])('names the file and the lines of the old side: %j', (file, anchor) => {
    expect(diffLink(pull, repository, file, [[135, 138]])).toBe(`https://github.com/acme/shop/pull/41/files${anchor}`)
  })

  it('compares a recorded branch, with names that cannot end the path', () => {
    const work = { pr_url: null, branch: 'feat/a?b#c', base_branch: 'main' }
    expect(diffLink(work, repository)).toBe('https://github.com/acme/shop/compare/main...feat%2Fa%3Fb%23c')
    expect(diffLink({ ...work, branch: null }, repository)).toBeUndefined()
    expect(diffLink({ ...work, pr_url: 'javascript:alert(1)//a/b/pull/1', branch: null }, repository)).toBeUndefined()
  })
})

describe('what is copied', () => {
  const hostile = [
    ['$(curl$', '{IFS}x|sh)'].join(''),
    ';id',
    'a\nb',
    '`id`',
    '-u',
    '../x',
    'a&&b',
    "a'b",
    'a"b',
    'a b',
    '\u202Ea',
    'a|b',
  ]

  it('fetches by the number of the pull request, and names the file', () => {
    expect(commandsFor(pull, 'src/a.ts')).toBe(
      'git fetch origin pull/41/head && git diff HEAD...FETCH_HEAD -- src/a.ts',
    )
  })

  it('fetches a pushed branch by its commit, and a recorded one by a name that is only a name', () => {
    const changes = { by: 'github' as const, head_sha: 'b'.repeat(40), files_total: 1, files_compared: 1, read_at: '' }
    expect(commandsFor(activity({ source: 'branch', changes }), null)).toContain(`origin ${'b'.repeat(40)} `)
    expect(commandsFor(activity({ branch: 'feat/x' }), null)).toContain('origin feat/x ')
    expect(commandsFor(activity({ branch: null }), null)).toBeUndefined()
  })

  it.each(hostile)('holds nothing of %j', (name) => {
    expect(commandsFor(activity({ branch: name }), name)).toBeUndefined()
    expect(commandsFor({ ...pull, branch: name }, name)).toBe(
      'git fetch origin pull/41/head && git diff HEAD...FETCH_HEAD',
    )
    const facts = { author_login: name, actor: name, branch: name }
    const own = { pair: pair({ example_path: name, areas: [name] }), mine: activity(facts), theirs: activity(facts) }
    const message = messageFor({ ...own, areBothMine: false })
    if (name !== 'a b' && name !== "a'b") expect(message).toBe('we both change the same files. Who goes first?')
    expect(message).not.toMatch(/[$;`|&"\n\u202E]/)
  })

  it('is one command of git for a shell, whatever the names are', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), fc.string(), (branch, file) => {
        const text = commandsFor(activity({ branch }), file)
        expect(text ?? 'git').toMatch(/^git[\w ./-]*( && git diff HEAD\.\.\.FETCH_HEAD[\w ./-]*)?$/)
      }),
    )
    const text = commandsFor(pull, 'src/a.ts') ?? ''
    execFileSync('sh', ['-n', '-c', text])
  })

  it('names the issue where no file is shared', () => {
    const onIssue = { ...pair({ example_path: null }), issues: [42, 43] }
    const own = { pair: onIssue, mine: activity(), theirs: { ...pull, author_login: 'carla' }, areBothMine: false }
    expect(messageFor(own)).toBe('@carla we both work on issues #42 and #43 (feat/login and #41). Who goes first?')
  })

  it('says to whom, where, and on which work', () => {
    const own = {
      pair: pair({ lines: [[130, 133]] }),
      mine: activity(),
      theirs: { ...pull, author_login: 'carla' },
      areBothMine: false,
    }
    expect(messageFor(own)).toBe(
      '@carla we both change src/auth/login.ts, lines 130–133 (feat/login and #41). Who goes first?',
    )
    expect(messageFor({ ...own, pair: { ...own.pair, same_change: true } })).toBe(
      '@carla we both make the same change (feat/login and #41). Which of the two do we keep?',
    )
    expect(actsOn({ ...own, theirs: undefined }, repository)).toEqual([])
  })
})
