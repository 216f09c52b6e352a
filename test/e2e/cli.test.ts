import { describe, expect, it } from 'vitest'
import { prepareClones } from '../support/clones.ts'
import { type Clone, jsonOf } from '../support/command-line.ts'
import type { TestRepository, TestService } from '../support/service.ts'

let service: TestService
let repository: TestRepository
let alice: Clone
let bob: Clone

prepareClones((stage) => {
  ;({ service, repository } = stage)
  alice = stage.clone('Alice')
  bob = stage.clone('Bob', { token: repository.otherWriter })
})

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
    const { activity } = await jsonOf(alice, 'start')
    alice.git('checkout', '-q', '-b', 'feat/b', '--track', 'feat/a')
    alice.write('src/auth/login.ts')
    expect(await jsonOf(alice, 'check')).toMatchObject({
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
    expect(await jsonOf(alice, 'check', 'src/no.ts')).toMatchObject({
      missing_paths: ['src/no.ts is not a file here.'],
    })
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
    const { activity } = await jsonOf(alice, 'start', 'src/auth')
    await repository.patch(`/activity/${activity.id}`, { changes: planned })
    const other = { title: 'Other', summary: 'S', actor: 'Bob', branch: 'b', changes: planned }
    const { activity: theirs } = await repository.created('/activity', other)
    expect(await jsonOf(alice, 'status')).toMatchObject({
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
    const { activity } = await jsonOf(alice, 'start', 'src/auth')
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
    expect(await jsonOf(alice, 'status')).toMatchObject({
      activity: { id: activity.id },
      overlap: { overlap_detected: true },
    })
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
