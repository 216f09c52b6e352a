import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  activitySources,
  activityStatuses,
  archivedReasons,
  categories,
  importances,
  notableStatuses,
  risks,
} from '../../../src/core/enums.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService
let repository: TestRepository
let activity: string
let notable: string

beforeAll(async () => {
  service = await startTestService()
  repository = service.newRepository()
  const work = { title: 'T', summary: 'S', actor: 'A', pr_url: `https://github.com/acme/${repository.name}/pull/1` }
  activity = (await repository.created('/activity', work)).activity.id
  notable = (await repository.raised()).id
})
afterAll(() => service.stop())

/** The name of the constraint that refuses the change, or nothing where it goes through. */
async function refusedBy(table: 'activities' | 'notables', change: string): Promise<string | undefined> {
  const id = table === 'activities' ? activity : notable
  const client = await service.db.pool.connect()
  try {
    await client.query('begin')
    await client.query(`update ${table} set ${change} where repository_id = $1 and id = $2`, [repository.id, id])
    return undefined
  } catch (error) {
    return error instanceof Error && 'constraint' in error ? String(error.constraint) : String(error)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

describe('the constraints reject', () => {
  it.each([
    ['a status of nobody', `status = 'expired'`, 'activities_status_check'],
    [
      'an archived record without its instant',
      `status = 'archived', archived_reason = 'caller', ended_at = now()`,
      'activities_archived_at_when_archived',
    ],
    [
      'an archived record without its reason',
      `status = 'archived', archived_at = now(), ended_at = now()`,
      'activities_archived_reason_when_archived',
    ],
    ['an instant of archiving on live work', 'archived_at = now()', 'activities_archived_at_when_archived'],
    ['an end of live work', 'ended_at = now()', 'activities_ended_at_when_ended'],
    ['an ended record without its end', `status = 'merged'`, 'activities_ended_at_when_ended'],
    ['an expiry before creation', `expires_at = created_at - interval '1 second'`, 'activities_expires_after_creation'],
    ['a risk of nobody', `risk = 'huge'`, 'activities_risk_check'],
    ['an empty title', `title = ''`, 'activities_title_check'],
    ['101 paths', `paths = array_fill('a'::text, array[101])`, 'activities_paths_check'],
    ['a link without its URL', 'pr_url = null', 'activities_pr_is_whole'],
    ['a number without its repository', 'pr_repository_id = null', 'activities_pr_number_with_repository'],
    ['an id of another kind', `id = 'ntb_01m7ye1283f6na2gaqxswqck0t'`, 'activities_id_check'],
  ])('%s', async (_name, change, constraint) => {
    expect(await refusedBy('activities', change)).toBe(constraint)
  })

  it.each([
    ['a category of nobody', `category = 'fun'`, 'notables_category_check'],
    [
      'an archived notable without its instant',
      `status = 'archived', ended_at = now()`,
      'notables_archived_at_when_archived',
    ],
    ['an expired notable without its end', `status = 'expired'`, 'notables_ended_at_when_ended'],
  ])('%s', async (_name, change, constraint) => {
    expect(await refusedBy('notables', change)).toBe(constraint)
  })

  it('no valid row', async () => {
    expect(await refusedBy('activities', `status = 'merged', ended_at = now()`)).toBeUndefined()
    expect(await refusedBy('notables', `status = 'expired', ended_at = expires_at`)).toBeUndefined()
  })
})

describe('the check of a column allows exactly the words of the API in', () => {
  it.each<[column: string, words: readonly string[]]>([
    // Live work whose time is over is `expired` in responses, and never in its row.
    ['activities.status', activityStatuses.filter((status) => status !== 'expired')],
    ['activities.risk', risks],
    ['activities.archived_reason', archivedReasons],
    ['activities.source', activitySources],
    ['notables.status', notableStatuses],
    ['notables.importance', importances],
    ['notables.category', categories],
  ])('%s', async (column, words) => {
    const [table, name] = column.split('.')
    const { rows } = await service.db.query<{ definition: string }>(
      `select pg_get_constraintdef(oid) as definition from pg_constraint where conrelid = $1::regclass and conname = $2`,
      [table, `${table}_${name}_check`],
    )
    const allowed = [...(rows[0]?.definition ?? '').matchAll(/'([^']+)'/g)].map(([, word]) => word)
    expect(allowed.sort()).toEqual([...words].sort())
  })
})
