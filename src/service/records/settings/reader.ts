import { LRUCache } from 'lru-cache'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../lib/log.ts'
import type { WaitForGithub } from '../../lib/wait-for-github.ts'
import type { Repository } from '../repository/repository.ts'
import { type EffectiveSettings, mergeSettings } from './effective.ts'
import type { FindSettingsFile } from './found-file.ts'
import { createPendingTasks, type PendingTasks } from './pending-tasks.ts'
import { type SavedSettings, updateSaved } from './saved-settings.ts'
import type { Settings } from './schema.ts'
import { createSettingsLog, type SettingsLog } from './settings-log.ts'
import { findSavedSettings, saveSettings } from './settings-store.ts'

export interface SettingsReader {
  /**
   * The settings in force now (docs/rules.md#reading-settings). `wait` says how the caller waits where they are not in
   * memory. Throws what the database throws. A failure of GitHub does not throw.
   */
  settingsOf(repository: Repository, wait?: WaitForGithub): Promise<EffectiveSettings>
  /** Clears the memory: the next use looks for invalidations in the database. */
  forget(): void
  /** Waits for reads and writes in the background. */
  stop(): Promise<void>
}

export interface SettingsReaderOptions {
  db: Database
  /** The operator's own defaults. */
  operator: Partial<Settings>
  /** Absent without a GitHub App: the operator's defaults then apply everywhere, and nothing is read. */
  find?: FindSettingsFile | undefined
  log: Log
  now: () => Date
}

/** How long settings are served from memory, in ms. Another instance may have read or invalidated the file since. */
const cachedMs = 60_000
/** How long settings are used before they are revalidated, in ms. A push event can be lost. */
const revalidateMs = 600_000
/** How long to wait before the next request to GitHub after a failure, in ms. */
const retryMs = 30_000

interface Entry {
  effective: EffectiveSettings
  saved: SavedSettings | undefined
  loadedAt: number
  /** When to send GitHub the next request, in ms. The entry is used until the response arrives. */
  dueAt: number
  /** Whether the last request to GitHub failed. */
  failed: boolean
}

/**
 * Reads the settings of each repository from memory, else from the database, else from GitHub. A request waits for
 * GitHub only at the first use and after an invalidation. While GitHub fails, the last valid file or the operator's
 * defaults apply.
 */
export function createSettingsReader(options: SettingsReaderOptions): SettingsReader {
  const { find } = options
  if (find) return createFileReader({ ...options, find })
  const defaults = effectiveOf(options.operator, undefined)
  return { settingsOf: async () => defaults, forget() {}, stop: async () => {} }
}

interface State extends SettingsReaderOptions {
  find: FindSettingsFile
  /** `forget` replaces the cache. Older requests write to the old one, which is dropped. */
  cache: LRUCache<bigint, Entry>
  settingsLog: SettingsLog
  tasks: PendingTasks<Entry>
}

const newCache = () => new LRUCache<bigint, Entry>({ max: 10_000 })

function createFileReader(options: SettingsReaderOptions & { find: FindSettingsFile }): SettingsReader {
  const state: State = {
    ...options,
    cache: newCache(),
    settingsLog: createSettingsLog(options.log),
    tasks: createPendingTasks(),
  }
  return {
    async settingsOf(repository, wait = (ask) => ask()) {
      const time = options.now().getTime()
      const cached = state.cache.get(repository.id)
      const isFresh = cached !== undefined && time < cached.loadedAt + cachedMs
      const entry = isFresh ? cached : await wait(() => load(state, repository))
      if (time >= entry.dueAt) void refresh(state, repository, entry.saved)
      return entry.effective
    },
    forget() {
      state.tasks.invalidate()
      state.cache = newCache()
    },
    stop: state.tasks.settled,
  }
}

/** Reads the database, and waits for GitHub if the saved settings are missing or invalidated. */
function load(state: State, repository: Repository): Promise<Entry> {
  return state.tasks.run(`load ${repository.id}`, async () => {
    const { cache } = state
    const saved = await findSavedSettings(state.db, repository.id)
    const before = state.cache.get(repository.id)
    const isCurrent = saved !== undefined && saved.invalidations === saved.invalidationsSeen
    if (!isCurrent && !before?.failed) return await refresh(state, repository, saved)
    const dueAt = before?.failed || !saved ? (before?.dueAt ?? 0) : saved.checkedAt.getTime() + revalidateMs
    const entry = newEntry(state, saved, { dueAt, failed: before?.failed ?? false })
    cache.set(repository.id, entry)
    return entry
  })
}

/** Asks GitHub and saves the result. Never throws. */
function refresh(state: State, repository: Repository, saved: SavedSettings | undefined): Promise<Entry> {
  return state.tasks.run(`refresh ${repository.id}`, async () => {
    const { cache, settingsLog, now } = state
    const { owner, name } = repository
    // A file with problems is requested without its ETag: a later version of the service may accept it.
    const known = saved && saved.problems.length === 0 ? saved.etag : null
    const found = await state.find({ owner, name, known })
    if (found.kind === 'failure') {
      const waitMs = Math.min(Math.max(retryMs, (found.retryAfterSeconds ?? 0) * 1000), revalidateMs)
      settingsLog.requestFailed(repository, found.reason, waitMs)
      const entry = newEntry(state, saved, { dueAt: now().getTime() + waitMs, failed: true })
      cache.set(repository.id, entry)
      return entry
    }
    const updated = updateSaved(found, saved, now())
    if (found.kind === 'file' && updated.problems.length > 0) settingsLog.invalid(repository, found, updated.problems)
    const entry = newEntry(state, updated, { dueAt: now().getTime() + revalidateMs, failed: false })
    cache.set(repository.id, entry)
    if (cache === state.cache) saveInBackground(state, repository, updated)
    return entry
  })
}

/** Saves in the background: the transaction of a webhook may hold this row while it waits for settings. */
function saveInBackground({ db, settingsLog, tasks }: State, repository: Repository, updated: SavedSettings): void {
  tasks.track(
    saveSettings(db, repository, updated).catch((error: unknown) => settingsLog.saveFailed(repository, error)),
  )
}

function newEntry(
  { operator, now }: State,
  saved: SavedSettings | undefined,
  { dueAt, failed }: Pick<Entry, 'dueAt' | 'failed'>,
): Entry {
  return { effective: effectiveOf(operator, saved), saved, loadedAt: now().getTime(), dueAt, failed }
}

function effectiveOf(operator: Partial<Settings>, saved: SavedSettings | undefined): EffectiveSettings {
  const file = saved?.file ?? null
  return {
    ...mergeSettings(operator, file?.values ?? {}),
    file: file?.origin ?? null,
    problems: saved?.problems ?? [],
  }
}
