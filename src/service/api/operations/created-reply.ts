import type { Created } from '../../records/idempotency/create-once.ts'
import type { Repository } from '../../records/repository/repository.ts'
import type { Reply } from './define.ts'

/**
 * 201 with `Location`, and with `Idempotency-Replayed` if an earlier request created the record
 * (docs/rules.md#idempotency-keys).
 */
export function createdReply<Answer>(repository: Repository, path: string, created: Created<Answer>): Reply<Answer> {
  const { owner, name } = repository
  return {
    status: 201,
    body: created.answer,
    headers: {
      Location: `/api/v1/repos/${owner}/${name}/${path}`,
      ...(created.replayed ? { 'Idempotency-Replayed': 'true' } : {}),
    },
  }
}
