import type { Repository as Row } from '../db/generated/client.ts'
import type { Observing } from '../observed/observing.ts'
import type { SettingValues } from '../records/settings.ts'

/** What is needed to save its pull requests. */
export function observingOf(row: Row, settings: SettingValues, githubServerUrl: string): Omit<Observing, 'now'> {
  const { repository_id: id, owner, name, default_branch } = row
  return { repository: { id, owner, name, defaultBranch: default_branch ?? 'main' }, settings, githubServerUrl }
}

/** Whether an installation of the App reads it. Otherwise callers' tokens do. */
export function isReadByApp({ installation_id, is_suspended }: Row): boolean {
  return installation_id !== null && !is_suspended
}
