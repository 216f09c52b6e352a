import { createHmac, randomBytes } from 'node:crypto'

/** Returns a keyed hash, with a random key of this process, so that tokens are not kept. */
export function createTokenHash(): (token: string) => string {
  const secret = randomBytes(32)
  return (token) => createHmac('sha256', secret).update(token).digest('base64url')
}
