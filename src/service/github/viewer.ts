import { setTimeout as sleep } from 'node:timers/promises'
import type { Octokit } from '@octokit/rest'
import type { GithubParts, View } from '../context.ts'
import { rememberRepository } from '../records/repositories.ts'
import { settingsInForce } from '../records/settings.ts'
import type { Repository } from './access.ts'
import { nothingRead, observationOf } from './observation.ts'
import { octokitOf } from './octokit.ts'
import { createCallerReadings } from './pulls/caller-readings.ts'
import type { Caller } from './questions.ts'
import { isReadByApp, repositoryOf } from './repositories.ts'
import { type Installed, settingsFacts } from './settings-facts.ts'
import { createSettingsReadings } from './settings-file.ts'

/** How long a request waits for a reading of the pull requests, and a create for the settings. */
export const waitMs = { pulls: 2_500, settings: 5_000 }

export interface Viewed {
  /** Who asks: a reading uses this token where the App is not installed. */
  caller: Caller
  repository: Repository
  /** A create waits for settings that were never read. */
  isCreate: boolean
  /** False where the caller sent `Prefer: wait=0`: nothing waits for a reading of the pull requests then. */
  mayWait: boolean
}

export interface ViewerParts extends GithubParts {
  keyOf(token: string): string
  seesPulls(caller: Caller, repository: Repository): Promise<boolean>
  /** Absent without an App. */
  app: (Installed & { octokitOf(installationId: number): Promise<Pick<Octokit, 'rest'>> }) | undefined
  githubApiUrl: string
}

/** What a caller sees of open pull requests, and the settings of the repository. */
export function createViewer(parts: ViewerParts) {
  const { prisma, now, defaults, keyOf, seesPulls, app, githubApiUrl: apiUrl, githubServerUrl } = parts
  const beginReading = createCallerReadings(parts, apiUrl)
  const beginSettings = createSettingsReadings(parts)
  return async ({ caller, repository, isCreate, mayWait }: Viewed): Promise<View> => {
    let row = await rememberRepository(prisma, repository, now())
    const byApp = app !== undefined && isReadByApp(row)
    const client = async () => (byApp ? app.octokitOf(Number(row.installation_id)) : octokitOf(caller.token, apiUrl))
    const reading = beginSettings(row, byApp ? 'app' : keyOf(caller.token), client)
    if (reading && isCreate && row.settings_read_at === null) {
      await Promise.race([reading, sleep(waitMs.settings, undefined, { ref: false })])
      row = await prisma.repository.findUniqueOrThrow({ where: { repository_id: repository.id } })
    }
    const settings = settingsInForce(row.settings, defaults)
    return {
      settings,
      settingsFacts: () => settingsFacts(row, settings.values, app),
      seesPulls: () => seesPulls(caller, repository),
      async observe(wait) {
        if (!settings.values.enabled) return { pull_requests: 'off', ...nothingRead }
        if (!(await seesPulls(caller, repository))) return { pull_requests: 'unavailable', ...nothingRead }
        if (!byApp) {
          const observing = { repository: repositoryOf(row), settings: settings.values, githubServerUrl }
          const begun = await beginReading(row, observing, { token: caller.token, key: keyOf(caller.token) })
          if (begun?.isWorthWaiting && wait && mayWait)
            await Promise.race([begun.isDone, sleep(waitMs.pulls, undefined, { ref: false })])
        }
        return observationOf(prisma, repository.id, { byApp, now: now() })
      },
    }
  }
}

export type Viewer = ReturnType<typeof createViewer>
