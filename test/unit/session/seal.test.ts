import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createSeal, type Purpose } from '../../../src/service/api/session/seal.ts'
import { sealKey } from '../../../src/service/api/session/seal-key.ts'
import { codePoint } from '../../support/arbitrary/code-point.ts'

const Claims = z.object({ token: z.string(), login: z.string() })
const start = Date.parse('2026-11-20T09:30:00.000Z')
const endsAt = new Date(start + 60_000)
let time = start
const now = () => new Date(time)
const seal = createSeal({ key: sealKey('one'), now })

describe('a seal', () => {
  it('opens to the claims that were sealed, and shows none of them', async () => {
    time = start
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 4 }), fc.string(), async (token, login) => {
        const text = await seal.seal('session', { token, login }, endsAt)
        expect(text).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/)
        expect(Buffer.from(text.split('.')[3] ?? '', 'base64url').toString('latin1')).not.toContain(token)
        expect(await seal.open('session', Claims, text)).toEqual({ claims: { token, login }, endsAt })
      }),
    )
  })

  it('opens only for its purpose', async () => {
    const purposes: Purpose[] = ['session', 'handover', 'sign-in']
    for (const sealed of purposes) {
      const text = await seal.seal(sealed, { token: 't', login: 'l' }, endsAt)
      const opened = await Promise.all(purposes.map((purpose) => seal.open(purpose, Claims, text)))
      expect(opened.map((one) => one !== null)).toEqual(purposes.map((purpose) => purpose === sealed))
    }
  })

  it('opens until its end, with its own key, and to claims of the right form', async () => {
    const text = await seal.seal('session', { token: 't', login: 'l' }, endsAt)
    time = endsAt.getTime() - 1_000
    expect(await seal.open('session', Claims, text)).not.toBeNull()
    expect(await createSeal({ key: sealKey('two'), now }).open('session', Claims, text)).toBeNull()
    expect(await seal.open('session', z.object({ other: z.string() }), text)).toBeNull()
    time = endsAt.getTime()
    expect(await seal.open('session', Claims, text)).toBeNull()
    time = start
  })

  it('opens for no text that was changed', async () => {
    const text = await seal.seal('session', { token: 't', login: 'l' }, endsAt)
    const bytes = (part: string) => Buffer.from(part, 'base64url').toString('hex')
    const same = (other: string) => other.split('.').map(bytes).join() === text.split('.').map(bytes).join()
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.constantFrom(...'AZaz09-_.= %'), async (at, character) => {
        const changed = text.slice(0, at) + character + text.slice(at + 1)
        fc.pre(!same(changed))
        expect(await seal.open('session', Claims, changed)).toBeNull()
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: codePoint }), async (any) => {
        expect(await seal.open('session', Claims, any)).toBeNull()
      }),
    )
  })
})
