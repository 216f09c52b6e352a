import type { Database } from './db/database.ts'
import type { Log } from './lib/log.ts'
import type { EffectiveSettings } from './settings/effective.ts'
import type { Settings } from './settings/schema.ts'

/** A repository as GitHub answered for the caller's token; the names are GitHub's spelling of today. */
export interface Repository {
  id: bigint
  owner: string
  name: string
  defaultBranch: string
}

/** What every verb gets: whose repository, by which rules, at what time. Access has been decided before it is made. */
export interface Context {
  db: Database
  now: Date
  log: Log
  requestId: string
  repository: Repository
  settings: Settings
  /** The same settings, with where each comes from. */
  effectiveSettings: EffectiveSettings
  /** How long ended records stay, in milliseconds. */
  retentionMs: number
  /** GitHub's web address, without a final slash: what a pull request's URL begins with. */
  githubServerUrl: string
  /** Asks GitHub with the caller's own token: the repository's id, or null where that token can't see it. */
  lookUpRepository(owner: string, name: string): Promise<bigint | null>
}
