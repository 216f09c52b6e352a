import { describe, expect, it } from 'vitest'
import { createPermissionCache, type Visibility } from '../../../../src/github/access/permission-cache.ts'

function cacheOf(permissionCacheMs = 60_000, entries = 100) {
  const clock = { now: 1_000_000 }
  const cache = createPermissionCache({ permissionCacheMs, entries, now: () => clock.now })
  const keep = (tokenKey: string, nameKey: string, sight: Visibility) =>
    cache.keepVisibility({ tokenKey, nameKey, sight, askedAt: clock.now })
  const keepWrite = (tokenKey: string, repositoryId: bigint, mayWrite: boolean, nameKey = 'a/b') =>
    cache.keepWrite({ tokenKey, nameKey, repositoryId, mayWrite, askedAt: clock.now })
  const believed = (tokenKey: string, nameKey: string) => cache.sight(tokenKey, nameKey)?.believed ?? null
  return { clock, cache, keep, keepWrite, believed }
}

function seen(id: bigint, fullName: string): Visibility {
  const [owner = '', name = ''] = fullName.split('/')
  return {
    kind: 'seen',
    repository: { id, owner, name, defaultBranch: 'main' },
    push: true,
    etag: '"1"',
  }
}
const invisible: Visibility = { kind: 'invisible' }
const sso: Visibility = { kind: 'sso_required', sso: 'required' }

