import { LRUCache } from 'lru-cache'
import type { Repository } from '../context.ts'
import type { Database } from '../db/database.ts'
import type { Log } from '../lib/log.ts'
import { type Background, createBackground } from './background.ts'
import { type EffectiveSettings, mergeSettings } from './effective.ts'
import { learn } from './learn.ts'
import { createSettingsReport, type SettingsReport } from './report.ts'
import type { Settings } from './schema.ts'
import type { FindSettingsFile } from './source.ts'
import { type KeptSettings, keepSettings, readKeptSettings } from './store.ts'

export interface SettingsReader {
  /**
   * The settings in force now (docs/rules.md#reading-settings). Throws what the database throws, never a failure of
   * GitHub.
   */
  settingsOf(repository: Repository): Promise<EffectiveSettings>
  /** What is kept in memory is not to be believed any more: the next use looks for marks in the database. */
  forget(): void
  /** Waits for what is under way in the background. */
  stop(): Promise<void>
}

export interface SettingsReaderOptions {
  db: Database
  /** The operator's own defaults. */
  operator: Partial<Settings>
  /** Absent without a GitHub App: then the operator's defaults are in force everywhere, and nothing is read. */
  find?: FindSettingsFile | undefined
  log: Log
  now: () => Date
}

/** How long what the database said is believed, in ms: another instance may have read, or marked, a newer file. */
const believedMs = 60_000
/** After how many ms settings in use are revalidated: a push can be lost (docs/rules.md#reading-settings). */
const revalidateMs = 600_000
/** When GitHub is asked again after it could not be, in ms. */
const retryMs = 30_000

interface Entry {
  effective: EffectiveSettings
  kept: KeptSettings | undefined
  loadedAt: number
  /** When GitHub is to be asked again, while the settings of now are still used. */
  dueAt: number
  /** Whether GitHub could not be asked the last time. */
  failed: boolean
}

/**
 * The settings of each repository: from memory, else from the database, else from GitHub, which is waited for at the first
 * use and after an event alone. Where GitHub can't be asked the last good file stays in force, or the operator's defaults.
 */
export function createSettingsReader(options: SettingsReaderOptions): SettingsReader {
  const { find } = options
  if (find) return createFileReader({ ...options, find })
  const defaults = effectiveOf(options.operator, undefined)
  return { settingsOf: async () => defaults, forget() {}, stop: async () => {} }
}

interface Inside extends SettingsReaderOptions {
  find: FindSettingsFile
  memory: LRUCache<bigint, Entry>
  report: SettingsReport
  background: Background
  /** Concurrent questions are asked once. Another one since all was forgotten: what was asked before is not kept. */
  flights: Flights
}

interface Flights {
  loading: Map<bigint, Promise<Entry>>
  asking: Map<bigint, Promise<Entry>>
}

const newFlights = (): Flights => ({ loading: new Map(), asking: new Map() })

function createFileReader(options: SettingsReaderOptions & { find: FindSettingsFile }): SettingsReader {
  const inside: Inside = {
    ...options,
    memory: new LRUCache({ max: 10_000 }),
    report: createSettingsReport(options.log),
    background: createBackground(),
    flights: newFlights(),
  }
  const { memory, background } = inside
  return {
    async settingsOf(repository) {
      const time = options.now().getTime()
      const known = memory.get(repository.id)
      const isBelieved = known !== undefined && time < known.loadedAt + believedMs
      const load = () => loadEntry(inside, repository)
      const entry = isBelieved ? known : await once(inside, inside.flights.loading, repository.id, load)
      if (time >= entry.dueAt) void refresh(inside, repository, entry.kept)
      return entry.effective
    },
    forget() {
      inside.flights = newFlights()
      memory.clear()
    },
    stop: background.settled,
  }
}

async function loadEntry(inside: Inside, repository: Repository): Promise<Entry> {
  const { memory, flights } = inside
  const kept = await readKeptSettings(inside.db, repository.id)
  const before = memory.get(repository.id)
  const isRead = kept !== undefined && kept.marks === kept.marksRead
  if (!isRead && !before?.failed) return await refresh(inside, repository, kept)
  const dueAt = before?.failed || !kept ? (before?.dueAt ?? 0) : kept.checkedAt.getTime() + revalidateMs
  const entry = entryOf(inside, kept, { dueAt, failed: before?.failed ?? false })
  if (flights === inside.flights) memory.set(repository.id, entry)
  return entry
}

/** Asks GitHub, and keeps what it says. Never throws. */
function refresh(inside: Inside, repository: Repository, kept: KeptSettings | undefined): Promise<Entry> {
  const { flights, memory } = inside
  return once(inside, flights.asking, repository.id, async () => {
    const { owner, name } = repository
    // What did not validate may do so for a later version of the service: without its ETag it is read again.
    const etag = kept && kept.problems.length === 0 ? kept.etag : null
    const found = await inside.find({ owner, name, known: etag })
    const isWanted = flights === inside.flights
    if (found.kind === 'failure') {
      const waitMs = Math.min(Math.max(retryMs, (found.retryAfterSeconds ?? 0) * 1000), revalidateMs)
      inside.report.notAsked(repository, found.reason, waitMs)
      const entry = entryOf(inside, kept, { dueAt: inside.now().getTime() + waitMs, failed: true })
      if (isWanted) memory.set(repository.id, entry)
      return entry
    }
    const learned = learn(found, kept, inside.now())
    if (found.kind === 'file' && learned.problems.length > 0) inside.report.invalid(repository, found, learned.problems)
    const entry = entryOf(inside, learned, { dueAt: inside.now().getTime() + revalidateMs, failed: false })
    if (isWanted) {
      memory.set(repository.id, entry)
      keep(inside, repository, learned)
    }
    return entry
  })
}

/** Nobody waits for it: the transaction of a webhook may hold this very row while it waits for settings. */
function keep({ db, report, background }: Inside, repository: Repository, kept: KeptSettings): void {
  background.follow(keepSettings(db, repository, kept).catch((error: unknown) => report.notKept(repository, error)))
}

function entryOf(
  { operator, now }: Inside,
  kept: KeptSettings | undefined,
  { dueAt, failed }: Pick<Entry, 'dueAt' | 'failed'>,
): Entry {
  return { effective: effectiveOf(operator, kept), kept, loadedAt: now().getTime(), dueAt, failed }
}

function effectiveOf(operator: Partial<Settings>, kept: KeptSettings | undefined): EffectiveSettings {
  const file = kept?.file ?? null
  return {
    ...mergeSettings(operator, file?.values ?? {}),
    file: file?.origin ?? null,
    problems: kept?.problems ?? [],
  }
}

function once(
  { background }: Inside,
  flying: Map<bigint, Promise<Entry>>,
  id: bigint,
  start: () => Promise<Entry>,
): Promise<Entry> {
  const joined = flying.get(id)
  if (joined) return joined
  const started = start().finally(() => flying.delete(id))
  flying.set(id, started)
  background.follow(started)
  return started
}
