import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { prepareClones, startedChanges } from '../support/clones.ts'
import { type Clone, newDirectory, workTree } from '../support/command-line.ts'
import type { TestRepository, TestService } from '../support/service.ts'
import { startProxy } from '../support/service-proxy.ts'

let service: TestService
let repository: TestRepository
let alice: Clone
let bob: Clone
let variables: Record<string, string>

prepareClones((stage) => {
  ;({ service, repository } = stage)
  variables = { HEADSUP_URL: service.url, GITHUB_TOKEN: repository.writer }
  alice = stage.clone('Alice')
  bob = stage.clone('Bob', { token: repository.otherWriter })
})

async function json(clone: Clone, ...args: string[]) {
  const { code, out, err } = await clone.headsup([...args, '--json'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out)
}

describe('two clones', () => {
  it('find their collision from their changed files alone', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    alice.write('src/auth/login.ts')
    alice.commit()
    expect(await alice.headsup(['start', '--title', 'Rework the login'])).toMatchObject({ code: 0 })
    bob.git('checkout', '-q', '-b', 'fix/session')
    bob.write('src/auth/login.ts')
    const check = await bob.headsup(['check'])
    expect(check).toMatchObject({ code: 0, err: '' })
    expect(check.out).toMatch(
      /Overlap, high severity\. “Alice” is working on “Rework the login”.*src\/auth\/login\.ts/s,
    )
    expect(await bob.headsup(['check', '--exit-code'])).toMatchObject({ code: 1 })
    expect(await bob.headsup(['check', '--exit-code', 'README.md'])).toMatchObject({ code: 0 })
  })

  it('do not collide where one branch is stacked on the other', async () => {
    alice.git('checkout', '-q', '-b', 'feat/a')
    alice.write('src/auth/login.ts')
    alice.commit()
    const { activity } = await json(alice, 'start')
    alice.git('checkout', '-q', '-b', 'feat/b', '--track', 'feat/a')
    alice.write('src/auth/login.ts')
    expect(await json(alice, 'check')).toMatchObject({
      overlap_detected: false,
      relationships: { [activity.id]: 'stacked' },
    })
  })
})

describe('a check for a person', () => {
  const work = { title: 'Rework', summary: 'S', actor: 'Bob', branch: 'feat/bob', scope: { paths: ['src/auth/**'] } }

  it('on a clean tree shows who is at work, and says nothing of an overlap', async () => {
    expect((await alice.headsup(['check'])).out).toContain(
      `Nobody is known to be at work in ${repository.owner}/${repository.name}.\n`,
    )
    await repository.created('/activity', { ...work, agent: 'claude-code' })
    const { code, out } = await alice.headsup(['check'])
    expect(code).toBe(0)
    expect(out).toMatch(/\n {2}“Rework”: “Bob” with “claude-code”, on “feat\/bob”, seen [\w ]+, “src\/auth\/\*\*”\n/)
    expect(out).not.toMatch(/no overlap|go ahead/i)
  })

  it('shows who is at work also after work was started that names no place yet', async () => {
    await repository.created('/activity', work)
    await alice.headsup(['start', '--title', 'Planned'])
    for (const command of ['check', 'status']) {
      const { out } = await alice.headsup([command])
      expect(out, command).toContain('“Rework”: “Bob”')
      expect(out, command).not.toMatch(/no overlap|go ahead/i)
    }
  })

  it('says that a named path is not there, and then never to go ahead', async () => {
    expect((await alice.headsup(['check', 'src/auth'])).out).toContain('Go ahead.')
    const { out } = await alice.headsup(['check', 'src/atuh/session.ts', 'src/auth'])
    expect(out).toContain('No overlap is known.')
    expect(out).toContain('  src/atuh/session.ts is not a file here.\n')
    expect(out).not.toContain('src/auth is')
    expect(out.toLowerCase()).not.toContain('go ahead')
    expect((await alice.headsup(['check', 'src/atuh/**'])).out).toContain('src/atuh is not a directory here.')
    expect((await alice.headsup(['start', 'src/atuh'])).out).toContain('src/atuh is not a file or directory here.')
    expect(await json(alice, 'check', 'src/no.ts')).toMatchObject({ missing_paths: ['src/no.ts is not a file here.'] })
  })

  it('says that a glob matches no file, and then never to go ahead', async () => {
    for (const command of ['check', 'start']) {
      const { out } = await alice.headsup([command, 'src/auth/*.tsx', 'src/auth/{no,login}.ts', 'src/**', '**/*.md'])
      expect(out).toContain('  src/auth/*.tsx matches no file here, ignored files left out.\n')
      expect(out.match(/matches no file/g)).toHaveLength(1)
      expect(out.toLowerCase()).not.toContain('go ahead')
    }
    alice.write('src/auth/new.tsx')
    alice.git('rm', '-q', '--cached', 'src/auth/login.ts')
    expect((await alice.headsup(['check', 'src/auth/*.tsx', 'src/auth/log*'])).out).not.toContain('matches no file')
  })

  it('knows a file that is deleted here, and the files of no other branch', async () => {
    alice.git('rm', '-q', 'src/auth/login.ts')
    expect((await alice.headsup(['check', 'src/auth/login.ts'])).out).not.toContain('is not a')
    expect((await alice.headsup(['check', 'src/no.ts', '--branch', 'other'])).out).not.toContain('is not a')
  })

  it('tells a collision in one line, with ids only for --ids', async () => {
    const { activity } = await repository.created('/activity', { ...work, risk: 'critical', blocking: true })
    const { out } = await alice.headsup(['check', 'src/auth/login.ts'])
    expect(out).toMatch(
      /“Bob” is working on “Rework” on branch “feat\/bob”, begun just now, before you, .*“src\/auth\/login.ts” \(high severity, blocking\)\.\n/,
    )
    expect(out).not.toMatch(/act_|risk|marked as/)
    expect((await alice.headsup(['check', 'src/auth/login.ts', '--ids'])).out).toContain(activity.id)
  })
})

