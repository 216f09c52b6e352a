import { expect, it } from 'vitest'
import type { SavedSettings } from '../../../src/service/records/settings/saved-settings.ts'
import {
  findSavedSettings,
  invalidateSettings,
  saveSettings,
} from '../../../src/service/records/settings/settings-store.ts'
import { openTestDatabase } from '../../support/open-test-database.ts'

const db = await openTestDatabase()

/** Names that a JSON layer could treat specially. */
const areas = Object.fromEntries(['$type', 'toJSON', 'constructor', 'value', '😀'].map((name) => [name, ['src/**']]))

const saved: SavedSettings = {
  file: {
    values: { max_activity_ttl_ms: Number.MAX_SAFE_INTEGER, areas },
    origin: { repository: 'acme/web', path: 'p', sha: 's', read_at: new Date('2026-11-20T09:30:00.123Z') },
  },
  problems: [{ field: '$type', message: 'is not a known key' }],
  etag: { repository: 'acme/.github', etag: 'W/"e"' },
  checkedAt: new Date('2026-11-20T09:30:01.456Z'),
  invalidations: 3,
  invalidationsSeen: 3,
}

it('saved settings are found as they were saved, with any name of an area', async () => {
  await saveSettings(db, { id: 1n, owner: 'acme' }, saved)
  expect(await findSavedSettings(db, 1n)).toEqual(saved)
  await saveSettings(db, { id: 1n, owner: 'acme' }, { ...saved, file: null, etag: null })
  expect(await findSavedSettings(db, 1n)).toEqual({ ...saved, file: null, etag: null })
})

it('an invalidation that is counted while the file is read stays when the result is saved', async () => {
  await saveSettings(db, { id: 2n, owner: 'acme' }, saved)
  await invalidateSettings(db.prisma, 2n)
  await saveSettings(db, { id: 2n, owner: 'acme' }, saved)
  expect(await findSavedSettings(db, 2n)).toEqual({ ...saved, invalidations: 4 })
})
