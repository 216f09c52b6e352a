import type { Account } from '../core/schemas/account.ts'
import type { ObservationState } from '../core/schemas/observation.ts'
import type { ReadGlob } from '../core/scope/glob/glob-cache.ts'
import type { Database } from './db/database.ts'
import type { Log } from './lib/log.ts'
import type { RecordLimiter } from './records/repository/record-limits.ts'
import type { Repository } from './records/repository/repository.ts'
import type { EffectiveSettings } from './records/settings/effective.ts'
import type { Settings } from './records/settings/schema.ts'

/** The caller's account, and its right to see observed work. */
export interface Viewer {
  /** The account of the token; null where it is not known, or not yet. */
  account(): Account | null
  /** Whether this caller may see observed work and what GitHub says about changes. */
  mayReadPullRequests(): Promise<boolean>
  /**
   * Starts a reading if one is due. Waits only for the first reading of a repository, at most 2.5 s. `namesFiles`: the
   * request names files, so files that are left are read at once. `reads: false`: starts none, and waits for none.
   */
  observationState(options?: { namesFiles?: boolean; reads?: boolean }): Promise<ObservationState>
}

/** Whether the GitHub App sees a repository. */
export interface AppStatus {
  /** `unknown`: GitHub does not say at the moment. */
  state: 'installed' | 'not_installed' | 'not_configured' | 'unknown'
  /** The permissions that the owner granted and Headsup uses, by name; null unless the App is installed. */
  permissions: Readonly<Record<string, string>> | null
}

/** What an operation works with: the repository, its settings and the time. Access was checked before. */
export interface Context {
  db: Database
  now: Date
  log: Log
  requestId: string
  repository: Repository
  settings: Settings
  /** The settings with the source of each key. */
  effectiveSettings: EffectiveSettings
  /** How long ended records are kept, in milliseconds. */
  retentionMs: number
  /** How many records a repository may hold. */
  recordLimiter: RecordLimiter
  /** Parses globs, and keeps those used most recently. */
  readGlob: ReadGlob
  /** The web address of GitHub without a trailing slash. URLs of pull requests begin with it. */
  githubServerUrl: string
  viewer: Viewer
  appStatus(): Promise<AppStatus>
  /** Whether this service writes check runs on pull requests: it has an App, and is not in shadow. */
  writesReports: boolean
  /** Asks GitHub with the caller's token. Returns the repository's id, or null if the token cannot see it. */
  lookUpRepository(owner: string, name: string): Promise<bigint | null>
}
