import type { SettingsAnswer } from '../../core/schemas/settings.ts'
import type { Repository as Row } from '../db/generated/client.ts'
import type { SettingValues } from '../records/settings.ts'
import type { Problem } from './settings-yaml.ts'

export type SettingsFacts = Pick<SettingsAnswer, 'file' | 'problems' | 'app' | 'report'>

/** What the App tells of an installation; absent without an App. */
export interface Installed {
  /** GitHub's page of it; null where GitHub does not tell. */
  urlOf(installationId: number): Promise<string | null>
}

/** Where the settings come from, and what the App does in this repository. */
export async function settingsFacts(
  row: Row,
  values: SettingValues,
  app: Installed | undefined,
): Promise<SettingsFacts> {
  const { installation_id, is_suspended, settings_read_at, may_write_checks } = row
  const file = row.settings_file as { repository: string; path: string } | null
  const state = !app ? 'absent' : installation_id === null ? 'not_installed' : is_suspended ? 'suspended' : 'installed'
  const isOn = state === 'installed' && values.enabled && values.pull_request_report !== 'off'
  const isMissing = isOn && may_write_checks === false
  const url = isMissing && app && installation_id !== null ? await app.urlOf(Number(installation_id)) : null
  return {
    file: file && settings_read_at && { ...file, read_at: settings_read_at.toISOString() },
    problems: row.settings_problems as unknown as Problem[],
    app: { state },
    report: {
      state: isMissing ? 'permission_missing' : isOn ? 'on' : 'off',
      approve_url: url === null ? null : `${url}/permissions/update`,
    },
  }
}