describe('headsup doctor', () => {
  it('says what works: service, token, rights, hooks', async () => {
    const { code, out } = await alice.headsup(['doctor'])
    expect(code).toBe(0)
    expect(out).toMatch(/^ok {4}service +http:\/\/127\.0\.0\.1:\d+ answers, version .*, for https:\/\/github\.com\.$/m)
    expect(out).toMatch(/^ok {4}token +the one from GITHUB_TOKEN is valid\.$/m)
    expect(out).toMatch(/^ok {4}rights +this token may check here, and record work\.$/m)
    expect(out).toMatch(/^note {2}app +this service has no GitHub App/m)
    expect(out).toMatch(/^note {2}hooks +none are installed here/m)
    await alice.headsup(['hook', 'install'])
    expect((await alice.headsup(['doctor'])).out).toMatch(/^ok {4}hooks +installed here for claude, git\.$/m)
    await alice.headsup(['hook', 'uninstall'])
  })

  it.each([
    ['a token that GitHub refuses', { GITHUB_TOKEN: 'ghp_unknown' }, 3, 'token'],
    ['no token', { GITHUB_TOKEN: '' }, 3, 'token'],
    ['no service', { HEADSUP_URL: 'http://127.0.0.1:9' }, 3, 'service'],
  ])('exits with a failure for %s, and says the rest', async (_, env, status, name) => {
    const { code, out } = await alice.headsup(['doctor'], { env })
    expect({ code, failed: /^fail +(\w+)/m.exec(out)?.[1] }).toEqual({ code: status, failed: name })
    expect(out).toMatch(/^ok {4}repository +acme\//m)
  })

  it('exits with 4 where the token may not see the repository', async () => {
    const { code, out } = await alice.headsup(['doctor', '--json'], { env: { GITHUB_TOKEN: repository.stranger } })
    expect(code).toBe(4)
    expect(JSON.parse(out).findings).toContainEqual(expect.objectContaining({ name: 'rights', state: 'fail' }))
  })
})

describe('headsup status', () => {
  it('compares what is recorded, also where the file is not changed yet', async () => {
    const planned = { files: [{ path: 'src/auth/login.ts', lines: [[3, 3]] }] }
    alice.git('checkout', '-q', '-b', 'feat/planned')
    const { activity } = await json(alice, 'start', 'src/auth')
    await repository.patch(`/activity/${activity.id}`, { changes: planned })
    const other = { title: 'Other', summary: 'S', actor: 'Bob', branch: 'b', changes: planned }
    const { activity: theirs } = await repository.created('/activity', other)
    expect(await json(alice, 'status')).toMatchObject({
      overlap: { severity: 'high', related_activity_ids: [theirs.id] },
    })
    await alice.headsup(['done'])
    await repository.post(`/activity/${theirs.id}/archive`)
  })

  it('shows the work of this branch, and who collides with it', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    expect((await alice.headsup(['status'])).out).toContain(
      'No work is recorded on feat/login: `headsup start` records it.',
    )
    const { activity } = await json(alice, 'start', 'src/auth')
    await repository.created('/activity', {
      title: 'Other',
      summary: 'S',
      actor: 'Bob',
      branch: 'b',
      scope: { paths: ['src/**'] },
    })
    const { code, out } = await alice.headsup(['status', '--exit-code'])
    expect(code).toBe(1)
    expect(out).toMatch(
      /^“Bob” may change the files you change\.\n“Work on feat\/login”: “Alice”\n.*Overlap, medium severity\. “Bob” is working on “Other”/ms,
    )
    expect(await json(alice, 'status')).toMatchObject({
      activity: { id: activity.id },
      overlap: { overlap_detected: true },
    })
  })
})

