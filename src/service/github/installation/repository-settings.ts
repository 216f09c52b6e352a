import type { Database } from '../../db/database.ts'
import type { Prisma } from '../../db/generated/client.ts'
import type { Log } from '../../lib/log.ts'
import { mergeSettings } from '../../records/settings/effective.ts'
import { createSettingsReader, type SettingsReader } from '../../records/settings/reader.ts'
import type { Settings } from '../../records/settings/schema.ts'
import { findSettings, type KnownSettings } from '../../records/settings/settings-store.ts'
import type { GithubApp } from './app-client.ts'
import { createSettingsFinder } from './settings-file.ts'

/** How long a request may wait for a settings file, in ms, however many calls it takes. */
const timeLimitMs = 5_000

export interface InstallationSettings extends SettingsReader {
  /**
   * Reads the settings that the database has, within a transaction. It calls neither GitHub nor takes a second
   * connection: the pool may have none left while many transactions wait for one.
   */
  settingsIn(tx: Prisma.TransactionClient, repositoryId: bigint): Promise<KnownSettings>
}

/** The settings of repositories, read through the App if there is one (docs/rules.md#reading-settings). */
export function createRepositorySettings(options: {
  app: GithubApp | undefined
  db: Database
  operator: Partial<Settings>
  log: Log
  now: () => Date
}): InstallationSettings {
  const { app, now, operator } = options
  const reader = createSettingsReader({ ...options, find: app && createSettingsFinder({ app, now, timeLimitMs }) })
  return {
    ...reader,
    async settingsIn(tx, repositoryId) {
      if (!app) return { settings: mergeSettings(operator, {}).settings, wereRead: true }
      return findSettings(tx, repositoryId, operator)
    },
    forget() {
      app?.forgetInstallations()
      reader.forget()
    },
  }
}
