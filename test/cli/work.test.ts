import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import nock from 'nock'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Recorded } from '../../src/cli/api.ts'
import { type Clone, colleagueOf, lines, newDirectory, openClone, workOn } from '../support/command-line.ts'
import { query } from '../support/database.ts'
import { type Client, clientOf, startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(async () => {
  nock.cleanAll()
  await service.stop()
})

const start = (clone: Clone, ...args: string[]) => clone.json<Recorded>(['start', ...args])
const update = (clone: Clone, ...args: string[]) => clone.json<Recorded>(['update', ...args])

async function live(client: Client): Promise<{ id: string; branch: string | null }[]> {
  return (await client.get('/activity')).body.items
}

/** The service behind an address at which the answer to the first POST of a path is lost, or the POST itself. */
async function losingFirst(path: string, isPassedOn = true): Promise<string> {
  let isLost = false
  const server = createServer(async (request, response) => {
    const { method = '', headers } = request
    const body = await text(request)
    const isLoss = !isLost && method === 'POST' && request.url?.endsWith(path)
    isLost ||= isLoss === true
    if (isLoss && !isPassedOn) return response.destroy()
    const passed = ['authorization', 'idempotency-key'].map((name) => [name, String(headers[name] ?? '')])
    const answer = await fetch(service.url + request.url, {
      ...{ method, headers: Object.fromEntries(passed.filter(([, value]) => value !== '')) },
      ...(body !== '' && { body }),
    })
    const whole = await answer.text()
    if (isLoss) response.destroy()
    else response.writeHead(answer.status).end(whole)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('§14 start', () => {
  it('records the branch, the named paths, what is changed, and tells what collides', async () => {
    const alice = clientOf(service)
    const bob = colleagueOf(service, alice)
    const named = ['src/auth', '--title', 'Login', '--area', 'auth']
    const first = await start(workOn(service, alice, 'fix/login', [105]), ...named)
    expect(first.activity).toMatchObject({
      ...{ title: 'Login', summary: 'Login', actor: alice.token, branch: 'fix/login', base_branch: null, risk: 'low' },
      ...{ scope: { areas: ['auth'], paths: ['src/auth/'] }, changes: { by: 'client', files_total: 1 } },
    })
    const second = await workOn(service, bob, 'feat/bob', [105]).headsup(['start', '--risk', 'high'])
    expect(second).toMatchObject({ code: 0, err: '' })
    expect(second.out).toMatch(/^Recorded: act_\w+ {2}“Work on feat\/bob”/)
    expect(second.out).toContain('Overlap, high severity.')
  })

  it('brings the record up to date; a new one keeps what was said of work that expired, not of work that was ended', async () => {
    const alice = clientOf(service)
    const clone = workOn(service, alice, 'fix/login', [105])
    const said = ['--title', 'Login', '--summary', 'Why', '--risk', 'high', '--issue', '7']
    const first = (await start(clone, 'src/auth', ...said)).activity
    expect((await start(clone, '--risk', 'medium')).activity).toMatchObject({ id: first.id, risk: 'medium' })
    const expire = "update activities set expires_at = now() - interval '1 hour' where id = $1"
    await query(service.databaseUrl, expire, [first.id])
    const second = (await start(clone)).activity
    expect(second.id).not.toBe(first.id)
    const { title, summary, issues, scope } = first
    expect(second).toMatchObject({ title, summary, issues, scope, risk: 'medium' })
    await alice.post(`/activity/${second.id}/archive`)
    const third = (await start(clone)).activity
    expect(third).toMatchObject({ title: 'Work on fix/login', issues: [], risk: 'low' })
    expect((await live(alice)).map(({ id }) => id)).toEqual([third.id])
  })

  it('records nothing that says nothing: on the default branch something is changed, or named', async () => {
    const alice = clientOf(service)
    const clone = workOn(service, alice, 'x')
    clone.git('switch', '-q', 'main')
    const refused = await clone.headsup(['start', '--risk', 'high'])
    expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Nothing is changed on main yet') })
    expect(await live(alice)).toEqual([])
    const { activity } = await start(clone, '--title', 'Rework the login')
    expect((await start(clone)).activity).toMatchObject({ id: activity.id, title: 'Rework the login' })
  })

  it('makes one record where the answer to the first try got lost', async () => {
    const alice = clientOf(service)
    const clone = workOn(service, alice, 'fix/login', [105])
    const url = await losingFirst('/activity')
    expect(await clone.headsup(['start', '--url', url])).toMatchObject({ code: 3, err: expect.stringContaining(url) })
    clone.write('src/cart.ts', lines({ 3: 'x' }))
    const { activity } = await clone.json<Recorded>(['start', '--url', url])
    expect(await live(alice)).toMatchObject([{ id: activity.id, changes: { files_total: 2 } }])
  })

  it('sends what got no answer again within an hour alone: later it tells of work that is over', async () => {
    const alice = clientOf(service)
    const clone = workOn(service, alice, 'fix/login', [105])
    clone.commit()
    await clone.headsup(['start', '--url', await losingFirst('/activity', false)])
    clone.git('switch', '-qc', 'feat/cart', 'main')
    const { activity } = await clone.json<Recorded>(['start'], { now: () => Date.now() + 7_200_000 })
    expect(await live(alice)).toMatchObject([{ id: activity.id, branch: 'feat/cart' }])
  })

  it('makes two records of two people on branches of one name, and each has their own', async () => {
    const alice = clientOf(service)
    const bob = colleagueOf(service, alice)
    const clone = workOn(service, alice, '42-add-cart', [105])
    const copy = clone.copyFor(bob)
    const [first, second] = [await start(clone), await start(copy)]
    expect(second.overlap.related_activity_ids).toEqual([first.activity.id])
    await update(copy, '--risk', 'high')
    const { body } = await alice.get(`/activity/${first.activity.id}`)
    expect(body).toMatchObject({ risk: 'low', issues: [42], author_login: 'alice' })
  })

  it('has a record for each work tree, and one for a detached head', async () => {
    const alice = clientOf(service)
    const clone = workOn(service, alice, 'fix/login', [105])
    const path = join(newDirectory(), 'linked')
    clone.git('worktree', 'add', '-q', '--detach', path)
    const linked = openClone(service, alice, path)
    linked.write('src/cart.ts', lines({ 3: 'x' }))
    const [first, second] = [await start(clone), await start(linked)]
    expect(second.activity).toMatchObject({ branch: null })
    expect((await start(linked)).activity.id).toBe(second.activity.id)
    expect((await start(clone)).activity.id).toBe(first.activity.id)
  })
})

describe('§14 outside of a clone', () => {
  it('start, update and done find the record of their directory again, and a check in another one is told of it', async () => {
    const alice = clientOf(service)
    const { owner, name } = alice.repository
    const outside = openClone(service, alice, newDirectory())
    const run = async (command: string, ...args: string[]) =>
      outside.json<Recorded & { id: string }>([command, ...args, '--repo', `${owner}/${name}`])
    const { activity } = await run('start', 'src/cart.ts')
    expect(activity).toMatchObject({ branch: null, scope: { paths: ['src/cart.ts'] } })
    const check = ['check', 'src/cart.ts', '--repo', `${owner}/${name}`]
    expect(await outside.json(check, { cwd: newDirectory() })).toMatchObject({ related_activity_ids: [activity.id] })
    // No git knows the paths.
    const unmet = await outside.headsup(['check', 'src/new.ts', '--repo', `${owner}/${name}`])
    expect(unmet.out).not.toMatch(/go ahead|No overlap\./i)
    expect(await outside.json(check)).toMatchObject({ expected_activity_ids: [activity.id] })
    expect((await run('start', 'src/auth')).activity.id).toBe(activity.id)
    expect((await run('start', '--branch', 'fix/login')).activity.id).not.toBe(activity.id)
    expect((await run('update', '--risk', 'high')).activity).toMatchObject({ id: activity.id, risk: 'high' })
    expect((await run('done')).id).toBe(activity.id)
    expect(await live(alice)).toMatchObject([{ branch: 'fix/login' }])
    const again = await outside.headsup(['done', '--repo', `${owner}/${name}`])
    expect(again).toMatchObject({ code: 3, err: expect.stringContaining('is found by --branch') })
  })
})

describe('§14 the record follows the work tree', () => {
  it('from the default branch to the one that is made after the first edit', async () => {
    const alice = clientOf(service)
    const clone = workOn(service, alice, 'x')
    clone.git('switch', '-q', 'main')
    clone.write('src/auth/login.ts', lines({ 15: 'x' }))
    const { activity } = await start(clone)
    clone.git('switch', '-qc', 'fix/x')
    clone.write('src/auth/login.ts', lines({ 15: 'x', 17: 'y' }))
    expect(await clone.json(['check'])).toMatchObject({ related_activity_ids: [] })
    const shown = { branch: 'fix/x', title: 'Work on fix/x', summary: 'Work on fix/x' }
    expect((await start(clone)).activity).toMatchObject({ id: activity.id, ...shown })
    expect(await live(alice)).toHaveLength(1)
  })

  it('under the new name of its branch', async () => {
    const clone = workOn(service, clientOf(service), 'old', [105])
    clone.commit()
    const { activity } = await start(clone, '--summary', 'Why')
    clone.git('branch', '-m', 'new')
    const shown = { branch: 'new', title: 'Work on new', summary: 'Why' }
    expect((await update(clone)).activity).toMatchObject({ id: activity.id, ...shown })
  })

  it('from a branch without commits of its own, as long as it lives', async () => {
    const alice = clientOf(service)
    const clone = workOn(service, alice, 'first', [105])
    const { activity } = await start(clone, '--title', 'Mine')
    clone.git('switch', '-qc', 'second')
    const shown = { id: activity.id, branch: 'second', title: 'Mine', summary: 'Mine' }
    expect((await start(clone)).activity).toMatchObject(shown)
    await alice.post(`/activity/${activity.id}/archive`)
    clone.git('switch', '-qc', 'third')
    expect((await start(clone)).activity).toMatchObject({ branch: 'third', title: 'Work on third' })
    expect((await alice.get(`/activity/${activity.id}`)).body).toMatchObject(shown)
  })

  it('and stays where its branch has commits of its own', async () => {
    const alice = clientOf(service)
    const clone = workOn(service, alice, 'first', [105])
    clone.commit()
    const { activity } = await start(clone)
    clone.git('switch', '-qc', 'second', 'main')
    clone.write('src/cart.ts', lines({ 3: 'x' }))
    expect((await start(clone)).activity.id).not.toBe(activity.id)
    expect((await live(alice)).map(({ branch }) => branch)).toEqual(['second', 'first'])
  })
})

describe('§14 update and done', () => {
  it('take the newest live record of the account where this clone has none', async () => {
    const alice = clientOf(service)
    const bob = colleagueOf(service, alice)
    const clone = workOn(service, alice, 'fix/login', [105])
    const copy = clone.copyFor(bob)
    const { activity } = await start(clone)
    const none = expect.stringContaining('No live work of yours is recorded on fix/login: `headsup start`')
    expect(await copy.headsup(['update'])).toMatchObject({ code: 3, err: none })
    const elsewhere = clone.copyFor(alice)
    elsewhere.write('src/auth/login.ts', lines({ 7: 'x' }))
    const updated = await update(elsewhere, '--status', 'blocked', '--no-blocking', 'src/cart.ts')
    expect(updated.activity).toMatchObject({ id: activity.id, status: 'blocked', scope: { paths: ['src/cart.ts'] } })
    expect((await alice.get(`/activity/${activity.id}`)).body.changes.files).toMatchObject([{ lines: [[7, 7]] }])
    expect(await elsewhere.headsup(['done'])).toMatchObject({ code: 0, out: expect.stringContaining(activity.id) })
    expect(await elsewhere.headsup(['done'])).toMatchObject({ code: 3 })
  })

  it('keep the paths of a record where only areas are named', async () => {
    const clone = workOn(service, clientOf(service), 'fix/login', [105])
    await start(clone, 'src/auth', '--issue', '7')
    const { activity } = await update(clone, '--area', 'login')
    expect(activity).toMatchObject({ scope: { areas: ['login'], paths: ['src/auth/'] }, issues: [7] })
    expect((await update(clone, '--no-issue')).activity.issues).toEqual([])
  })
})
