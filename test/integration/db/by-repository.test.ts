import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { redeliver } from '../../../src/service/github/recovery/redeliver.ts'
import { sweep } from '../../../src/service/jobs/sweep.ts'
import { countLiveRecords } from '../../../src/service/telemetry/live-records.ts'
import { operations } from '../../support/arbitrary/document.ts'
import { requestOf } from '../../support/arbitrary/request.ts'
import { day, hour } from '../../support/clock.ts'
import { deliver } from '../../support/deliveries.ts'
import { faults } from '../../support/github/faults.ts'
import { silentLog } from '../../support/log.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { unsharded } from '../../support/sharding.ts'
import { countingObserver, startObserving, startSyncing } from '../observed/observing.ts'
import { withSettings } from '../settings/settings.ts'
import { appOf, hookUp, record } from '../webhooks/recovery.ts'

/** Tables that are of the service as a whole, and hold nothing of a repository. */
const ofTheService = [
  ...['_prisma_migrations', 'call_budgets', 'leases', 'redeliveries', 'report_paces', 'service_facts', 'spent_seals'],
  'webhook_deliveries',
]

/** What crosses repositories on purpose: each finds its rows by an index of its own, which no repository begins. */
const crossings: Record<string, RegExp> = {
  'work is linked to a pull request of whatever repository': /pr_repository_id = \$\d+ and pr_number = \$\d+/,
  'work that covers a pull request is found by its link, then by its repository':
    /from activities where pr_repository_id = pull\.repository_id and pr_number = pull\.number offset 0\) as recorded where recorded\.repository_id = pull\.repository_id/,
  'the sweeper archives what is due': /ended_at is null and expires_hour <= \$1/,
  'the sweeper expires notables that are due': /from notables where ended_at is null and expires_at <= \$1/,
  'the sweeper purges what ended long ago': /^delete from (activities|notables) as record .*ended_at <= \$1/,
  'the sweeper forgets used keys': /^delete from idempotency_keys where ctid = any/,
  'the sweeper forgets old changes': /delete from change_log where \(repository_id, txid, seq\) in/,
  'the App looks for the oldest work that a merge in a repository may archive':
    /^select least\( ?\(select min\(created_at\) from activities where repository_id = \$\d+ and branch is not null/,
  'the metrics count what is live':
    /^SELECT COUNT\(\*\) .* FROM "public"."(activities|notables)" WHERE .*"ended_at" IS NULL AND .*"expires_at" >/,
  'the App looks for repositories whose pull requests are to be listed':
    /FROM "public"."observed_repositories" WHERE \(.*"by_app" = \$1/,
  'several repositories that are due are found in one statement':
    /FROM "public"."repositories" WHERE "public"."repositories"."repository_id" IN \(/,
  'the App records which first readings are complete':
    /^update observed_repositories as observed set completed_at = walked_at where observed.by_app/,
  'the App looks for repositories where its check suites are not ended':
    /^select repository_id, owner, .* from observed_repositories .* where observed.by_app and observed.may_write_checks/,
  'the App looks for repositories whose check runs are to be looked at':
    /^select repository_id, owner, .* bool_and\(by_notable\) as only_notables, .* from report_marks where due_at <= \$1/,
  'an installation says of all its repositories whether check runs are granted':
    /^update observed_repositories set may_write_checks = \$1, .* where repository_id = any\(/,
  'the sweeper deletes pull requests that ended long ago': /^delete from pull_requests as pull using/,
  'the sweeper deletes pushes of long ago': /^delete from pushed_branches as pushed using/,
  'an event of an owner is about the settings of all of theirs':
    /from repository_settings where lower\(owner\) = lower/,
  'an event may tell a repository by its name alone': /FROM "public"."repositories" WHERE \(.*"owner" ILIKE/,
}

let service: TestService
let tables: Set<string>
const statements = new Set<string>()

const read = async <Row extends z.ZodRawShape>(shape: Row, sql: string) =>
  z.array(z.object(shape)).parse((await service.db.query(sql)).rows)

beforeAll(async () => {
  service = await startTestService({
    githubApp: true,
    observer: countingObserver(),
    database: {
      emit: (event) => {
        if (event.kind === 'query') statements.add(event.text.replaceAll(/\s+/g, ' ').trim())
      },
    },
  })
  const columns = await read(
    { table_name: z.string() },
    `select table_name from information_schema.columns where table_schema = 'public' and column_name = 'repository_id'`,
  )
  tables = new Set(columns.map(({ table_name }) => table_name))
})
afterAll(() => service.stop())

describe('every table of a repository', () => {
  it('has the repository first in its primary key', async () => {
    const keys = await read(
      { name: z.string(), first: z.string().nullable() },
      `select class.relname as name, attribute.attname as first
         from pg_class as class
         left join pg_index as index on index.indrelid = class.oid and index.indisprimary
         left join pg_attribute as attribute on attribute.attrelid = class.oid and attribute.attnum = index.indkey[0]
        where class.relkind in ('r', 'p') and class.relnamespace = 'public'::regnamespace`,
    )
    expect(
      keys
        .filter(({ name }) => !tables.has(name))
        .map(({ name }) => name)
        .sort(),
    ).toEqual(ofTheService)
    expect(keys.filter(({ name, first }) => tables.has(name) && first !== 'repository_id')).toEqual([])
    expect(tables.size).toBeGreaterThanOrEqual(8)
  })

  it('is used with its repository in every statement, except for known exceptions', async () => {
    await askEverything()
    await hearEverything()
    await letTimePass()
    const found = [...statements].filter((sql) => unsharded(sql, tables).length > 0)
    const known = Object.values(crossings)
    expect(found.filter((sql) => !known.some((crossing) => crossing.test(sql)))).toEqual([])
    const unused = Object.entries(crossings).filter(([, crossing]) => !found.some((sql) => crossing.test(sql)))
    expect(unused.map(([why]) => why)).toEqual([])
    for (const table of tables)
      expect(
        [...statements].filter((sql) => sql.includes(table)),
        table,
      ).not.toEqual([])
    expect(statements.size).toBeGreaterThan(60)
  }, 300_000)
})

/** Every operation of the API, with all that may be asked of it. */
async function askEverything() {
  const repository = service.newRepository()
  const scope = { areas: ['auth'], paths: ['src/auth', '**/*.md'] }
  const work = { title: 'Login', summary: 'Rework it.', actor: 'Alice', branch: 'feat', base_branch: 'stack', scope }
  const { activity } = await repository.created('/activity', work)
  const known = {
    activity: fc.constant(activity.id),
    notable: fc.constant((await repository.raised({ scope })).id),
  }
  for (const operation of operations) {
    const asked = fc.asyncProperty(requestOf(operation, known), async ({ method, path, ...sent }) => {
      await repository.call(method, path, sent)
    })
    await fc.assert(asked, { numRuns: 15 })
  }
  for (const key of ['once', 'once']) await repository.post('/activity', work, { headers: { 'idempotency-key': key } })
  await repository.patch(`/activity/${activity.id}`, { status: 'merged' })
  await repository.check({ ...work, tags: ['auth'], issues: [42] })
}

/** The life of pull requests and branches, of repositories and their owners, as GitHub tells of it. */
async function hearEverything() {
  hookUp(service)
  const { repository, write } = withSettings(service, 'version: 1\nactivity_ttl_ms: 7200000\n')
  const { github } = service
  await record(repository)
  const { number } = await github.openPullRequest(repository, { head: 'feat' })
  await github.push(repository, 'feat')
  await github.mergePullRequest(repository, number)
  await record(repository, { branch: 'gone' })
  await github.push(repository, 'gone')
  await github.deleteBranch(repository, 'gone')
  write(null)
  await github.push(repository, 'main')
  await github.renameRepository(repository, 'renamed')
  const { webhookSecret: secret } = github.data.app
  const { owner } = repository
  const nameless = { name: 'renamed', full_name: `${owner}/renamed`, owner: { login: owner }, pushed_at: null }
  await deliver(service, 'delete', { ref: 'x', ref_type: 'branch', repository: nameless }, { secret })
  const ownersOwn = { id: 9, name: '.github', owner: { login: owner }, default_branch: 'main' }
  const commits = [{ added: [], modified: ['.github/headsup.yml'], removed: [] }]
  await deliver(service, 'push', { ref: 'refs/heads/main', commits, repository: ownersOwn }, { secret })
  await github.settled()
}

/** What is done by the clock alone. */
async function letTimePass() {
  const deps = { db: service.db, app: appOf(service), log: silentLog, now: service.clock.now }
  service.github.install('acme')
  const repository = service.newRepository()
  await record(repository)
  await startSyncing(service).pass()
  await observePullRequests(repository)
  await redeliver(deps)
  await countLiveRecords(service.db, service.clock.now())
  for (const passed of [hour, 2 * day, 40 * day]) {
    service.clock.advance(passed)
    await sweep(service.db, { now: service.clock.now(), retentionMs: 30 * day })
  }
}

/** Listed, read, changed, missing and refused pull requests. */
async function observePullRequests(repository: TestRepository) {
  const { github, clock } = service
  const { all, report } = startObserving(service)
  for (const head of ['one', 'two', 'three'])
    await github.openPullRequest(repository, { head, files: [{ path: 'a.ts' }] })
  await all()
  await report()
  clock.advance(hour)
  await github.mergePullRequest(repository, 1)
  await github.push(repository, 'two')
  await all()
  await report()
  await github.rerequestCheckRun(repository, github.data.repositories.get(Number(repository.id))?.checkRuns[0]?.id ?? 0)
  github.fail(faults.unicorn(), { path: /check-/ })
  await report()
  github.data.repositories.get(Number(repository.id))?.pulls.pop()
  clock.advance(day)
  await github.push(repository, 'two')
  github.fail(faults.unicorn(), { path: /\/files/ })
  await all()
  github.heal()
  await startObserving(service, { settings: { enabled: false } }).all()
}
