import type { Database } from '../db/client.ts'
import type { Log } from '../log.ts'
import { createSettingsReader, type SettingsReader } from '../settings/reader.ts'
import type { Settings } from '../settings/schema.ts'
import type { GithubApp } from './app-client.ts'
import { createSettingsFinder } from './settings-file.ts'

/** How long a request may wait for a settings file, in ms, however many calls it takes. */
const timeLimitMs = 5_000

/** The settings of repositories, read through the App where there is one (decisions §9). */
export function createRepositorySettings(options: {
  app: GithubApp | undefined
  db: Database
  operator: Partial<Settings>
  log: Log
  now: () => Date
}): SettingsReader {
  const { app, now } = options
  const reader = createSettingsReader({ ...options, find: app && createSettingsFinder({ app, now, timeLimitMs }) })
  return {
    ...reader,
    forget() {
      app?.forgetInstallations()
      reader.forget()
    },
  }
}