describe('the work of a branch', () => {
  it('is saved from its start to its end', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    const { activity } = await json(alice, 'start', 'src/auth', '--area', 'auth', '--risk', 'high')
    expect(activity).toMatchObject({
      actor: 'Alice',
      branch: 'feat/login',
      base_branch: 'main',
      risk: 'high',
      scope: { areas: ['auth'], paths: ['src/auth/**'] },
    })
    expect(await json(alice, 'beat')).toMatchObject({ id: activity.id })
    const { activity: updated } = await json(alice, 'update', 'docs/new.md', '--no-blocking')
    expect(updated).toMatchObject({ id: activity.id, scope: { areas: ['auth'], paths: ['docs/new.md'] } })
    expect(await json(alice, 'done')).toMatchObject({ id: activity.id, status: 'archived' })
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
      const { activity } = await json(alice, 'start', '--actor', 'Alice')
      expect(await done(clone)).toMatchObject({ code: 0, err: '', out: `${activity.id} is archived.\n` })
      expect(await done(clone)).toEqual(nothing('feat/login'))
    }
    expect(await bob.headsup(['beat'])).toMatchObject({
      code: 4,
      err: expect.stringContaining('No live work is known'),
    })
    bob.git('checkout', '-q', 'main')
    expect(await done(bob)).toEqual(nothing('main'))
    const { activity } = await json(alice, 'start', '--actor', 'Alice', '--branch', 'main')
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
    await json(bob, 'start', 'src/new.ts')
    alice.write('src/new.ts')
    expect(await json(alice, 'check', 'docs')).toMatchObject({ overlap_detected: false })
    expect(await json(alice, 'check', 'docs', '--changed')).toMatchObject({ overlap_detected: true })
    const places = { scope: { paths: ['docs'] }, scope_changed: ['src'] }
    expect((await json(alice, 'start', 'docs')).activity).toMatchObject(places)
    expect((await json(alice, 'update', '--changed')).activity).toMatchObject({ ...places, scope: { paths: [] } })
    expect((await json(alice, 'update', 'docs')).activity).toMatchObject(places)
  })

  it('gets the changed files of the clone in which it is updated with --id and --changed', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    const { id } = (await json(alice, 'start', 'docs')).activity
    bob.git('checkout', '-q', '-b', 'feat/login')
    bob.write('lib/new.ts')
    expect((await json(bob, 'update', '--id', id, '--title', 'Other')).activity.scope_changed).toEqual([])
    const { activity } = await json(bob, 'update', '--id', id, '--changed')
    expect(activity).toMatchObject({ scope: { paths: [] }, scope_changed: ['lib'] })
  })

  it('keeps its paths where a second start names areas, and its areas where it names paths', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    const scopeAfter = async (...named: string[]) => (await json(alice, 'start', ...named)).activity.scope
    expect(await scopeAfter('k.ts', '--area', 'ops')).toEqual({ areas: ['ops'], paths: ['k.ts'] })
    expect(await scopeAfter('--area', 'web')).toEqual({ areas: ['web'], paths: ['k.ts'] })
    expect(await scopeAfter('m.ts')).toEqual({ areas: ['web'], paths: ['m.ts'] })
    expect(await scopeAfter()).toEqual({ areas: ['web'], paths: ['m.ts'] })
  })

  it('has its title as its summary until it gets its own summary', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    await json(alice, 'start', '--title', 'One')
    expect((await json(alice, 'start', '--title', 'Two')).activity).toMatchObject({ title: 'Two', summary: 'Two' })
    expect((await json(alice, 'update', '-t', 'Three')).activity).toMatchObject({ title: 'Three', summary: 'Three' })
    await json(alice, 'update', '--summary', 'In words.')
    expect((await json(alice, 'update', '-t', 'Four')).activity).toMatchObject({ title: 'Four', summary: 'In words.' })
  })

  it('is printed without an expiry once it has ended', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    const { activity } = await json(alice, 'start', 'src')
    const ended = await alice.headsup(['update', '--status', 'merged'])
    expect(ended).toMatchObject({ code: 0, err: '', out: expect.stringContaining(`${activity.id}, merged, `) })
    expect(ended.out).not.toContain('expires')
  })

  it('is printed with file names, and as JSON with globs', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    alice.write('app/[id]/page.tsx')
    expect((await alice.headsup(['start', 'app/[id]/page.tsx'])).out).toContain('  “app/[id]/page.tsx”\n')
    expect((await json(alice, 'list')).items).toMatchObject([{ scope: { paths: ['app/\\[id\\]/page.tsx'] } }])
  })

  it('is printed with the directories of its changed files where it names no paths', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    alice.write('app/[id]/page.tsx')
    const started = await alice.headsup(['start'])
    expect(started.out).toContain('  changes in  “app/[id]”\n')
    expect(started.out).not.toContain('headsup update PATH')
    expect((await bob.headsup(['list'])).out).toContain('  changes in  “app/[id]”\n')
    const { activity } = await json(alice, 'start')
    expect((await bob.headsup(['check', '--ids'])).out).toContain('changes in “app/[id]”')
    expect(activity.scope.paths).toEqual([])
  })

  it('is resumed by a second start, also from another clone', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    const { activity } = await json(alice, 'start')
    alice.write('src/new.ts')
    expect((await json(alice, 'start')).activity).toMatchObject({ id: activity.id, scope_changed: ['src'] })
    bob.git('checkout', '-q', '-b', 'feat/login')
    expect(await bob.headsup(['start', '--actor', 'Bob'])).toMatchObject({
      code: 0,
      out: expect.stringContaining(activity.id),
      err: 'Note: this work stays that of “Alice”. --actor applies to new work only.\n',
    })
    expect((await bob.headsup(['start'])).err).toBe('Note: this work stays that of “Alice”.\n')
    expect((await alice.headsup(['start'])).err).toBe('')
    expect((await json(bob, 'list')).items).toHaveLength(1)
  })

  it('keeps the base of start --base until it ends', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    alice.git('branch', 'feat/a')
    expect((await json(alice, 'start', '--base', 'feat/a')).activity).toMatchObject({ base_branch: 'feat/a' })
    await json(alice, 'done')
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
    const { activity } = await json(alice, 'start', '--base', 'feat/a')
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
    const { activity } = await json(alice, 'start', 'src')
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
      const { activity } = await json(alice, 'start', 'src')
      const failing = await startProxy(service, method, async () => 503)
      expect(await alice.headsup(['done', flag], { env: { HEADSUP_URL: failing } })).toMatchObject({ code: 3 })
      expect(await alice.headsup(['beat'])).toMatchObject({ code: 0, out: expect.stringContaining(activity.id) })
      expect(await alice.headsup(['done', flag])).toMatchObject({ code: 0, out: expect.stringContaining(status) })
      expect(await alice.headsup(['beat'])).toMatchObject({ code: 4, err: expect.stringContaining('No live work') })
    },
  )

  it('is saved for this work tree only', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    const { activity } = await json(alice, 'start', 'src')
    alice.git('worktree', 'add', '-q', '--detach', '../beside')
    const beside = workTree(join(alice.path, '../beside'), 'Alice', variables)
    expect(await json(beside, 'check', 'src')).toMatchObject({ related_activity_ids: [activity.id] })
    expect(await json(alice, 'check', 'src')).toMatchObject({ related_activity_ids: [] })
  })

  it('of another person on the default branch is not resumed', async () => {
    const { activity } = await json(alice, 'start', 'src')
    expect((await json(bob, 'start', 'docs')).activity.id).not.toBe(activity.id)
    const other = await json(alice, 'start', 'docs', '--actor', 'Carol')
    expect(other.activity).toMatchObject({ id: expect.not.stringMatching(activity.id), actor: 'Carol' })
    expect((await json(alice, 'start', 'docs', '--actor', 'Carol')).activity.id).toBe(other.activity.id)
  })

  it('does not collide with itself in a check on the default branch', async () => {
    await json(alice, 'start', 'src/auth')
    expect(await json(alice, 'check', 'src/auth/login.ts')).toMatchObject({ overlap_detected: false })
  })
})

