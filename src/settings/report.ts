import { LRUCache } from 'lru-cache'
import type { Repository } from '../context.ts'
import type { Log } from '../lib/log.ts'
import type { SettingsProblem } from './effective.ts'
import { SettingsFile } from './schema.ts'
import type { FoundFile } from './source.ts'

/** What the log says of settings files. */
export interface SettingsReport {
  /** One line for each content of a file: it is found again and again. */
  invalid(repository: Repository, file: Extract<FoundFile, { kind: 'file' }>, problems: SettingsProblem[]): void
  notAsked(repository: Repository, reason: string, retryInMs: number): void
  notKept(repository: Repository, error: unknown): void
}

export function createSettingsReport(log: Log): SettingsReport {
  const told = new LRUCache<bigint, string>({ max: 10_000 })
  return {
    invalid(repository, file, problems) {
      if (told.get(repository.id) === file.sha) return
      told.set(repository.id, file.sha)
      const at = { repository: file.repository, sha: file.sha, keys: [...new Set(problems.map(keyOf))] }
      log.warn({ ...about(repository), ...at }, 'a settings file does not validate and changes nothing')
    },
    notAsked(repository, reason, retryInMs) {
      log.warn({ ...about(repository), reason, retry_in_ms: retryInMs }, 'the settings file could not be asked for')
    },
    notKept(repository, error) {
      const reason = error instanceof Error ? error.message : 'unknown'
      log.warn({ ...about(repository), reason }, 'settings could not be kept in the database')
    },
  }
}

/** What a problem says beside it quotes the file, and so may its own field: a path, or whatever stands there for a key. */
function keyOf({ field }: SettingsProblem): string {
  const key = /^\w+/.exec(field)?.[0] ?? ''
  return key === 'file' || Object.hasOwn(SettingsFile.shape, key) ? key : 'unknown'
}

function about({ id, owner, name }: Repository): object {
  return { repository_id: String(id), owner, name }
}
