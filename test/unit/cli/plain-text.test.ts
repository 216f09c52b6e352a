import { assert, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readArgs } from '../../../src/cli/args.ts'
import { flagOf } from '../../../src/cli/client/api.ts'
import { homeRepository, parseGitConfig } from '../../../src/cli/git/git-config.ts'
import { readStatus } from '../../../src/cli/git/git-status.ts'
import { plain, plainGlob, safeJson, when } from '../../../src/cli/plain-text.ts'

const unsafe = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

describe('what is printed', () => {
  it('has one line and nothing that moves the cursor or turns the text around', () => {
    assert(
      property(string({ unit: 'binary' }), (text) => {
        expect(plain(text)).not.toMatch(unsafe)
      }),
    )
    expect(plain('a\n\tb \u001b[31mc\u202e d 👩‍💻')).toBe('a b [31mc d 👩‍💻')
  })

  it('is the same JSON where it is for machines, and as safe', () => {
    assert(
      property(string({ unit: 'binary' }), (text) => {
        const json = safeJson({ text })
        expect(JSON.parse(json)).toEqual({ text })
        expect(json.replaceAll('\n', '')).not.toMatch(unsafe)
      }),
    )
  })

  it('tells how far a time is', () => {
    const now = Date.parse('2026-11-20T00:00:00Z')
    expect(when('2026-11-20T00:05:00Z', now)).toBe('in 5 min')
    expect(when('2026-11-19T21:00:00Z', now)).toBe('3 h ago')
    expect(when('2026-11-27T00:00:00Z', now)).toBe('in 7 days')
  })

  it.each([
    ['app/\\[id\\]/page.tsx', 'app/[id]/page.tsx'],
    ['app/\\(shop\\)/**', 'app/(shop)/**'],
    ['\\{\\{name\\}\\}/a\u001b.ts', '{{name}}/a.ts'],
    ['app/\\[id\\]/*.tsx', 'app/\\[id\\]/*.tsx'],
    ['app/[ab]/\\(x\\).ts', 'app/[ab]/\\(x\\).ts'],
    ['src/{a,b}/\\[x\\].ts', 'src/{a,b}/\\[x\\].ts'],
    ['src/\\*.ts', 'src/\\*.ts'],
    ['src/**', 'src/**'],
  ])('has no escapes in a glob that is a mere path: %s', (glob, shown) => {
    expect(plainGlob(glob)).toBe(shown)
  })

  it('names the flag of a field', () => {
    expect(['pr_url', 'scope.areas[1]', 'scope.paths[0]', 'base_branch'].map(flagOf)).toEqual([
      '--pr-url',
      '--area',
      'the paths',
      '--base',
    ])
  })
})

describe('the arguments', () => {
  const options = {
    title: { type: 'string', short: 't', help: '' },
    tag: { type: 'string', multiple: true, help: '' },
    draft: { type: 'boolean', help: '' },
    'no-draft': { type: 'boolean', help: '' },
  } as const

  it('may come in any order, paths after -- too', () => {
    const args = readArgs(['a', '--title', 'x', '--no-draft', '--', '--b'], options, 'start')
    expect([args.positionals, args.text('title'), args.flag('draft')]).toEqual([['a', '--b'], 'x', false])
  })

  it.each([
    [['--frob'], '--frob'],
    [['-x'], '-x'],
    [['--title'], '--title'],
    [['--title', ''], '--title'],
    [['--draft=yes'], '--draft'],
  ])('that are at fault are named: %j', (argv, flag) => {
    expect(() => readArgs(argv, options, 'start')).toThrow(flag)
  })

  it.each([
    [['--title', 'a', '-t', 'b'], '--title is given twice.'],
    [['--draft', '--no-draft'], '--draft and --no-draft exclude each other.'],
    [['--draft', '--draft'], '--draft is given twice.'],
  ])('that contradict each other are refused: %j', (argv, said) => {
    expect(() => readArgs(argv, options, 'start')).toThrow(said)
  })

  it('may be repeated where the flag is one of several', () => {
    expect(readArgs(['--tag', 'a', '--tag', 'b'], options, 'start').texts('tag')).toEqual(['a', 'b'])
  })
})

describe('what git says', () => {
  it('of the status is read with every kind of entry', () => {
    const entries = [
      '# branch.oid abc',
      '# branch.head feat/a b',
      '1 .M N... 100644 100644 100644 a a with space.ts',
      '2 R. N... 100644 100644 100644 a a R100 new.ts',
      'old.ts',
      'u UU N... 100644 100644 100644 100644 a b c both.ts',
      '? new file.ts',
    ]
    expect(readStatus(`${entries.join('\0')}\0`)).toEqual({
      branch: 'feat/a b',
      hasCommits: true,
      paths: ['with space.ts', 'new.ts', 'old.ts', 'both.ts', 'new file.ts'],
    })
  })

  const config = (...lines: string[]) => parseGitConfig(lines.map((line) => `${line.replace('=', '\n')}\0`).join(''))
  const found = (...lines: string[]) => homeRepository(config(...lines))?.owner

  it('of the remotes leads to the one that the work belongs to', () => {
    const origin = 'remote.origin.url=git@github.com:fork/web'
    const upstream = 'remote.upstream.url=https://github.com/acme/web'
    expect(found(origin)).toBe('fork')
    expect(found(origin, upstream)).toBe('acme')
    expect(found(origin, upstream, 'remote.origin.gh-resolved=base')).toBe('fork')
    expect(found(origin, upstream, 'headsup.repository=other/web')).toBe('other')
    expect(found('remote.x.url=git@github.com:only/web')).toBe('only')
    expect(found('remote.x.url=git@github.com:a/web', 'remote.y.url=git@github.com:b/web')).toBeUndefined()
  })

  it('is read with the shorthands of url.….insteadOf', () => {
    expect(found('remote.origin.url=gh:acme/web', 'url.git@github.com:.insteadof=gh:')).toBe('acme')
  })
})
