import { createGlobCache } from '../../src/core/scope/glob/glob-cache.ts'
import type { Context } from '../../src/service/context.ts'
import type { Database } from '../../src/service/db/database.ts'
import { defaultRecordLimits } from '../../src/service/records/repository/default-limits.ts'
import { createRecordLimiter } from '../../src/service/records/repository/record-limits.ts'
import type { Repository } from '../../src/service/records/repository/repository.ts'
import { mergeSettings } from '../../src/service/records/settings/effective.ts'
import { silentLog } from './log.ts'
import { testViewer } from './viewer.ts'

/** What an operation works with, for a caller who may do all and sees all. GitHub has only the repository. */
export function testContext(db: Database, repository: Repository, now: Date, changes: Partial<Context> = {}): Context {
  const effectiveSettings = { ...mergeSettings({}, {}), file: null, problems: [] }
  return {
    db,
    now,
    log: silentLog,
    requestId: 'req_test',
    repository,
    settings: effectiveSettings.settings,
    effectiveSettings,
    retentionMs: 30 * 86_400_000,
    recordLimiter: createRecordLimiter(db, defaultRecordLimits),
    readGlob: createGlobCache(),
    githubServerUrl: 'https://github.com',
    writesReports: false,
    viewer: testViewer().viewerOf(),
    appStatus: async () => ({ state: 'not_configured', permissions: null }),
    lookUpRepository: async () => null,
    ...changes,
  }
}
