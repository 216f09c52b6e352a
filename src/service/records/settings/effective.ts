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
 * (docs/rules.md#operator-defaults). An item `default` of a list is replaced too (docs/rules.md#default-lists).
 */
export function mergeSettings(
  operator: Partial<Settings>,
  file: Partial<Settings>,
): Pick<EffectiveSettings, 'settings' | 'sources'> {
  const sourceOf = (key: SettingsKey): SettingsSource =>
    key in file ? 'file' : key in operator ? 'environment' : 'default'
  return {
    settings: replace(replace(builtInSettings, operator), file),
    sources: {
      activity_ttl_ms: sourceOf('activity_ttl_ms'),
      max_activity_ttl_ms: sourceOf('max_activity_ttl_ms'),
      notable_ttl_ms: sourceOf('notable_ttl_ms'),
      disabled_notable_categories: sourceOf('disabled_notable_categories'),
      pr_reminder_after_ms: sourceOf('pr_reminder_after_ms'),
      areas: sourceOf('areas'),
      enabled: sourceOf('enabled'),
      observe: sourceOf('observe'),
      pull_request_ttl_ms: sourceOf('pull_request_ttl_ms'),
      branch_ttl_ms: sourceOf('branch_ttl_ms'),
      max_files: sourceOf('max_files'),
      pull_request_report: sourceOf('pull_request_report'),
      pull_request_report_notables: sourceOf('pull_request_report_notables'),
      ignored_paths: sourceOf('ignored_paths'),
      ignored_branches: sourceOf('ignored_branches'),
      ignored_authors: sourceOf('ignored_authors'),
    },
  }
}

/** The settings after some keys replaced those of `before`. */
function replace(before: Settings, keys: Partial<Settings>): Settings {
  const after = { ...before, ...keys }
  return {
    ...after,
    observe: [...new Set(after.observe)],
    ignored_paths: replaceList(before.ignored_paths, keys.ignored_paths),
    ignored_branches: replaceList(before.ignored_branches, keys.ignored_branches),
    ignored_authors: replaceList(before.ignored_authors, keys.ignored_authors, (login) => login.toLowerCase()),
  }
}

/**
 * The list that replaces `before`. Its item `default` is replaced by the items of `before`. A repeated item is dropped.
 */
function replaceList(before: string[], list: string[] = before, keyOf = (item: string) => item): string[] {
  const items = list.flatMap((item) => (item === 'default' ? before : [item]))
  const seen = new Set<string>()
  return items.filter((item) => seen.size < seen.add(keyOf(item)).size)
}
