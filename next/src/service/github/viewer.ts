import type { View } from '../context.ts'
import type { Settings } from '../records/settings.ts'
import type { Asked, Repository } from './access.ts'

export interface Viewed {
  /** Who asks: a reading uses this token where the App is not installed. */
  caller: Asked
  repository: Repository
  /** A create waits for settings that were never read. */
  isCreate: boolean
  /** `Prefer: wait=0`: nothing waits for a reading. */
  mayWait: boolean
}

/** What a caller is told of open pull requests, and the settings of the repository. */
export function createViewer(settings: Settings) {
  return async (_viewed: Viewed): Promise<View> => ({
    settings,
    seesPulls: async () => true,
    observed: async () => ({ pull_requests: 'off', as_of: null, unread: 0 }),
  })
}

export type Viewer = ReturnType<typeof createViewer>
