import type { ReadGlob } from '../../../core/scope/glob/glob-cache.ts'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../lib/log.ts'
import type { Repository } from '../../records/repository/repository.ts'
import type { EffectiveSettings } from '../../records/settings/effective.ts'
import type { GithubApp } from '../installation/app-client.ts'
import type { SendRequest } from '../pulls/read-response.ts'
import type { RateLimits } from '../rate-limits.ts'

export interface ReportDeps {
  db: Database
  app: Pick<GithubApp, 'requestForRepository' | 'requestForChecks' | 'installationOf'>
  /** For reading. */
  rateLimits: RateLimits
  /** For check runs: a limit of these keeps nothing else waiting. */
  writeLimits: RateLimits
  settingsOf(repository: Repository): Promise<Pick<EffectiveSettings, 'settings'>>
  log: Log
  now(): Date
  signal?: AbortSignal | undefined
  readGlob: ReadGlob
  /** Whether reports are only counted and logged. */
  shadow: boolean
  appId: number
  /** The address of the service for people; undefined if it is not known. */
  publicUrl?: string | undefined
  retentionMs: number
  /** Waits between two writes. */
  pause(ms: number): Promise<void>
}

/** What was done with the queue. The names are those of the log and of the metrics. */
export interface ReportCounts {
  created: number
  rewritten: number
  /** In shadow: what would have been written. */
  would_create: number
  would_rewrite: number
  /** Reports whose conclusion and title are as they were. */
  unchanged: number
  /** Reports that were not written because the limit of the installation was reached. */
  dropped: number
  /** Pull requests without a report: a draft, a head from before the grant, or none is wanted. */
  skipped: number
  /** Reports that wait, as for files to be read. */
  waiting: number
  failed: number
  /** Owners whose reports wait for a rate limit. */
  paused: number
}

export type Outcome = Exclude<keyof ReportCounts, 'paused'>

export const nothingReported: ReportCounts = {
  ...{ created: 0, rewritten: 0, would_create: 0, would_rewrite: 0, unchanged: 0, dropped: 0, skipped: 0, waiting: 0 },
  ...{ failed: 0, paused: 0 },
}

/** How the reports of one owner are written: by one instance at a time. */
export interface OwnerRequests {
  read: SendRequest
  /** Counts each request that writes, and waits between two. Throws `ChecksNotGranted`. */
  write: SendRequest
  /** Ends the automatic check suites of a repository, before the first check run there. False: to be tried again later. */
  prepare(repository: Repository): Promise<boolean>
  /** Whether one more report may be written now. */
  mayWrite(): boolean
  /** Counts a write that is not sent, in shadow. */
  noteWrite(): Promise<void>
}

/** The owner does not grant `checks: write`, or GitHub refuses a check run in this repository. */
export class ChecksNotGranted extends Error {
  constructor() {
    super('the owner does not grant checks: write')
    this.name = 'ChecksNotGranted'
  }
}
