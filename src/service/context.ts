import type { Pool } from 'pg'
import type { Observation } from '../core/texts/answer.ts'
import type { PrismaClient } from './db/generated/client.ts'
import type { Repository } from './github/access.ts'
import type { SettingsFacts } from './github/settings-facts.ts'
import type { Log } from './log.ts'
import type { Settings } from './records/settings.ts'

/** What every part of the service works with. */
export interface Parts {
  prisma: PrismaClient
  /** The time of the database. A write asks for it when its statement begins. */
  now(): Date
  log: Log
}

/** And what knows GitHub. */
export interface GithubParts extends Parts {
  /** The settings that hold where no file says otherwise. */
  defaults: Settings
  githubServerUrl: string
}

/** What an operation works with: the database, who asks for which repository, and when. */
export interface Context extends View, Parts {
  /** For statements that Prisma does not write: the candidates of a check. */
  pool: Pool
  repository: Repository
  /** The caller's account at GitHub; null where it is not known. Asked when it is needed. */
  login(): Promise<string | null>
  /** The caller's token, hashed with a key of this process. */
  tokenKey: string
  /** Of a create: the caller's `Idempotency-Key` as it is stored, or null. */
  idempotencyKey: string | null
  githubServerUrl: string
  /** Records that ended before are as good as purged. */
  purgedUntil(): Date
  /** Further headers of the response. */
  headers: Record<string, string>
}

/** What one caller sees of a repository besides its records. */
export interface View {
  /** Those in force. */
  settings: Settings
  /** Where they come from, and what the App does here. */
  settingsFacts(): Promise<SettingsFacts>
  /** Whether this token may list the pull requests: to others no observed work is shown. */
  seesPulls(): Promise<boolean>
  /**
   * How far the open pull requests are read. Begins a reading where the last one is too old; with `wait` it waits for one where
   * that was long ago, 2.5 s at most.
   */
  observe(wait?: 'wait'): Promise<Observation>
}
