import type { NamedRepository } from '../github/pulls/pull-facts.ts'
import type { SettingValues } from '../records/settings.ts'

/** What is needed to save what GitHub says of a repository's pull requests. */
export interface Observing {
  repository: NamedRepository & { defaultBranch: string }
  settings: SettingValues
  githubServerUrl: string
  /** The time of the database. */
  now: Date
}
