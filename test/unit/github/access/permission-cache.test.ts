import { describe, expect, it } from 'vitest'
import { createPermissionCache, type Visibility } from '../../../../src/github/access/permission-cache.ts'

function cacheOf(permissionCacheMs = 60_000, entries = 100) {
  const clock = { now: 1_000_000 }
  const cache = createPermissionCache({ permissionCacheMs, entries, now: () => clock.now })
  const save = (tokenKey: string, nameKey: string, visibility: Visibility) =>
    cache.saveVisibility({ tokenKey, nameKey, visibility, requestedAt: clock.now })
  const saveWrite = (tokenKey: string, repositoryId: bigint, mayWrite: boolean, nameKey = 'a/b') =>
    cache.saveWrite({ tokenKey, nameKey, repositoryId, mayWrite, requestedAt: clock.now })
  const isFresh = (tokenKey: string, nameKey: string) => cache.visibility(tokenKey, nameKey)?.isFresh ?? null
  return { clock, cache, save, saveWrite, isFresh }
}

function visible(id: bigint, fullName: string): Visibility {
  const [owner = '', name = ''] = fullName.split('/')
  return {
    kind: 'visible',
    repository: { id, owner, name, defaultBranch: 'main', isPublic: false, parent: null },
    push: true,
    etag: '"1"',
  }
}
const invisible: Visibility = { kind: 'invisible' }
const sso: Visibility = { kind: 'sso_required', sso: 'required' }

describe('the permission cache', () => {
  it('holds a visible repository for its time, then keeps it for its ETag', () => {
    const { clock, cache, save } = cacheOf(60_000)
    save('t', 'a/b', visible(1n, 'A/b'))
    clock.now += 59_999
    expect(cache.visibility('t', 'a/b')).toEqual({ visibility: visible(1n, 'A/b'), isFresh: true })
    clock.now += 1
    expect(cache.visibility('t', 'a/b')).toEqual({ visibility: visible(1n, 'A/b'), isFresh: false })
  })

  it('holds nothing with a time of 0', () => {
    const { save, isFresh } = cacheOf(0)
    save('t', 'a/b', visible(1n, 'a/b'))
    save('t', 'a/c', invisible)
    expect([isFresh('t', 'a/b'), isFresh('t', 'a/c')]).toEqual([false, false])
  })

  it.each([
    ['a 404', invisible],
    ['single sign-on', sso],
  ])('holds %s for 10 s', (_, visibility) => {
    const { clock, save, isFresh } = cacheOf(3_600_000)
    save('t', 'a/b', visibility)
    clock.now += 9_999
    expect(isFresh('t', 'a/b')).toBe(true)
    clock.now += 1
    expect(isFresh('t', 'a/b')).toBe(false)
  })

  it('holds a 404 no longer than a visible repository', () => {
    const { clock, save, isFresh } = cacheOf(2_000)
    save('t', 'a/b', invisible)
    clock.now += 2_000
    expect(isFresh('t', 'a/b')).toBe(false)
  })

  it.each([0, 60_000])(
    'holds write access for 10 minutes and its absence for 60 s, with a permission cache of %i ms',
    (ms) => {
      const { clock, cache, saveWrite } = cacheOf(ms)
      saveWrite('t', 1n, true)
      saveWrite('t', 2n, false)
      clock.now += 59_999
      expect([cache.mayWrite('t', 1n), cache.mayWrite('t', 2n)]).toEqual([true, false])
      clock.now += 1
      expect([cache.mayWrite('t', 1n), cache.mayWrite('t', 2n)]).toEqual([true, null])
      clock.now += 539_999
      expect(cache.mayWrite('t', 1n)).toBe(true)
      clock.now += 1
      expect(cache.mayWrite('t', 1n)).toBeNull()
    },
  )

  it('holds nothing longer when the clock is set back', () => {
    const { clock, cache, save, saveWrite, isFresh } = cacheOf()
    save('t', 'a/b', visible(1n, 'a/b'))
    saveWrite('t', 1n, true)
    clock.now -= 3_600_000
    expect([isFresh('t', 'a/b'), cache.mayWrite('t', 1n)]).toEqual([false, null])
  })

  it('keeps tokens apart', () => {
    const { cache, save, saveWrite, isFresh } = cacheOf()
    save('t', 'a/b', visible(1n, 'a/b'))
    saveWrite('t', 1n, true)
    expect([isFresh('u', 'a/b'), cache.mayWrite('u', 1n), cache.mayWrite('t', 2n)]).toEqual([null, null, null])
  })

  it('drops the least recently used first', () => {
    const { save, isFresh } = cacheOf(60_000, 2)
    save('t', 'a/1', visible(1n, 'a/1'))
    save('t', 'a/2', visible(2n, 'a/2'))
    isFresh('t', 'a/1')
    save('t', 'a/3', visible(3n, 'a/3'))
    expect([isFresh('t', 'a/1'), isFresh('t', 'a/2'), isFresh('t', 'a/3')]).toEqual([true, null, true])
  })

  describe('removes', () => {
    function filled() {
      const parts = cacheOf()
      for (const token of ['t', 'u']) {
        parts.save(token, 'acme/one', visible(1n, 'Acme/one'))
        parts.save(token, 'old/one', visible(1n, 'Acme/one'))
        parts.save(token, 'acme/two', visible(2n, 'Acme/two'))
        parts.save(token, 'acme/gone', invisible)
        parts.save(token, 'other/three', visible(3n, 'other/three'))
        parts.saveWrite(token, 1n, true, 'acme/one')
        parts.saveWrite(token, 2n, true, 'acme/two')
        parts.saveWrite(token, 3n, true, 'other/three')
      }
      const left = (token: string) => [
        ...['acme/one', 'old/one', 'acme/two', 'acme/gone', 'other/three'].filter((name) => parts.isFresh(token, name)),
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

    it('a repository by its id, under every name that was requested', () => {
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

    it('all repositories of an owner, also those requested under an older name', () => {
      const { cache, left } = filled()
      cache.forgetOwner('ACME')
      expect(left('t')).toEqual(['other/three', 3n])
    })

    it('a repository that was requested under its former owner', () => {
      const { cache, left } = filled()
      cache.forgetOwner('old')
      expect(left('t')).toEqual(['acme/one', 'acme/two', 'acme/gone', 'other/three', 1n, 2n, 3n])
    })

    it('no other owner whose name starts with the same letters', () => {
      const { cache, left } = filled()
      cache.forgetOwner('acm')
      expect(left('t')).toHaveLength(8)
    })

    it('all repositories of a large owner', () => {
      const { cache, save, isFresh } = cacheOf(60_000, 1_000)
      for (let i = 0; i < 1_000; i++) save('t', `acme/${i}`, i % 3 === 0 ? invisible : visible(BigInt(i), `acme/${i}`))
      cache.forgetOwner('acme')
      expect(Array.from({ length: 1_000 }, (_, i) => isFresh('t', `acme/${i}`)).every((fresh) => fresh === null)).toBe(
        true,
      )
    })
  })
})