describe('the permission cache', () => {
  it('believes what a token saw for as long as it is told, then keeps it for its ETag', () => {
    const { clock, cache, keep } = cacheOf(60_000)
    keep('t', 'a/b', seen(1n, 'A/b'))
    clock.now += 59_999
    expect(cache.sight('t', 'a/b')).toEqual({ sight: seen(1n, 'A/b'), believed: true })
    clock.now += 1
    expect(cache.sight('t', 'a/b')).toEqual({ sight: seen(1n, 'A/b'), believed: false })
  })

  it('believes nothing where it may not believe', () => {
    const { keep, believed } = cacheOf(0)
    keep('t', 'a/b', seen(1n, 'a/b'))
    keep('t', 'a/c', invisible)
    expect([believed('t', 'a/b'), believed('t', 'a/c')]).toEqual([false, false])
  })

  it.each([
    ['a 404', invisible],
    ['single sign-on', sso],
  ])('believes %s for 10 s', (_, sight) => {
    const { clock, keep, believed } = cacheOf(3_600_000)
    keep('t', 'a/b', sight)
    clock.now += 9_999
    expect(believed('t', 'a/b')).toBe(true)
    clock.now += 1
    expect(believed('t', 'a/b')).toBe(false)
  })

  it('believes no 404 longer than a permission', () => {
    const { clock, keep, believed } = cacheOf(2_000)
    keep('t', 'a/b', invisible)
    clock.now += 2_000
    expect(believed('t', 'a/b')).toBe(false)
  })

  it.each([0, 60_000])('keeps a yes to writing 10 minutes and a no 60 s, with a permission cache of %i ms', (ms) => {
    const { clock, cache, keepWrite } = cacheOf(ms)
    keepWrite('t', 1n, true)
    keepWrite('t', 2n, false)
    clock.now += 59_999
    expect([cache.mayWrite('t', 1n), cache.mayWrite('t', 2n)]).toEqual([true, false])
    clock.now += 1
    expect([cache.mayWrite('t', 1n), cache.mayWrite('t', 2n)]).toEqual([true, null])
    clock.now += 539_999
    expect(cache.mayWrite('t', 1n)).toBe(true)
    clock.now += 1
    expect(cache.mayWrite('t', 1n)).toBeNull()
  })

  it('believes nothing longer because the clock was set back', () => {
    const { clock, cache, keep, keepWrite, believed } = cacheOf()
    keep('t', 'a/b', seen(1n, 'a/b'))
    keepWrite('t', 1n, true)
    clock.now -= 3_600_000
    expect([believed('t', 'a/b'), cache.mayWrite('t', 1n)]).toEqual([false, null])
  })

  it('lets no token see what another one saw', () => {
    const { cache, keep, keepWrite, believed } = cacheOf()
    keep('t', 'a/b', seen(1n, 'a/b'))
    keepWrite('t', 1n, true)
    expect([believed('u', 'a/b'), cache.mayWrite('u', 1n), cache.mayWrite('t', 2n)]).toEqual([null, null, null])
  })

  it('forgets the least recently used first', () => {
    const { keep, believed } = cacheOf(60_000, 2)
    keep('t', 'a/1', seen(1n, 'a/1'))
    keep('t', 'a/2', seen(2n, 'a/2'))
    believed('t', 'a/1')
    keep('t', 'a/3', seen(3n, 'a/3'))
    expect([believed('t', 'a/1'), believed('t', 'a/2'), believed('t', 'a/3')]).toEqual([true, null, true])
  })

  describe('forgets', () => {
    function filled() {
      const parts = cacheOf()
      for (const token of ['t', 'u']) {
        parts.keep(token, 'acme/one', seen(1n, 'Acme/one'))
        parts.keep(token, 'old/one', seen(1n, 'Acme/one'))
        parts.keep(token, 'acme/two', seen(2n, 'Acme/two'))
        parts.keep(token, 'acme/gone', invisible)
        parts.keep(token, 'other/three', seen(3n, 'other/three'))
        parts.keepWrite(token, 1n, true, 'acme/one')
        parts.keepWrite(token, 2n, true, 'acme/two')
        parts.keepWrite(token, 3n, true, 'other/three')
      }
      const left = (token: string) => [
        ...['acme/one', 'old/one', 'acme/two', 'acme/gone', 'other/three'].filter((name) =>
          parts.believed(token, name),
        ),
        ...[1n, 2n, 3n].filter((id) => parts.cache.mayWrite(token, id)),
      ]
      return { ...parts, left }
    }

    it('everything of a token', () => {
      const { cache, left } = filled()
      cache.forgetToken('t')
      expect(left('t')).toEqual([])
      expect(left('u')).toHaveLength(8)
    })

    it('a repository by its id, under whatever name it was asked for', () => {
      const { cache, left } = filled()
      cache.forgetRepository(1n, [])
      expect(left('t')).toEqual(['acme/two', 'acme/gone', 'other/three', 2n, 3n])
      expect(left('u')).toEqual(left('t'))
    })

    it('a 404 by name', () => {
      const { cache, left } = filled()
      cache.forgetRepository(9n, ['acme/gone'])
      expect(left('t')).toEqual(['acme/one', 'old/one', 'acme/two', 'other/three', 1n, 2n, 3n])
    })

    it('all repositories of an owner, also those asked for under an older name', () => {
      const { cache, left } = filled()
      cache.forgetOwner('ACME')
      expect(left('t')).toEqual(['other/three', 3n])
    })

    it('what was asked for under an owner that it has left', () => {
      const { cache, left } = filled()
      cache.forgetOwner('old')
      expect(left('t')).toEqual(['acme/one', 'acme/two', 'acme/gone', 'other/three', 1n, 2n, 3n])
    })

    it('no other owner whose name begins alike', () => {
      const { cache, left } = filled()
      cache.forgetOwner('acm')
      expect(left('t')).toHaveLength(8)
    })

    it('all of very many', () => {
      const { cache, keep, believed } = cacheOf(60_000, 1_000)
      for (let i = 0; i < 1_000; i++) keep('t', `acme/${i}`, i % 3 === 0 ? invisible : seen(BigInt(i), `acme/${i}`))
      cache.forgetOwner('acme')
      expect(
        Array.from({ length: 1_000 }, (_, i) => believed('t', `acme/${i}`)).every((answer) => answer === null),
      ).toBe(true)
    })
  })
})