describe('a notable', () => {
  it('needs a title alone', async () => {
    expect(await json(alice, 'notable', 'raise', '--title', 'Freeze')).toMatchObject({
      summary: 'Freeze',
      importance: 'medium',
      category: 'warning',
      blocking: false,
    })
    expect(await alice.headsup(['notable', 'raise'])).toMatchObject({ code: 2, err: 'headsup: --title is needed.\n' })
  })
})

describe('a command that lacks several things', () => {
  it('names all of them', async () => {
    alice.git('remote', 'remove', 'origin')
    const env = { GITHUB_TOKEN: '', HEADSUP_URL: 'http://headsup.example' }
    const { code, err } = await alice.headsup(['check'], { env })
    expect(code).toBe(3)
    expect(err).toMatch(/^headsup: No remote of this work tree .* without https, .* No GitHub token: .*\n$/)
  })
})

describe('notables', () => {
  it('are raised, listed, shown, changed and archived', async () => {
    const args = [
      'notable',
      'raise',
      'src/auth',
      '--title',
      'Sessions move',
      '--importance',
      'high',
      '--category',
      'migration',
    ]
    const notable = await json(alice, ...args)
    expect(notable).toMatchObject({
      title: 'Sessions move',
      summary: 'Sessions move',
      scope: { paths: ['src/auth/**'] },
    })
    expect((await bob.headsup(['notable', 'list'])).out).toContain('Sessions move')
    expect(await bob.headsup(['check', 'src/auth/login.ts'])).toMatchObject({
      out: expect.stringContaining('The notable “Sessions move” is about files such as “src/auth/login.ts”'),
    })
    expect(await json(alice, 'notable', 'update', notable.id, '--importance', 'low')).toMatchObject({
      importance: 'low',
    })
    expect((await bob.headsup(['notable', 'show', notable.id])).out).toContain('low severity')
    expect(await json(alice, 'notable', 'done', notable.id)).toMatchObject({ status: 'archived' })
    expect((await bob.headsup(['notable', 'list'])).out).toBe('There are no notables.\n')
    expect((await bob.headsup(['list'])).out).toBe('There is no live work.\n')
    expect((await bob.headsup(['list', '--no-pr'])).out).toBe('No work matches.\n')
    expect((await bob.headsup(['notable', 'show', notable.id])).out).toMatch(/archived, migration, low severity\n/)
  })

  it('are printed without control and direction characters', async () => {
    await repository.raised({ title: 'a \u202eb', summary: 'x\u001b[2J\u009by\nz' })
    const { out } = await bob.headsup(['notable', 'list'])
    expect(out).toContain('“a b”: “x[2Jy z”')
    expect((await json(bob, 'notable', 'list')).items[0].summary).toBe('x\u001b[2J\u009by\nz')
  })
})

