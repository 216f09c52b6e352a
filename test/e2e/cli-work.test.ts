import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type ClonesStage, prepareClones } from '../support/clones.ts'
import { type Clone, jsonOf, workTree } from '../support/command-line.ts'
import type { TestRepository, TestService } from '../support/service.ts'
import { startProxy } from '../support/service-proxy.ts'

let service: TestService
let repository: TestRepository
let alice: Clone
let bob: Clone
let variables: ClonesStage['variables']

prepareClones((stage) => {
  ;({ service, repository, variables } = stage)
  alice = stage.clone('Alice')
  bob = stage.clone('Bob', { token: repository.otherWriter })
})

describe('the work of a branch', () => {
  it('is saved from its start to its end', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    const { activity } = await jsonOf(alice, 'start', 'src/auth', '--area', 'auth', '--risk', 'high')
    expect(activity).toMatchObject({
      actor: 'Alice',
      branch: 'feat/login',
      base_branch: 'main',
      risk: 'high',
      scope: { areas: ['auth'], paths: ['src/auth/**'] },
    })
    expect(await jsonOf(alice, 'beat')).toMatchObject({ id: activity.id })
    const { activity: updated } = await jsonOf(alice, 'update', 'docs/new.md', '--no-blocking')
    expect(updated).toMatchObject({ id: activity.id, scope: { areas: ['auth'], paths: ['docs/new.md'] } })
    expect(await jsonOf(alice, 'done')).toMatchObject({ id: activity.id, status: 'archived' })
    expect(await alice.headsup(['done'])).toMatchObject({
      code: 0,
      out: 'Nothing to finish: no live work is known on feat/login.\n',
    })
    expect(await alice.headsup(['beat'])).toMatchObject({ code: 4, err: expect.stringContaining('headsup start') })
  })

  it('needs the name of its actor only on a shared branch', async () => {
    for (const clone of [alice, bob]) clone.git('config', '--global', 'user.name', '')
    const done = (clone: Clone, ...more: string[]) => clone.headsup(['done', ...more])
    const nothing = (on: string) => ({ code: 0, err: '', out: `Nothing to finish: no live work is known on ${on}.\n` })
    alice.git('checkout', '-q', '-b', 'feat/login')
    bob.git('checkout', '-q', '-b', 'feat/login')
    for (const clone of [alice, bob]) {
      const { activity } = await jsonOf(alice, 'start', '--actor', 'Alice')
      expect(await done(clone)).toMatchObject({ code: 0, err: '', out: `${activity.id} is archived.\n` })
      expect(await done(clone)).toEqual(nothing('feat/login'))
    }
    expect(await bob.headsup(['beat'])).toMatchObject({
      code: 4,
      err: expect.stringContaining('No live work is known'),
    })
    bob.git('checkout', '-q', 'main')
    expect(await done(bob)).toEqual(nothing('main'))
    const { activity } = await jsonOf(alice, 'start', '--actor', 'Alice', '--branch', 'main')
    expect(await done(bob)).toMatchObject({ code: 2, err: expect.stringContaining('--id is needed') })
    expect(await done(bob, '--id', activity.id)).toMatchObject({ code: 0, err: '' })
  })

  it('is started in the name of the account where git has no name, and says so', async () => {
    bob.git('config', '--global', 'user.name', '')
    bob.git('checkout', '-q', '-b', 'feat/login')
    const { code, err } = await bob.headsup(['start'], { env: { USER: 'root' } })
    expect({ code, err }).toEqual({
      code: 0,
      err: 'Note: git has no user.name, so this work is recorded as that of “root”. --actor names another.\n',
    })
    expect(await bob.headsup(['start'], { env: { USER: 'root' } })).toMatchObject({ code: 0, err: '' })
  })

  it('without paths is started with a hint at the command that names them', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    const advice = '`headsup update PATH…` names the paths and checks them.'
    expect((await alice.headsup(['start'])).out).toContain(advice)
    expect((await alice.headsup(['start'])).out).toContain(advice)
    expect((await alice.headsup(['update', 'src'])).out).not.toContain(advice)
    expect((await alice.headsup(['start', 'src'])).out).not.toContain(advice)
    expect((await bob.headsup(['start', '--area', 'auth'])).out).not.toContain(advice)
    expect((await bob.headsup(['check'])).out).not.toContain(advice)
  })

  it('has the changed files besides the named paths, and as changes alone', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    await jsonOf(bob, 'start', 'src/new.ts')
    alice.write('src/new.ts')
    expect(await jsonOf(alice, 'check', 'docs')).toMatchObject({ overlap_detected: false })
    expect(await jsonOf(alice, 'check', 'docs', '--changed')).toMatchObject({ overlap_detected: true })
    const places = { scope: { paths: ['docs'] }, scope_changed: ['src'] }
    expect((await jsonOf(alice, 'start', 'docs')).activity).toMatchObject(places)
    expect((await jsonOf(alice, 'update', '--changed')).activity).toMatchObject({ ...places, scope: { paths: [] } })
    expect((await jsonOf(alice, 'update', 'docs')).activity).toMatchObject(places)
  })

  it('gets the changed files of the clone in which it is updated with --id and --changed', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    const { id } = (await jsonOf(alice, 'start', 'docs')).activity
    bob.git('checkout', '-q', '-b', 'feat/login')
    bob.write('lib/new.ts')
    expect((await jsonOf(bob, 'update', '--id', id, '--title', 'Other')).activity.scope_changed).toEqual([])
    const { activity } = await jsonOf(bob, 'update', '--id', id, '--changed')
    expect(activity).toMatchObject({ scope: { paths: [] }, scope_changed: ['lib'] })
  })

  it('keeps its paths where a second start names areas, and its areas where it names paths', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    const scopeAfter = async (...named: string[]) => (await jsonOf(alice, 'start', ...named)).activity.scope
    expect(await scopeAfter('k.ts', '--area', 'ops')).toEqual({ areas: ['ops'], paths: ['k.ts'] })
    expect(await scopeAfter('--area', 'web')).toEqual({ areas: ['web'], paths: ['k.ts'] })
    expect(await scopeAfter('m.ts')).toEqual({ areas: ['web'], paths: ['m.ts'] })
    expect(await scopeAfter()).toEqual({ areas: ['web'], paths: ['m.ts'] })
  })

  it('has its title as its summary until it gets its own summary', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    await jsonOf(alice, 'start', '--title', 'One')
    expect((await jsonOf(alice, 'start', '--title', 'Two')).activity).toMatchObject({ title: 'Two', summary: 'Two' })
    expect((await jsonOf(alice, 'update', '-t', 'Three')).activity).toMatchObject({ title: 'Three', summary: 'Three' })
    await jsonOf(alice, 'update', '--summary', 'In words.')
    expect((await jsonOf(alice, 'update', '-t', 'Four')).activity).toMatchObject({
      title: 'Four',
      summary: 'In words.',
    })
  })

  it('is printed without an expiry once it has ended', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    const { activity } = await jsonOf(alice, 'start', 'src')
    const ended = await alice.headsup(['update', '--status', 'merged'])
    expect(ended).toMatchObject({ code: 0, err: '', out: expect.stringContaining(`${activity.id}, merged, `) })
    expect(ended.out).not.toContain('expires')
  })

  it('is printed with file names, and as JSON with globs', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    alice.write('app/[id]/page.tsx')
    expect((await alice.headsup(['start', 'app/[id]/page.tsx'])).out).toContain('  “app/[id]/page.tsx”\n')
    expect((await jsonOf(alice, 'list')).items).toMatchObject([{ scope: { paths: ['app/\\[id\\]/page.tsx'] } }])
  })

  it('is printed with the directories of its changed files where it names no paths', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    alice.write('app/[id]/page.tsx')
    const started = await alice.headsup(['start'])
    expect(started.out).toContain('  changes in  “app/[id]”\n')
    expect(started.out).not.toContain('headsup update PATH')
    expect((await bob.headsup(['list'])).out).toContain('  changes in  “app/[id]”\n')
    const { activity } = await jsonOf(alice, 'start')
    expect((await bob.headsup(['check', '--ids'])).out).toContain('changes in “app/[id]”')
    expect(activity.scope.paths).toEqual([])
  })

  it('is resumed by a second start, also from another clone', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    const { activity } = await jsonOf(alice, 'start')
    alice.write('src/new.ts')
    expect((await jsonOf(alice, 'start')).activity).toMatchObject({ id: activity.id, scope_changed: ['src'] })
    bob.git('checkout', '-q', '-b', 'feat/login')
    expect(await bob.headsup(['start', '--actor', 'Bob'])).toMatchObject({
      code: 0,
      out: expect.stringContaining(activity.id),
      err: 'Note: this work stays that of “Alice”. --actor applies to new work only.\n',
    })
    expect((await bob.headsup(['start'])).err).toBe('Note: this work stays that of “Alice”.\n')
    expect((await alice.headsup(['start'])).err).toBe('')
    expect((await jsonOf(bob, 'list')).items).toHaveLength(1)
  })

  it('keeps the base of start --base until it ends', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    alice.git('branch', 'feat/a')
    expect((await jsonOf(alice, 'start', '--base', 'feat/a')).activity).toMatchObject({ base_branch: 'feat/a' })
    await jsonOf(alice, 'done')
    alice.git('config', 'headsup.base', 'feat/theirs')
    expect(await alice.headsup(['start'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('on “feat/login” from “feat/theirs”,'),
      err: expect.stringContaining('Note: git does not know feat/theirs here'),
    })
  })

  it('is created anew, with a message and without the old base, where the saved work has ended', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    alice.git('branch', 'feat/a')
    const { activity } = await jsonOf(alice, 'start', '--base', 'feat/a')
    await repository.post(`/activity/${activity.id}/archive`)
    expect(await alice.headsup(['beat'])).toMatchObject({
      code: 4,
      err: expect.stringContaining(`${activity.id} is archived`),
    })
    const again = await alice.headsup(['start'])
    expect(again).toMatchObject({ code: 0, err: expect.stringContaining(`${activity.id} is archived`) })
    expect(again.out).toContain('Started.')
    expect(again.out).toContain('on “feat/login” from “main”,')
  })

  it('is forgotten where the service does not know it any more', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    const { activity } = await jsonOf(alice, 'start', 'src')
    const stateFile = alice.git('rev-parse', '--git-path', 'headsup/work.json').trim()
    const gone = activity.id.replace(/.$/, activity.id.endsWith('0') ? '1' : '0')
    alice.write(stateFile, readFileSync(join(alice.path, stateFile), 'utf8').replace(activity.id, gone))
    await repository.post(`/activity/${activity.id}/archive`)
    expect(await alice.headsup(['check', 'src'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('No overlap.'),
    })
    expect(await alice.headsup(['beat'])).toMatchObject({
      code: 4,
      err: expect.stringContaining(`${gone} does not exist any more`),
    })
    expect(await alice.headsup(['done', '--id', gone])).toMatchObject({
      code: 4,
      err: expect.stringContaining(`There is no activity ${gone}`),
    })
    expect(await alice.headsup(['done'])).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to finish') })
    expect(await alice.headsup(['start'])).toMatchObject({ code: 0, err: '' })
  })

  it.each([['--merged', 'PATCH', 'merged'] as const, ['--json', 'POST', 'archived'] as const])(
    'is still saved where the service failed to end it: done %s',
    async (flag, method, status) => {
      alice.git('checkout', '-q', '--detach')
      const { activity } = await jsonOf(alice, 'start', 'src')
      const failing = await startProxy(service, method, async () => 503)
      expect(await alice.headsup(['done', flag], { env: { HEADSUP_URL: failing } })).toMatchObject({ code: 3 })
      expect(await alice.headsup(['beat'])).toMatchObject({ code: 0, out: expect.stringContaining(activity.id) })
      expect(await alice.headsup(['done', flag])).toMatchObject({ code: 0, out: expect.stringContaining(status) })
      expect(await alice.headsup(['beat'])).toMatchObject({ code: 4, err: expect.stringContaining('No live work') })
    },
  )

  it('is saved for this work tree only', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    const { activity } = await jsonOf(alice, 'start', 'src')
    alice.git('worktree', 'add', '-q', '--detach', '../beside')
    const beside = workTree(join(alice.path, '../beside'), 'Alice', variables)
    expect(await jsonOf(beside, 'check', 'src')).toMatchObject({ related_activity_ids: [activity.id] })
    expect(await jsonOf(alice, 'check', 'src')).toMatchObject({ related_activity_ids: [] })
  })

  it('of another person on the default branch is not resumed', async () => {
    const { activity } = await jsonOf(alice, 'start', 'src')
    expect((await jsonOf(bob, 'start', 'docs')).activity.id).not.toBe(activity.id)
    const other = await jsonOf(alice, 'start', 'docs', '--actor', 'Carol')
    expect(other.activity).toMatchObject({ id: expect.not.stringMatching(activity.id), actor: 'Carol' })
    expect((await jsonOf(alice, 'start', 'docs', '--actor', 'Carol')).activity.id).toBe(other.activity.id)
  })

  it('does not collide with itself in a check on the default branch', async () => {
    await jsonOf(alice, 'start', 'src/auth')
    expect(await jsonOf(alice, 'check', 'src/auth/login.ts')).toMatchObject({ overlap_detected: false })
  })
})
