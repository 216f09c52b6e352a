import { expect, it, onTestFinished } from 'vitest'
import { loadConfig } from '../../../src/service/config/config.ts'
import { startService } from '../../../src/service/service.ts'
import { createTestDatabase, databaseAt } from '../../support/database.ts'
import { silentLog } from '../../support/log.ts'
import { holdActivities } from '../overload/held-table.ts'

it('the service stops after the current batch of a sweep', async () => {
  const { url, drop } = await createTestDatabase()
  const db = databaseAt(url)
  onTestFinished(async () => {
    await db.close()
    await drop()
  })
  await db.query(`
    insert into activities (repository_id, id, title, summary, actor, status, risk, areas, area_keys, paths, draft_pr, blocking, expires_at, created_at, updated_at)
    select 1, 'act_' || lpad(n::text, 26, '0'), 'Due', 'Due.', 'Alice', 'active', 'low', '{}', '{}', '{}', false, false, now() - interval '1 hour', now() - interval '2 hours', now() - interval '2 hours'
      from generate_series(1, 1001) as n`)
  const table = await holdActivities(db)
  const { config } = loadConfig({
    DATABASE_URL: url,
    HOST: '127.0.0.1',
    PORT: '0',
    GITHUB_API_URL: 'http://127.0.0.1:9',
  })
  const service = await startService(config, silentLog)
  await table.untilWaiting(1)
  const stopping = service.stop()
  await table.release()
  await stopping
  const { rows } = await db.query('select count(*)::int as left from activities where ended_at is null')
  expect(rows).toEqual([{ left: 501 }])
})
