import { createHash } from 'node:crypto'
import { invalidField } from '../errors.ts'

/** The `Idempotency-Key` of a request: 1–255 visible ASCII characters, or `validation_failed` (decisions §2). */
export function readIdempotencyKey(
  header: string | string[] | undefined,
  field = 'Idempotency-Key',
): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header
  throw invalidField(field, 'invalid_value', 'must be 1 to 255 visible ASCII characters, once')
}

/**
 * What a key is found by: SHA-256 over repository, route, key and token. It is the token's only trace in the database,
 * and makes another token another caller (decisions §2).
 */
export function hashIdempotencyKey(repositoryId: bigint, route: string, key: string, token: string): string {
  return createHash('sha256')
    .update(JSON.stringify([String(repositoryId), route, key, token]))
    .digest('hex')
}
