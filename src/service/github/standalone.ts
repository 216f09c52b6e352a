import { AppError, StartError } from '../../core/errors.ts'
import { type Environ, loadConfig } from '../config/config.ts'
import { type OpenDatabase, openDatabase } from '../db/open.ts'
import type { Log } from '../lib/log.ts'
import { ignoreEvents } from '../lib/service-events.ts'
import { findSettings } from '../records/settings/settings-store.ts'
import { createDeliveries, type Deliver, type DeliveryDeps, withoutEvent } from './webhooks/deliver.ts'

/**
 * Handles deliveries in a process that only runs the App. The database is only open while a delivery is being handled, so that
 * the process can end after the last one. This process has no caches to invalidate. Throws `ConfigError` and `StartError`.
 */
export function deliverFromEnvironment(environ: Environ, log: Log): Deliver {
  const { config } = loadConfig(environ)
  if (!config.databaseUrl) throw new StartError('DATABASE_URL must be set: the App needs a database of its own.')
  const useDatabase = shareDatabase(() => openDatabase(config, { log, emit: ignoreEvents }))
  const deps: Omit<DeliveryDeps, 'db' | 'now'> = {
    log,
    serverUrl: config.githubServerUrl,
    access: { forgetOwner() {}, forgetRepository() {} },
    settingsIn: (tx, id) => findSettings(tx, id, config.settings),
    forgetSettings() {},
  }
  return (handler) => (event) =>
    useDatabase(({ db, clock }) => createDeliveries({ ...deps, db, now: clock.now }).deliver(handler)(event)).catch(
      (error: unknown) => {
        throw withoutEvent(new Error(describe(error)))
      },
    )
}

/** Probot logs the whole error, and the message of a database error may quote callers' data. */
function describe(error: unknown): string {
  if (error instanceof AppError || error instanceof StartError) return error.message
  if (!(error instanceof Error)) return 'The delivery could not be handled.'
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : ''
  return `The delivery could not be handled (${error.name}${code}).`
}

/** Opens the database for the first user, and closes it after the last one. */
function shareDatabase(open: () => Promise<OpenDatabase>) {
  let users = 0
  let opened: Promise<OpenDatabase> | undefined
  return async function use<T>(work: (database: OpenDatabase) => Promise<T>): Promise<T> {
    users++
    opened ??= open()
    const database = opened
    try {
      return await work(await database)
    } finally {
      users--
      if (users === 0) {
        opened = undefined
        await database.then(({ close }) => close()).catch(() => {})
      }
    }
  }
}