describe('an error', () => {
  it.each([
    [['check', '--frob'], 2, 'Unknown flag --frob'],
    [['check', '--base'], 2, '--base'],
    [['frob'], 2, 'No such command: frob.'],
    [['chekc'], 2, 'No such command: chekc. Did you mean check?'],
    [['notable'], 2, 'notable raise'],
    [['notable', 'rase'], 2, 'Did you mean notable raise?'],
    [['hook', 'instal'], 2, 'Did you mean hook install?'],
    [
      ['notable', 'update'],
      2,
      'notable update takes one id, such as ntb_01h455vb4pex5vsknk084sn02q. Name a change by a flag',
    ],
    [['start', '--risk', 'huge'], 2, '--risk: '],
    [['check', 'ok', '!a.ts'], 2, 'the path !a.ts: '],
    [['check', '../..'], 2, 'outside'],
    [['check', '--url', 'ftp://x'], 2, '--url'],
    [['check', '--url', 'http://127.0.0.1:9'], 3, 'not listening'],
    [['list', '--repo', 'acme/none'], 4, 'acme/none'],
    [['notable', 'show', 'ntb_x'], 4, 'has no record ntb_x'],
    [['notable', 'done'], 2, 'headsup: notable done takes one id'],
    [['beat', '--id', 'act_x'], 4, 'There is no activity act_x'],
  ])('is printed as one line: %j exits with %i', async (args, code, message) => {
    const ended = await alice.headsup(args)
    expect(ended).toMatchObject({ code, out: '', err: expect.stringContaining(message) })
    expect(ended.err.trim().split('\n')).toHaveLength(1)
  })

  it('about an address below which there is no Headsup names where the address comes from', async () => {
    const foreign = `${service.url}/acme/shop`
    const says = (from: string) => ({
      code: 3,
      out: '',
      err: `headsup: ${from} must be the address of Headsup, which ${foreign} is not. Did you mean ${service.url}?\n`,
    })
    const env = { HEADSUP_URL: foreign }
    for (const args of [['check', 'a'], ['list'], ['start', 'a'], ['open', '--print'], ['watch', '--once']])
      expect(await alice.headsup(args, { env })).toEqual(says('HEADSUP_URL'))
    expect(await alice.headsup(['list', '--url', foreign])).toEqual(says('--url'))
    alice.git('config', 'headsup.url', foreign)
    expect(await alice.headsup(['list'], { env: { HEADSUP_URL: '' } })).toEqual(says('The git setting headsup.url'))
    const doctor = await alice.headsup(['doctor'], { env })
    expect(doctor).toMatchObject({
      code: 3,
      out: expect.stringContaining('HEADSUP_URL must be the address of Headsup'),
    })
  })

  it('about the token exits with 3 and names the source of the token', async () => {
    const expired = await alice.headsup(['check', 'a'], { env: { GITHUB_TOKEN: 'ghp_expired' } })
    expect(expired).toMatchObject({ code: 3, err: expect.stringContaining('GITHUB_TOKEN') })
    const none = await alice.headsup(['check', 'a'], { env: { GITHUB_TOKEN: '' } })
    expect(none).toMatchObject({ code: 3, err: expect.stringContaining('No GitHub token') })
    const reader = await alice.headsup(['start', 'a'], { env: { GITHUB_TOKEN: repository.reader } })
    expect(reader).toMatchObject({ code: 4 })
  })
})

