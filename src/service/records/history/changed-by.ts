import type { Context } from '../../context.ts'

/**
 * The value of the column `changed_by`: the caller's login, or an empty text if the account is not known. A trigger
 * copies it to the history and clears the column (docs/rules.md#history). Without a value the service itself has
 * changed the record.
 */
export function changedBy({ viewer }: Pick<Context, 'viewer'>): string {
  return viewer.account()?.login ?? ''
}
