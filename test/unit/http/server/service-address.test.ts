import { describe, expect, it } from 'vitest'
import { linkRoot } from '../../../../src/service/api/http/server/service-address.ts'

describe('what links in headers begin with', () => {
  it.each([
    ['HEADSUP_PUBLIC_URL', 'https://h.example/tools', '0.0.0.0', 'https://h.example/tools'],
    ['a loopback address without it', undefined, '127.0.0.1', 'http://127.0.0.1:3000'],
    ['nothing where other machines use a name that is not known', undefined, '0.0.0.0', ''],
  ])('is %s', (_what, publicUrl, address, expected) => {
    const listensOn = () => ({ address, port: 3000, family: 'IPv4' })
    expect(linkRoot({ publicUrl, allowedHosts: [], listensOn })).toBe(expected)
  })
})
