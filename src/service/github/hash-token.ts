import { hash, randomBytes } from 'node:crypto'

/** Returns a hash with a random salt of this process, so that tokens are not kept. */
export function createTokenHash(): (token: string) => string {
  const salt = randomBytes(32).toString('base64url')
  return (token) => hash('sha256', salt + token, 'base64url')
}