describe('a work tree', () => {
  const started = async (clone: Clone, ...args: string[]) => (await json(clone, 'start', ...args)).activity

  it('may have a detached head', async () => {
    alice.git('checkout', '-q', '--detach')
    alice.write('src/a.ts')
    expect(await started(alice)).toMatchObject({ branch: null, base_branch: 'main', scope_changed: ['src'] })
  })

  it('may be a linked work tree, and be used from a subdirectory', async () => {
    alice.git('worktree', 'add', '-q', '-b', 'feat/linked', '../linked')
    const linked = workTree(join(alice.path, '../linked'), 'Alice', variables)
    linked.write('src/auth/{a b}!ü.ts')
    linked.git('mv', 'README.md', 'LIESMICH.md')
    const changed = await startedChanges(linked, repository, 'src/auth')
    expect(changed).toEqual(['LIESMICH.md', 'README.md', 'src/auth/{a b}!ü.ts'])
    expect((await json(alice, 'list', '--branch', 'feat/linked')).items).toHaveLength(1)
    const below = await linked.headsup(['check', 'login.ts', 'new/*.ts', '/top.ts', '../*.md', '--json'], {
      cwd: 'src/auth',
    })
    expect(below.code).toBe(0)
    expect((await json(alice, 'check', 'README.md')).related_activity_ids).toHaveLength(1)
  })

  it('may have no commit yet', async () => {
    const path = newDirectory()
    const fresh = workTree(path, 'Alice', variables)
    fresh.git('init', '-q')
    fresh.git('remote', 'add', 'upstream', `https://github.com/${repository.owner}/${repository.name}.git`)
    fresh.git('remote', 'add', 'origin', 'https://github.com/acme/fork')
    fresh.write('!a.ts')
    expect(await started(fresh)).toMatchObject({ branch: 'main', base_branch: null, scope_changed: ['.'] })
    // With one commit there is still no base branch, and no note asks for one.
    fresh.commit()
    expect(await started(fresh)).toMatchObject({ branch: 'main', base_branch: null, scope_changed: [] })
  })

  it('of a fork, whose token may not record upstream, is told both repositories and how to record in the fork', async () => {
    const { owner, name } = repository
    alice.git('remote', 'rename', 'origin', 'upstream')
    alice.git('remote', 'add', 'origin', 'https://github.com/ana/fork.git')
    const env = { GITHUB_TOKEN: repository.reader }
    expect(await alice.headsup(['start'], { env })).toEqual({
      code: 4,
      out: '',
      err: `headsup: ${owner}/${name}: This token may read the repository, but not write to it. To record it in your fork: \`git config headsup.repository ana/fork\`.\n`,
    })
  })

  it('may be a submodule', async () => {
    alice.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', bob.path, 'libs/sub')
    mkdirSync(join(alice.path, 'libs/sub/deep'))
    const inside = workTree(join(alice.path, 'libs/sub'), 'Alice', variables)
    inside.git('remote', 'set-url', 'origin', `ssh://git@github.com:22/${repository.owner}/${repository.name}`)
    inside.write('deep/x.ts')
    expect(await startedChanges(inside, repository)).toEqual(['deep/x.ts'])
  })

  it('without a remote needs --repo, as does a directory outside of any work tree', async () => {
    alice.git('remote', 'remove', 'origin')
    expect(await alice.headsup(['check'])).toMatchObject({ code: 3, err: expect.stringContaining('--repo OWNER/NAME') })
    alice.git('remote', 'add', 'backup', '../backup.git')
    for (const name of ['web', 'fork']) alice.git('remote', 'add', name, `https://github.com/acme/${name}`)
    expect(await alice.headsup(['check'])).toMatchObject({
      code: 3,
      err: expect.stringMatching(/--repo OWNER\/NAME, such as acme\/fork, acme\/web\.\n$/),
    })
    const nowhere = workTree(newDirectory(), 'Alice', variables)
    expect(await nowhere.headsup(['check'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('--repo OWNER/NAME'),
    })
    nowhere.git('config', '--global', 'headsup.url', service.url)
    const named = ['start', 'a.ts', '--repo', `${repository.owner}/${repository.name}`]
    expect(await nowhere.headsup(named, { env: { HEADSUP_URL: '' } })).toMatchObject({
      code: 0,
      out: expect.stringContaining('“Work without a branch”: “Alice”\n'),
    })
  })

  it('may have over 300 changed files, of which those that are not sent are collapsed into directories', async () => {
    for (let index = 0; index < 550; index++) alice.write(`${index < 250 ? 'a' : 'b'}/${index}.ts`)
    const { scope, changes } = await started(alice)
    expect(changes.files_total).toBe(300)
    expect(scope.paths).toEqual(['b/**'])
  })
})

describe('help', () => {
  it.each([
    [['help', 'hook'], 'headsup hook COMMAND'],
    [['help', 'notable'], 'headsup notable COMMAND'],
    [['notable', '--help'], 'headsup notable COMMAND'],
    [['hook', '-h'], 'headsup hook COMMAND'],
    [['hook', 'git', '--help'], 'headsup hook git'],
    [['help', 'help'], 'headsup COMMAND'],
    [['help', '--help'], 'headsup COMMAND'],
    [[], 'headsup COMMAND'],
  ])('is printed for %j', async (args, begins) => {
    const { code, out, err } = await alice.headsup(args)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain(begins)
  })

  it('on an unknown command is an error', async () => {
    expect(await alice.headsup(['help', 'frob'])).toMatchObject({ code: 2, out: '' })
    expect(await alice.headsup(['help', 'notable', 'frob'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('notable raise'),
    })
  })

  it('exists for the program and for each command', async () => {
    const { out } = await alice.headsup(['--help'])
    const names = [...out.matchAll(/^ {2}((?:notable |hook )?[a-z]+) {2}/gm)].map(([, name = '']) => name)
    expect(names).toContain('notable raise')
    for (const name of names) {
      const help = await alice.headsup(['help', ...name.split(' ')])
      expect(help).toMatchObject({ code: 0, err: '' })
      expect(help.out).toContain(`headsup ${name}`)
    }
    expect(await alice.headsup(['check', '--help'])).toEqual(await alice.headsup(['help', 'check']))
    expect((await alice.program(['version'])).out).toMatch(/^\d+\.\d+\.\d+/)
  })
})
