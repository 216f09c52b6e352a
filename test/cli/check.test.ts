import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import nock from 'nock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Recorded } from '../../src/cli/api.ts'
import {
  aliceAndBob,
  type CheckAnswer,
  cloneOf,
  colleagueOf,
  lines,
  newDirectory,
  openClone,
  recordedBy,
  workOn,
} from '../support/command-line.ts'
import { observe } from '../support/observed.ts'
import { runGit } from '../support/run-git.ts'
import { clientOf, startTestService, type TestService, work } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(async () => {
  nock.cleanAll()
  await service.stop()
})

describe('§14 check', () => {
  it('compares the lines that the branch changes, and records nothing', async () => {
    const [alice, bob] = aliceAndBob(service)
    const id = await recordedBy(bob, [[104, 105]])
    const clone = workOn(service, alice, 'fix/login', [105])
    const ran = await clone.headsup(['check'])
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(ran.out).toContain('Overlap, high severity.')
    expect(ran.out).toContain('src/auth/login.ts')
    expect(await clone.json(['check'])).toMatchObject({ severity: 'high', related_activity_ids: [id], doubts: [] })
    expect((await alice.get('/activity?branch=fix/login')).body.items).toEqual([])
  })

  it('exits with 1 by --exit-code where a member’s work collides or a notable matches, else with 0', async () => {
    const [alice, bob] = aliceAndBob(service)
    const clone = workOn(service, alice, 'fix/login', [105])
    expect((await clone.headsup(['check', '--exit-code'])).code).toBe(0)
    const id = await recordedBy(bob, [[104, 105]])
    expect((await clone.headsup(['check', '--exit-code'])).code).toBe(1)
    await bob.post(`/activity/${id}/archive`)
    expect((await clone.headsup(['check', '--exit-code'])).code).toBe(0)
    await clone.headsup(['notable', 'raise', 'Freeze', '--importance', 'critical'])
    expect((await clone.headsup(['check', '--exit-code'])).code).toBe(1)
  })

  it('says that a try was not made where the head is not known to git', async () => {
    const [alice, bob] = aliceAndBob(service)
    const changes = { head_sha: 'a'.repeat(40), files: [{ path: 'src/auth/login.ts', lines: [[105, 105]] }] }
    const id = (await bob.post('/activity', { ...work, branch: 'their', changes })).body.activity.id
    const clone = workOn(service, alice, 'fix/login', [105])
    const answer = await clone.json(['check'])
    expect(answer.collisions).toMatchObject([{ head_sha: 'a'.repeat(40), changes_only: true }])
    const merges = [{ activity_id: id, conflicts: null }]
    expect(answer.merges).toEqual(merges)
    expect(await clone.json(['start'])).toMatchObject({ merges })
    expect(await clone.json(['check', '--no-merge'])).toMatchObject({ merges: [] })
  })

  it('tells of work that is retargeted to another base as near, and never that nothing meets this', async () => {
    const [alice, bob] = aliceAndBob(service)
    const clone = workOn(service, alice, 'fix/login', [105])
    clone.git('update-ref', 'refs/remotes/origin/feat/a', 'HEAD')
    await recordedBy(bob, [[105, 105]], { base_branch: 'main' })
    const answer = await clone.json(['check', '--base', 'origin/feat/a'])
    expect(answer).toMatchObject({ overlap_detected: false, clear: false, nearby_count: 1 })
    expect((await clone.headsup(['check', '--base', 'feat/a'])).out).toContain('main')
    const wrong = await clone.headsup(['check', '--base', 'mian'])
    expect(wrong).toMatchObject({ code: 2, out: '', err: expect.stringContaining('mian') })
  })

  it('compares with the default branch that GitHub has now, where the clone remembers another', async () => {
    const [alice, bob] = aliceAndBob(service)
    const clone = workOn(service, alice, 'fix/login')
    clone.git('update-ref', 'refs/remotes/origin/master', 'HEAD')
    clone.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/master')
    clone.write('src/auth/login.ts', lines({ 105: 'x' }))
    const id = await recordedBy(bob, [[100, 110]], { base_branch: 'main' })
    expect(await clone.json(['check'])).toMatchObject({ severity: 'high', related_activity_ids: [id] })
    await clone.headsup(['start'])
    const { items } = (await alice.get('/collisions')).body
    expect(items).toMatchObject([{ severity: 'high', by: 'lines' }])
  })

  it('takes the issue of the branch and prints it, unless it is told not to', async () => {
    const [alice, bob] = aliceAndBob(service)
    const id = (await bob.post('/activity', { ...work, branch: 'other', issues: [42] })).body.activity.id
    const clone = workOn(service, alice, '42-add-cart')
    const ran = await clone.headsup(['check'])
    expect(ran.err).toContain('#42')
    expect(await clone.json(['check'])).toMatchObject({ related_activity_ids: [id] })
    expect(await clone.json(['check', '--no-issue'])).toMatchObject({ related_activity_ids: [] })
    expect(await clone.json(['check', '--issue', '7', '--issue', '42', '.'])).toMatchObject({
      related_activity_ids: [id],
    })
    expect(await clone.json(['check', '--issue', '7'])).toMatchObject({ related_activity_ids: [] })
  })

  it('takes a sparse clone whole: what is not checked out is not removed, and can be named', async () => {
    const one = workOn(service, clientOf(service), 'fix/login', [105])
    // The files were copied, which git sees as touched.
    one.git('status')
    one.git('sparse-checkout', 'set', '--no-cone', '/src/auth/')
    expect(existsSync(join(one.path, 'src/cart.ts'))).toBe(false)
    expect(await one.json<Recorded & { doubts: [] }>(['start', 'src/cart.ts'])).toMatchObject({
      activity: { scope: { paths: ['src/cart.ts'] }, changes: { files_total: 1 } },
      doubts: [],
    })
  })

  it('needs no working directory that exists', async () => {
    const clone = workOn(service, clientOf(service), 'fix/login', [105])
    const cwd = join(clone.path, 'gone/deep')
    expect(existsSync(cwd)).toBe(false)
    expect(await clone.headsup(['check'], { cwd })).toMatchObject({ code: 0 })
  })

  it('is stacked on a pull request that is checked out under another name, and on one’s own', async () => {
    const [alice, bob] = aliceAndBob(service)
    const clone = workOn(service, alice, 'pr-12', [105])
    const head = clone.commit('Of #12')
    clone.write('src/cart.ts', lines({ 3: 'x' }))
    clone.commit('On top')
    const observation = observe(service.databaseUrl, alice.repository)
    const fork = { head_branch: 'fix', head_owner: 'paula', head_repository_id: 99n, head_sha: head }
    await observation.read([{ number: 12, ...fork, files: { 'src/auth/login.ts': [[105, 106]] }, is_outsider: true }])
    const id = await observation.idOf(12)
    await observation.stop()
    const stacked = { relationships: { [id]: 'stacked' }, expected_activity_ids: [id], related_activity_ids: [] }
    expect(await clone.json(['check'])).toMatchObject(stacked)
    const elsewhere = workOn(service, bob, 'other', [105])
    expect(await elsewhere.json(['check'])).toMatchObject({ relationships: { [id]: 'collision' } })
    const paula = clone.copyFor(colleagueOf(service, alice, 'paula'))
    expect(await paula.json(['check'])).toMatchObject({ ...stacked, relationships: { [id]: 'own' } })
  })

  it('takes a purged record for none', async () => {
    const [alice] = aliceAndBob(service)
    const clone = workOn(service, alice, 'fix/login', [105])
    clone.write('.git/headsup/state.json', '{"records": [')
    await clone.headsup(['start'])
    const state = readFileSync(join(clone.path, '.git/headsup/state.json'), 'utf8')
    clone.write('.git/headsup/state.json', state.replace(/act_\w+/, 'act_01h455vb4pex5vsknk084sn02q'))
    expect((await clone.headsup(['check'])).code).toBe(0)
  })
})

