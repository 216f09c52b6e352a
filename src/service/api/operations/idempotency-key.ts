import { createHash } from 'node:crypto'
import { invalidField } from '../../../core/errors.ts'

/** Reads the `Idempotency-Key` of a request: 1 to 255 visible ASCII characters. Throws `validation_failed`. */
export function readIdempotencyKey(
  header: string | string[] | undefined,
  field = 'Idempotency-Key',
): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header
  throw invalidField(field, 'invalid_value', 'must be 1 to 255 visible ASCII characters, once')
}

/**
 * Hashes repository, route, key and token. The hash is the only trace of the token in the database
 * (docs/rules.md#idempotency-keys).
 */
export function hashIdempotencyKey(repositoryId: bigint, route: string, key: string, token: string): string {
  return createHash('sha256')
    .update(JSON.stringify([String(repositoryId), route, key, token]))
    .digest('hex')
}
