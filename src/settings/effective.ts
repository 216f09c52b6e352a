import { builtInSettings, type Settings, type SettingsKey } from './schema.ts'

export type SettingsSource = 'default' | 'environment' | 'file'

/** Which file the settings were read from. */
export interface SettingsFileOrigin {
  /** `owner/name` of the repository itself or of the owner's `.github` repository. */
  repository: string
  path: string
  sha: string
  read_at: Date
}

export interface SettingsProblem {
  field: string
  message: string
}

/** The settings in force in a repository, and the source of each key (docs/rules.md#settings-endpoint). */
export interface EffectiveSettings {
  settings: Settings
  sources: Record<SettingsKey, SettingsSource>
  file: SettingsFileOrigin | null
  /** What is wrong with the newest file; empty if it is valid. */
  problems: SettingsProblem[]
}

/**
 * Merges the settings key by key: a file replaces the operator's defaults, which replace the built-in ones
 * (docs/rules.md#operator-defaults).
 */
export function mergeSettings(
  operator: Partial<Settings>,
  file: Partial<Settings>,
): Pick<EffectiveSettings, 'settings' | 'sources'> {
  const sourceOf = (key: SettingsKey): SettingsSource =>
    key in file ? 'file' : key in operator ? 'environment' : 'default'
  return {
    settings: { ...builtInSettings, ...operator, ...file },
    sources: {
      activity_ttl_ms: sourceOf('activity_ttl_ms'),
      max_activity_ttl_ms: sourceOf('max_activity_ttl_ms'),
      notable_ttl_ms: sourceOf('notable_ttl_ms'),
      disabled_notable_categories: sourceOf('disabled_notable_categories'),
      pr_reminder_after_ms: sourceOf('pr_reminder_after_ms'),
      areas: sourceOf('areas'),
    },
  }
}