describe('§14 "Go ahead"', () => {
  const clear = 'No overlap.'

  it('is read where nothing stands in the way', async () => {
    const [alice] = aliceAndBob(service)
    const ran = await workOn(service, alice, 'fix/login', [105]).headsup(['check'])
    expect(ran.out).toContain(clear)
    expect(ran.out).toContain('Go ahead')
  })

  it.each(['src/atuh', 'src/auth/*.tsx', 'new.ts'])(
    'is never read of a path that git does not know: %s',
    async (path) => {
      const [alice] = aliceAndBob(service)
      const clone = workOn(service, alice, 'fix/login', [105])
      const ran = await clone.headsup(['check', 'src/cart.ts', path])
      expect(ran.out).toContain(`git does not know ${path} here`)
      expect(ran.out).not.toMatch(/go ahead|No overlap\./i)
      expect(await clone.json(['check', path])).toMatchObject({ doubts: [{ kind: 'unknown_paths' }] })
    },
  )

  it('is never read in a shallow clone without a merge base, of which no changes are sent', async () => {
    const [alice, bob] = aliceAndBob(service)
    await recordedBy(bob, [[1, 200]])
    const full = workOn(service, alice, 'fix/login', [105])
    full.commit()
    full.git('branch', '-f', 'main', 'origin/main')
    const path = join(newDirectory(), 'shallow')
    runGit(
      full.path,
      'clone',
      '-q',
      '--depth',
      '1',
      '--no-single-branch',
      '-b',
      'fix/login',
      `file://${full.path}`,
      path,
    )
    const clone = openClone(service, alice, path)
    clone.git('remote', 'set-url', 'origin', full.git('remote', 'get-url', 'origin'))
    const ran = await clone.headsup(['check'])
    expect(ran.out).toContain('git fetch --deepen')
    expect(ran.out).not.toMatch(/go ahead|Overlap, /i)
    expect(await clone.json(['check'])).toMatchObject({
      overlap_detected: false,
      doubts: [{ kind: 'changes_not_known' }],
    })
  })

  it('is never read in a clone without the default branch, whose head is not told as a whole change', async () => {
    const [alice] = aliceAndBob(service)
    const clone = workOn(service, alice, 'fix/login', [105])
    clone.commit()
    clone.git('update-ref', 'refs/remotes/origin/fix/login', 'HEAD')
    clone.git('update-ref', '-d', 'refs/remotes/origin/main')
    for (const args of [['check'], ['check', '--base', 'main', 'src/cart.ts']]) {
      const { out } = await clone.headsup(args)
      expect(out).toContain('`git fetch origin +refs/heads/main:refs/remotes/origin/main`')
      expect(out).not.toMatch(/go ahead/i)
    }
    const { activity, doubts } = await clone.json<Recorded & CheckAnswer>(['start'])
    expect(doubts).toMatchObject([{ kind: 'changes_not_known' }])
    expect(activity.changes).toMatchObject({ head_sha: null, files_total: 0 })
  })

  it('is never read in a clone of one commit, though its edits are compared', async () => {
    const [alice, bob] = aliceAndBob(service)
    const full = cloneOf(service, alice)
    const path = join(newDirectory(), 'shallow')
    runGit(full.path, 'clone', '-q', '--depth', '1', `file://${full.path}`, path)
    const clone = openClone(service, alice, path)
    clone.git('remote', 'set-url', 'origin', full.git('remote', 'get-url', 'origin'))
    clone.write('src/auth/login.ts', lines({ 105: 'x' }))
    const ran = await clone.headsup(['check'])
    expect(ran.out).toContain('shallow')
    expect(ran.out).not.toMatch(/go ahead|Overlap, /i)
    await recordedBy(bob, [[105, 105]])
    expect(await clone.json(['check'])).toMatchObject({ severity: 'high' })
  })
})
