import { LRUCache } from 'lru-cache'
import type { Repository } from '../context.ts'
import type { Log } from '../lib/log.ts'
import type { SettingsProblem } from './effective.ts'
import { SettingsFile } from './schema.ts'
import type { FoundFile } from './source.ts'

/** Logs problems with settings files. */
export interface SettingsReport {
  /** Logs an invalid file. A file that is found again with the same content is not logged again. */
  invalid(repository: Repository, file: Extract<FoundFile, { kind: 'file' }>, problems: SettingsProblem[]): void
  requestFailed(repository: Repository, reason: string, retryInMs: number): void
  saveFailed(repository: Repository, error: unknown): void
}

export function createSettingsReport(log: Log): SettingsReport {
  const reported = new LRUCache<bigint, string>({ max: 10_000 })
  return {
    invalid(repository, file, problems) {
      if (reported.get(repository.id) === file.sha) return
      reported.set(repository.id, file.sha)
      const at = { repository: file.repository, sha: file.sha, keys: [...new Set(problems.map(keyOf))] }
      log.warn({ ...fieldsOf(repository), ...at }, 'a settings file does not validate and changes nothing')
    },
    requestFailed(repository, reason, retryInMs) {
      log.warn(
        { ...fieldsOf(repository), reason, retry_in_ms: retryInMs },
        'the settings file could not be read from GitHub',
      )
    },
    saveFailed(repository, error) {
      const reason = error instanceof Error ? error.message : 'unknown'
      log.warn({ ...fieldsOf(repository), reason }, 'settings could not be saved in the database')
    },
  }
}

/** The key at fault, if it is a known one. Other fields and all messages quote the file, and are not logged. */
function keyOf({ field }: SettingsProblem): string {
  const key = /^\w+/.exec(field)?.[0] ?? ''
  return key === 'file' || Object.hasOwn(SettingsFile.shape, key) ? key : 'unknown'
}

function fieldsOf({ id, owner, name }: Repository): object {
  return { repository_id: String(id), owner, name }
}
