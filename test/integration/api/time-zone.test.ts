import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweep } from '../../../src/service/jobs/sweep.ts'
import { day, hour, minute } from '../../support/clock.ts'
import { deliver, repositoryPayload } from '../../support/deliveries.ts'
import { query } from '../../support/query.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { settingsOf, withSettings } from '../settings/settings.ts'

const work = { title: 'Login', summary: 'Rework it.', actor: 'Alice', branch: 'feat', scope: { paths: ['src/a.ts'] } }

describe.each([{ TimeZone: 'Asia/Tokyo' }, { TimeZone: 'America/St_Johns', DateStyle: 'SQL, DMY' }])(
  'in a database whose defaults are %j',
  (databaseSettings) => {
    let service: TestService

    beforeAll(async () => {
      service = await startTestService({ databaseSettings, githubApp: true, settings: { activity_ttl_ms: hour } })
    })
    afterAll(() => service.stop())

    const databaseUrl = () => service.db.pool.options.connectionString ?? ''
    const later = (ms: number) => new Date(service.clock.now().getTime() + ms).toISOString()
    const see = async (repository: TestRepository, path: string) =>
      (await repository.get(path)).body as Record<string, unknown>
    const sweepNow = () => sweep(service.db, { now: service.clock.now(), retentionMs: 30 * day })

    it('the database does have these defaults', async () => {
      const shown = Object.keys(databaseSettings).map((name) => `current_setting('${name}') as "${name}"`)
      expect(await query(databaseUrl(), `select ${shown}`)).toEqual([databaseSettings])
    })

    it('an activity is read with the instants that it was created with, and stored with them', async () => {
      const repository = service.newRepository()
      const { activity } = await repository.created('/activity', work)
      const instants = { created_at: later(0), updated_at: later(0), expires_at: later(hour) }
      expect(activity).toMatchObject(instants)
      expect(await see(repository, `/activity/${activity.id}`)).toMatchObject({ status: 'active', ...instants })
      expect((await repository.page('/activity')).items).toMatchObject([instants])
      const stored = 'extract(epoch from created_at)::text as created, extract(epoch from expires_at)::text as expires'
      const [row] = await query(databaseUrl(), `select ${stored} from activities where id = '${activity.id}'`)
      const epoch = service.clock.now().getTime() / 1000
      expect(row).toEqual({ created: epoch.toFixed(6), expires: (epoch + 3600).toFixed(6) })
    })

    it('an activity collides with a new one and with a proposal until it expires', async () => {
      const repository = service.newRepository()
      const { activity } = await repository.created('/activity', work)
      const second = await repository.created('/activity', { ...work, branch: 'other' })
      expect(second.overlap.related_activity_ids).toEqual([activity.id])
      await repository.post(`/activity/${second.activity.id}/archive`)
      const proposal = { scope: work.scope, branch: 'third' }
      service.clock.advance(hour - 1)
      expect((await repository.check(proposal)).related_activity_ids).toEqual([activity.id])
      service.clock.advance(1)
      expect((await repository.check(proposal)).related_activity_ids).toEqual([])
    })

    it('a heartbeat counts from its own instant', async () => {
      const repository = service.newRepository()
      const { id } = (await repository.created('/activity', work)).activity
      service.clock.advance(30 * minute)
      const beaten = { heartbeat_at: later(0), expires_at: later(hour) }
      expect((await repository.post(`/activity/${id}/heartbeat`)).body).toMatchObject(beaten)
      expect(await see(repository, `/activity/${id}`)).toMatchObject({ status: 'active', ...beaten })
    })

    it('an update counts from its own instant', async () => {
      const repository = service.newRepository()
      const { id } = (await repository.created('/activity', work)).activity
      service.clock.advance(minute)
      expect((await repository.patch(`/activity/${id}`, { title: 'Sign-in' })).body).toMatchObject({
        updated_at: later(0),
      })
      expect(await see(repository, `/activity/${id}`)).toMatchObject({ updated_at: later(0) })
    })

    it('an activity expires at its instant, and the sweeper writes that instant', async () => {
      const repository = service.newRepository()
      const { id, expires_at } = (await repository.created('/activity', work)).activity
      service.clock.advance(hour - 1)
      await sweepNow()
      expect(await see(repository, `/activity/${id}`)).toMatchObject({ status: 'active' })
      service.clock.advance(1)
      const archived = { status: 'archived', archived_at: expires_at, archived_reason: 'expired' }
      expect(await see(repository, `/activity/${id}`)).toMatchObject(archived)
      expect((await sweepNow()).archived).toBeGreaterThanOrEqual(1)
      expect(await see(repository, `/activity/${id}`)).toMatchObject(archived)
      service.clock.advance(30 * day - 1)
      await sweepNow()
      expect((await repository.get(`/activity/${id}`)).status).toBe(200)
      service.clock.advance(1)
      expect((await sweepNow()).purged_activities).toBeGreaterThanOrEqual(1)
      expect((await repository.get(`/activity/${id}`)).status).toBe(404)
    })

    it('a notable matches until the instant that was given, and expires at its own', async () => {
      const repository = service.newRepository()
      const until = later(5 * hour)
      const { id } = await repository.raised({ applies_until: until, scope: work.scope })
      const instants = { created_at: later(0), applies_until: until, expires_at: later(7 * day) }
      expect(await see(repository, `/notables/${id}`)).toMatchObject(instants)
      const matching = async () => (await repository.check({ scope: work.scope })).related_notable_ids
      service.clock.advance(5 * hour - 1)
      expect(await matching()).toEqual([id])
      service.clock.advance(1)
      expect(await matching()).toEqual([])
      service.clock.advance(7 * day - 5 * hour - 1)
      expect(await see(repository, `/notables/${id}`)).toMatchObject({ status: 'active' })
      service.clock.advance(1)
      expect(await see(repository, `/notables/${id}`)).toMatchObject({ status: 'expired' })
    })

    it('an idempotency key is remembered for a day, whenever the sweeper runs', async () => {
      const repository = service.newRepository()
      const create = () => repository.post('/activity', work, { headers: { 'idempotency-key': 'one' } })
      const first = await create()
      service.clock.advance(day - minute)
      await sweepNow()
      const again = await create()
      expect(again.headers.get('idempotency-replayed')).toBe('true')
      expect(again.body).toEqual(first.body)
      service.clock.advance(2 * minute)
      await sweepNow()
      expect((await create()).headers.get('idempotency-replayed')).toBeNull()
    })

    it('a settings file is shown with the instant at which it was read, by another instance too', async () => {
      const { repository } = withSettings(service, 'pr_reminder_after_ms: 1000')
      const readAt = later(0)
      expect((await settingsOf(repository)).file).toMatchObject({ read_at: readAt })
      // The response does not wait until the file is saved.
      const saved = 'select from repository_settings where repository_id = $1'
      await expect.poll(async () => (await service.db.query(saved, [repository.id])).rowCount).toBe(1)
      service.clock.advance(minute)
      const other = await startTestService({ sharedWith: service, githubApp: true })
      expect((await settingsOf(other.as(repository))).file).toMatchObject({ read_at: readAt })
      await other.stop()
    })

    it('the deletion of a branch archives the work that was there at its instant, and none that came later', async () => {
      const repository = service.newRepository()
      const before = (await repository.created('/activity', work)).activity
      service.clock.advance(minute)
      const deletion = {
        ref: 'feat',
        ref_type: 'branch',
        repository: repositoryPayload(repository, { pushed_at: later(0) }),
      }
      service.clock.advance(minute)
      const after = (await repository.created('/activity', work)).activity
      await deliver(service, 'delete', deletion, { secret: service.github.data.app.webhookSecret })
      const archived = { status: 'archived', archived_reason: 'branch_deleted' }
      expect(await see(repository, `/activity/${before.id}`)).toMatchObject(archived)
      expect(await see(repository, `/activity/${after.id}`)).toMatchObject({ status: 'active' })
    })

    it('a push is a heartbeat', async () => {
      const repository = service.newRepository()
      const { id } = (await repository.created('/activity', work)).activity
      service.clock.advance(20 * minute)
      const push = {
        ref: 'refs/heads/feat',
        commits: [],
        repository: repositoryPayload(repository, { pushed_at: later(0) }),
      }
      await deliver(service, 'push', push, { secret: service.github.data.app.webhookSecret })
      const beaten = { heartbeat_at: later(0), expires_at: later(hour) }
      expect(await see(repository, `/activity/${id}`)).toMatchObject(beaten)
    })
  },
)
