import { LRUCache } from 'lru-cache'
import { type Log, messageOf } from '../../lib/log.ts'
import type { Repository } from '../repository/repository.ts'
import type { SettingsProblem } from './effective.ts'
import type { FoundFile } from './found-file.ts'
import { SettingsFile } from './schema.ts'

/** Logs problems with settings files. */
export interface SettingsLog {
  /** Logs an invalid file. A file that is found again with the same content is not logged again. */
  invalid(repository: Repository, file: Extract<FoundFile, { kind: 'file' }>, problems: SettingsProblem[]): void
  requestFailed(repository: Repository, reason: string, retryInMs: number): void
  saveFailed(repository: Repository, error: unknown): void
}

export function createSettingsLog(log: Log): SettingsLog {
  const reported = new LRUCache<bigint, string>({ max: 10_000 })
  return {
    invalid(repository, file, problems) {
      if (reported.get(repository.id) === file.sha) return
      reported.set(repository.id, file.sha)
      const at = { repository: file.repository, sha: file.sha }
      const what = { keys: distinct(problems.map(keyOf)), problems: distinct(problems.map(reasonOf)).slice(0, 10) }
      log.warn({ ...fieldsOf(repository), ...at, ...what }, 'a settings file does not validate and changes nothing')
    },
    requestFailed(repository, reason, retryInMs) {
      log.warn(
        { ...fieldsOf(repository), reason, retry_in_ms: retryInMs },
        'the settings file could not be read from GitHub',
      )
    },
    saveFailed(repository, error) {
      const reason = messageOf(error)
      log.warn({ ...fieldsOf(repository), reason }, 'settings could not be saved in the database')
    },
  }
}

/** The key at fault, if it is a known one. Other fields quote the file, and are not logged. */
function keyOf({ field }: SettingsProblem): string {
  const key = /^\w+/.exec(field)?.[0] ?? ''
  return key === 'file' || Object.hasOwn(SettingsFile.shape, key) ? key : 'unknown'
}

/** Messages that quote nothing of the file. */
const ownWords =
  /^(?:must (?:be|have|not) |at most |is required$|has to be a mapping|has \d|is not UTF-8|is a directory$)/

/** The key and what is wrong with it, without text of the file. */
function reasonOf(problem: SettingsProblem): string {
  const key = keyOf(problem)
  if (key === 'unknown') return 'unknown: is not a known key'
  const { message } = problem
  if (ownWords.test(message)) return `${key}: ${message}`
  const [, line] = key === 'file' ? (/^line (\d+): /.exec(message) ?? []) : []
  return line === undefined ? `${key}: is not valid` : `${key}: line ${line} is not valid YAML`
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}

function fieldsOf({ id, owner, name }: Repository): object {
  return { repository_id: String(id), owner, name }
}
