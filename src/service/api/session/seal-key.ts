import { hkdfSync } from 'node:crypto'

/** Derives the key of the seals from a secret, so that the secret itself encrypts nothing. */
export function sealKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'headsup session', 32))
}
