import { setTimeout as sleep } from 'node:timers/promises'
import type { View } from '../context.ts'
import type { PrismaClient } from '../db/generated/client.ts'
import type { Log } from '../log.ts'
import { rememberRepository } from '../records/repositories.ts'
import { type Settings, settingsInForce } from '../records/settings.ts'
import type { Asked, Repository } from './access.ts'
import { observationOf } from './observation.ts'
import { createCallerReadings } from './pulls/caller-readings.ts'
import { isReadByApp, observingOf } from './repositories.ts'

const waitMs = 2_500

export interface Viewed {
  /** Who asks: a reading uses this token where the App is not installed. */
  caller: Asked
  repository: Repository
  /** A create waits for settings that were never read. */
  isCreate: boolean
  /** `Prefer: wait=0`: nothing waits for a reading. */
  mayWait: boolean
}

export interface ViewerParts {
  prisma: PrismaClient
  now(): Date
  /** Those that hold where no file says otherwise. */
  defaults: Settings
  keyOf(token: string): string
  seesPulls(caller: Asked, repository: Repository): Promise<boolean>
  hasApp: boolean
  githubApiUrl: string
  githubServerUrl: string
  log: Log
}

/** What a caller is told of open pull requests, and the settings of the repository. */
export function createViewer(parts: ViewerParts) {
  const { prisma, now, defaults, keyOf, seesPulls, hasApp, githubApiUrl: apiUrl, githubServerUrl, log } = parts
  const beginReading = createCallerReadings({ prisma, now, apiUrl, log })
  return async ({ caller, repository, mayWait }: Viewed): Promise<View> => {
    const row = await rememberRepository(prisma, repository, now())
    const settings = settingsInForce(row.settings, defaults)
    const byApp = isReadByApp(row, hasApp)
    return {
      settings,
      seesPulls: () => seesPulls(caller, repository),
      async observed(wait) {
        if (!settings.values.enabled) return { pull_requests: 'off', as_of: null, unread: 0 }
        if (!(await seesPulls(caller, repository))) return { pull_requests: 'unavailable', as_of: null, unread: 0 }
        if (!byApp) {
          const observing = observingOf(row, settings.values, githubServerUrl)
          const begun = await beginReading(row, observing, { token: caller.token, key: keyOf(caller.token) })
          if (begun?.isAwaited && wait && mayWait)
            await Promise.race([begun.isDone, sleep(waitMs, undefined, { ref: false })])
        }
        return observationOf(prisma, repository.id, { byApp, now: now() })
      },
    }
  }
}

export type Viewer = ReturnType<typeof createViewer>
