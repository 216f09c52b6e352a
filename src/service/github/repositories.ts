import type { Repository as Row } from '../db/generated/client.ts'

export function repositoryOf({ repository_id: id, owner, name, default_branch }: Row) {
  return { id, owner, name, defaultBranch: default_branch ?? 'main' }
}

/** Whether an installation of the App reads it. Otherwise callers' tokens do. */
export function isReadByApp({ installation_id, is_suspended }: Row): boolean {
  return installation_id !== null && !is_suspended
}
