import { describe, expect, it } from 'vitest'
import { cookieName, readCookie, setCookie } from '../../../src/service/api/session/cookie.ts'

describe('a cookie', () => {
  it('has its attributes from its kind and place', () => {
    expect(setCookie('session', 'tls', 'v', 28_800)).toBe(
      '__Host-headsup=v; HttpOnly; Secure; SameSite=Strict; Path=/; Max-Age=28800',
    )
    expect(setCookie('session', { port: '3000' }, 'v', 1)).toBe(
      'headsup-3000=v; HttpOnly; SameSite=Strict; Path=/; Max-Age=1',
    )
    expect(setCookie('sign-in', 'tls', 'v', 600)).toBe(
      '__Host-headsup-sign-in=v; HttpOnly; Secure; SameSite=Lax; Path=/; Max-Age=600',
    )
    expect(cookieName('sign-in', { port: '3000' })).toBe('headsup-3000-sign-in')
  })

  it.each<[string | undefined, string | null]>([
    [undefined, null],
    ['', null],
    ['a=1', '1'],
    ['b=2; a=1', '1'],
    ['b=2;a=1;c', '1'],
    ['aa=2; a=1=2', '1=2'],
    ['ba=1', null],
    ['A=1', null],
    ['a', null],
    ['a=1; a=2', null],
    ['a=1; a=1', null],
  ])('is read out of %j', (header, value) => {
    expect(readCookie(header, 'a')).toBe(value)
  })
})
