import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeOnEachPostgres } from '../../support/each-postgres.ts'
import type { TestRepository, TestService } from '../../support/service.ts'

describeOnEachPostgres('the query plan of a check', (start) => {
  let own: TestService
  let repositories: TestRepository[]

  beforeAll(async () => {
    // Plans are counted for each connection.
    own = await start({ database: { poolSize: 1 } })
    const [large, small] = [own.newRepository(), own.newRepository()]
    for (let n = 0; n < 30; n++) await own.fill(large, 100, [`packages/p${n}/src/**`, `docs/p${n}/*.md`])
    await own.fill(small, 10, ['packages/p7/src/**'])
    await raiseMany(own, large, 3_000)
    await scatter(own, 2_000)
    await own.db.query('analyze')
    repositories = [small, large]
  })
  afterAll(() => own.stop())

  it.each([
    ['a file', 'unnest', { paths: ['a.ts'] }],
    ['an open beginning', 'lookup.after', { paths: ['*/x.ts'] }],
    ['an area', `kind = 'area'`, { areas: ['web'] }],
  ])('is made once for all repositories: %s', async (_, part, scope) => {
    for (const repository of repositories) {
      for (let times = 0; times < 15; times++) await repository.check({ scope: { areas: [], paths: [], ...scope } })
    }
    const { rows } = await own.db.query<{ generic: boolean; custom: number }>(
      `select generic_plans >= 10 as generic, custom_plans::int as custom from pg_prepared_statements
        where statement like '%scope_keys%' and statement like '%' || $1 || '%'`,
      [part],
    )
    // PostgreSQL makes five custom plans before it considers a generic one.
    expect(rows).toContainEqual({ generic: true, custom: 5 })
    expect(rows.filter(({ generic }) => !generic)).toEqual([])
  })

  it('finds keys and activities by their primary keys, also if most repositories have one activity', async () => {
    for (const plan of await plansOfChecks(own, repositories, ['packages/**', 'docs/**'])) {
      expect(plan).toMatch(eachActivityByItsKey)
      expect(plan).not.toMatch(/Filter: .*\(id = /)
      expect(plan).toMatch(/using scope_keys_pkey/)
      expect(plan).not.toMatch(/scope_keys_activity_id_repository_id_idx|Filter: .*\(key /)
    }
  })

  it('reads a few of thousands of rows by index scans', async () => {
    const plans = await plansOfChecks(own, repositories, ['packages/p7/src/x.ts', 'lib/**'])
    for (const plan of plans) expect(plan).not.toMatch(/Seq Scan on (scope_keys|activities)/)
  })

  it('finds activities by their primary key in a repository that has grown since the last ANALYZE', async () => {
    const fresh = await start()
    await scatter(fresh, 1_500)
    await fresh.db.query('analyze')
    const grown = fresh.newRepository()
    await fresh.fill(grown, 2_500, ['packages/src/**'])
    for (const plan of await plansOfChecks(fresh, [grown], ['packages/**'])) {
      expect(plan).toMatch(eachActivityByItsKey)
      expect(plan).not.toMatch(/Filter: .*\(id = /)
    }
    await fresh.stop()
  })

  it('finds an activity by its primary key while there is none, as foreign keys do with the plan of their first rows', async () => {
    const fresh = await start({ database: { poolSize: 1 } })
    await fresh.db.query('set plan_cache_mode = force_generic_plan')
    await fresh.db.query(
      'prepare of_foreign_key(bigint, text) as select from only activities where repository_id = $1 and id = $2 for key share',
    )
    const { rows } = await fresh.db.query<{ 'QUERY PLAN': string }>(`explain execute of_foreign_key(1, 'act_')`)
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(eachActivityByItsKey)
    await fresh.stop()
  })

  it('finds keys by their primary key before the first ANALYZE, as on the first day of an installation', async () => {
    const fresh = await start({ database: { poolSize: 1 } })
    const repository = fresh.newRepository()
    const pathsOf = (n: number) => Array.from({ length: 100 }, (_, m) => `packages/p${n}/src/feature-${m}/index.ts`)
    for (let n = 0; n < 20; n++) await fresh.fill(repository, 1, pathsOf(n))
    for (const plan of await plansOfChecks(fresh, [repository], pathsOf(3))) {
      expect(plan).toMatch(/using scope_keys_pkey/)
      expect(plan).not.toMatch(/Filter: .*\(key /)
    }
    await fresh.stop()
  })
})

const eachActivityByItsKey =
  /Index Scan using activities_pkey on activities\b.*\n\s*Index Cond: \(\(repository_id = .*\) AND \(id = /

/** The plans of eight checks in each of these repositories. */
async function plansOfChecks(of: TestService, repositories: TestRepository[], paths: string[]): Promise<string[]> {
  const plans = await plansOf(of)
  for (const repository of repositories) {
    for (let times = 0; times < 8; times++) await repository.check({ scope: { paths } })
  }
  const seen = plans.filter((plan) => plan.includes('from scope_keys'))
  expect(seen.length).toBeGreaterThan(0)
  return seen
}

/** Returns a list that grows by the plan of each statement on the pool's next connection. */
async function plansOf({ db }: TestService): Promise<string[]> {
  const plans: string[] = []
  const client = await db.pool.connect()
  await client.query(`load 'auto_explain'`)
  await client.query(
    `set auto_explain.log_min_duration = 0; set auto_explain.log_analyze = on; set client_min_messages = log`,
  )
  client.on('notice', ({ message = '' }) => plans.push(message))
  client.release()
  return plans
}

/** Creates repositories with one activity each. */
async function scatter({ db }: TestService, count: number) {
  await db.query(
    `with made as (
       insert into activities (repository_id, id, title, summary, actor, status, risk, areas, area_keys, paths, draft_pr, blocking, expires_at, created_at, updated_at)
       select 5000000 + n, 'act_01' || lpad(n::text, 24, '0'), 'T', 'S', 'A', 'active', 'low', '{}', '{}', '{src/a.ts}', false, false, now() + interval '1 day', now(), now()
         from generate_series(1, $1) n returning repository_id, id)
     insert into scope_keys (repository_id, kind, key, tail, activity_id)
     select repository_id, 'path', 'src/a.ts/', 'st.', id from made`,
    [count],
  )
}

/** Creates many notables with the same scope. */
async function raiseMany({ db }: TestService, repository: TestRepository, count: number) {
  const { id } = await repository.raised({ scope: { paths: ['docs/p1'] } })
  const { rows } = await db.query<{ others: string }>(
    `select string_agg(quote_ident(column_name), ', ') as others from information_schema.columns
      where table_name = 'notables' and column_name <> 'id'`,
  )
  await db.query(
    `insert into notables (id, ${rows[0]?.others})
     select overlay(id placing lpad(n::text, 6, '0') from 10), ${rows[0]?.others} from notables, generate_series(1, $2) n where id = $1`,
    [id, count],
  )
}
