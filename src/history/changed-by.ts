import type { Context } from '../context.ts'

/**
 * Who changes a record, for the column `changed_by`: the caller's login, or an empty text where the account is not known. A trigger
 * takes it into the history and stores nothing (docs/rules.md#history). Without it, the service itself has changed the record.
 */
export function changedBy({ viewer }: Pick<Context, 'viewer'>): string {
  return viewer.account()?.login ?? ''
}
