import { type Log, messageOf } from '../lib/log.ts'
import { isWriteRefused } from './database-errors.ts'
import { leastVersionSql } from './least-version.ts'

/**
 * A write that needs room on the disk: 7 kB that do not compress. Every ping runs it after a write has failed, until it
 * succeeds.
 */
const write = `insert into service_facts (name, value, updated_at)
  select 'write_check', to_jsonb(string_agg(gen_random_uuid()::text, '')), now() from generate_series(1, 200)
  on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at`

export interface WriteCheck {
  /** To call with the error of every statement. */
  failed(error: unknown): void
  /** The statement that shows whether the database works: a write only after a write has failed. */
  statement(): string
  /** To call after that statement succeeded. */
  succeeded(statement: string): void
}

/** Remembers that the database refuses writes: it is read-only, or its disk is full (docs/rules.md#probes). */
export function createWriteCheck(log: Log): WriteCheck {
  let refused = false
  return {
    failed(error) {
      if (!isWriteRefused(error) || refused) return
      refused = true
      log.warn({ error: messageOf(error) }, 'the database accepts no writes')
    },
    statement: () => (refused ? write : leastVersionSql),
    succeeded(statement) {
      if (statement !== write) return
      refused = false
      log.info({}, 'the database accepts writes again')
    },
  }
}
