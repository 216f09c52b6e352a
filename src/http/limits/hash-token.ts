import { createHmac, randomBytes } from 'node:crypto'

/** Names a token without keeping it: a hash with a secret of this process. */
export function createTokenHash(): (token: string) => string {
  const secret = randomBytes(32)
  return (token) => createHmac('sha256', secret).update(token).digest('base64url')
}
