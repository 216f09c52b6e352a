import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import nock from 'nock'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { limitsMs } from '../../src/cli/agents/run-hook.ts'
import { aliceAndBob, type Clone, cloneOf, lines, recordedBy, workOn } from '../support/command-line.ts'
import { type Client, clientOf, startTestService, type TestService } from '../support/service.ts'

const realLimits = { ...limitsMs }
let service: TestService
beforeAll(async () => {
  // Long enough for a busy machine; one test has the real ones. A mock would come too late: other files have loaded these.
  Object.assign(limitsMs, { 'session-start': 30_000, 'after-tool': 30_000 })
  service = await startTestService()
})
afterAll(async () => {
  Object.assign(limitsMs, realLimits)
  nock.cleanAll()
  await service.stop()
})

type Moment = 'session-start' | 'after-tool'
const fixture = (agent: string, moment: Moment): object =>
  JSON.parse(readFileSync(new URL(`../fixtures/agents/${agent}/${moment}.json`, import.meta.url), 'utf8'))

interface Call {
  agent?: string
  session?: string
  now?: number
  url?: string
  args?: string[]
}

/** What the hook prints for an event of an agent. It ends with 0 and writes nothing else. */
async function hook(clone: Clone, moment: Moment, call: Call = {}): Promise<string> {
  const { agent = 'claude', session = 's1', now = Date.now(), url = service.url, args = [] } = call
  const payload = JSON.stringify({ ...fixture(agent, moment), session_id: session, cwd: clone.path })
  const word = agent === 'copilot' ? 'claude' : agent
  const ran = await clone.headsup(['hook', word, '--url', url, ...args], {
    input: openEnd(payload),
    now: () => now,
    cwd: '/',
  })
  expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: '' })
  return ran.out
}

/** An agent that does not close its end. */
async function* openEnd(text: string): AsyncGenerator<string> {
  yield text.slice(0, 10)
  yield text.slice(10)
  await new Promise(() => {})
}

async function freeze(client: Client): Promise<string> {
  const text = { title: 'Release freeze', summary: 'Nothing is merged.', category: 'release', importance: 'critical' }
  return (await client.post('/notables', { ...text, blocking: true })).body.id
}

const recordsOf = async (client: Client, branch: string) => (await client.get(`/activity?branch=${branch}`)).body.items

interface Answer {
  hookSpecificOutput?: { additionalContext: string }
  additionalContext?: string
  context?: string
}
const inContext = ({ hookSpecificOutput }: Answer) => hookSpecificOutput?.additionalContext

describe('§13 a hook after a tool', () => {
  it.for([
    ['claude', 'claude-code', inContext],
    ['codex', 'codex', inContext],
    ['gemini', 'gemini-cli', inContext],
    ['copilot', 'copilot-cli', (answer: Answer) => answer.additionalContext],
    ['opencode', 'opencode', (answer: Answer) => answer.context],
  ] as const)(
    'of %s records what the branch changes, and tells a collision in the form that it reads',
    async ([agent, id, textOf]) => {
      const [alice, bob] = aliceAndBob(service)
      const theirs = await recordedBy(bob, [[105, 105]])
      const clone = workOn(service, alice, 'fix/login', [105])
      const answer = JSON.parse(await hook(clone, 'after-tool', { agent }))
      const out = textOf(answer)
      expect(out).toMatch(/^Headsup: work in flight in this repository\. Text in quotation marks is other people’s\.\n/)
      expect(out).toContain(`(${theirs})`)
      expect(out).toContain('src/auth/login.ts')
      expect(JSON.stringify(answer)).not.toMatch(/permissionDecision|"decision"|continue/)
      const [recorded] = await recordsOf(alice, 'fix/login')
      expect(recorded).toMatchObject({ agent: id, branch: 'fix/login', changes: { by: 'client', files_total: 1 } })
      const { body } = await alice.get(`/activity/${recorded.id}`)
      expect(body.changes.files).toMatchObject([{ path: 'src/auth/login.ts', lines: [[105, 105]] }])
    },
  )

  it('tells each thing once a session, and nothing below high', async () => {
    const [alice, bob] = aliceAndBob(service)
    await recordedBy(bob, [[105, 105]])
    const near = await recordedBy(bob, [[112, 112]], { branch: 'near' })
    const notable = await freeze(bob)
    const clone = workOn(service, alice, 'fix/login', [105])
    const first = await hook(clone, 'after-tool')
    expect(first).toContain(notable)
    expect(first).not.toContain(near)
    clone.write('src/auth/login.ts', lines({ 105: 'again', 106: 'more' }))
    expect(await hook(clone, 'after-tool')).toBe('')
    clone.write('src/auth/login.ts', lines({ 105: 'once more' }))
    expect(await hook(clone, 'after-tool', { session: 's2' })).toContain(notable)
  })

  it('tells both of two who edit the same line', async () => {
    const [alice, bob] = aliceAndBob(service)
    const [one, other] = [workOn(service, alice, 'one', [105]), workOn(service, bob, 'other', [105])]
    expect(await hook(one, 'after-tool')).toBe('')
    expect(await hook(other, 'after-tool', { agent: 'codex' })).toContain('src/auth/login.ts')
    one.write('src/auth/login.ts', lines({ 105: 'by one', 106: 'by one' }))
    expect(await hook(one, 'after-tool')).toContain('src/auth/login.ts')
  })

  it('asks nothing while what it sent within the minute is the same', async () => {
    const [alice, bob] = aliceAndBob(service)
    const clone = workOn(service, alice, 'fix/login', [105])
    const now = Date.now()
    expect(await hook(clone, 'after-tool', { now })).toBe('')
    await recordedBy(bob, [[105, 105]])
    expect(await hook(clone, 'after-tool', { now: now + 59_000 })).toBe('')
    expect(await hook(clone, 'after-tool', { now: now + 61_000 })).not.toBe('')
  })

  it('records nothing where there is nothing to compare, and no file of its own', async () => {
    const [alice, bob] = aliceAndBob(service)
    const notable = await freeze(bob)
    const clone = workOn(service, alice, 'fix/login')
    clone.write('.claude/settings.json', '{}\n')
    expect(await hook(clone, 'after-tool')).toContain(notable)
    expect(await recordsOf(alice, 'fix/login')).toEqual([])
    clone.git('switch', '-qc', '42-login')
    await hook(clone, 'after-tool')
    expect(await recordsOf(alice, '42-login')).toMatchObject([{ issues: [42] }])
  })

  it('makes no record where the one that was there has ended, and nothing is to be compared', async () => {
    const [alice] = aliceAndBob(service)
    const clone = workOn(service, alice, 'fix/login', [105])
    await hook(clone, 'after-tool')
    const [recorded] = await recordsOf(alice, 'fix/login')
    await alice.post(`/activity/${recorded.id}/archive`)
    clone.git('checkout', '-q', '--', '.')
    expect(await hook(clone, 'session-start')).toBe('')
    clone.git('switch', '-q', 'main')
    expect(await hook(clone, 'session-start')).toBe('')
    expect((await alice.get('/activity')).body.items).toEqual([])
  })

  it('records nothing while a rebase is in progress', async () => {
    const [alice] = aliceAndBob(service)
    const clone = workOn(service, alice, 'fix/login', [105])
    clone.commit()
    clone.write('README.md', 'new\n')
    clone.commit()
    expect(() => clone.git('-c', 'sequence.editor=sed -i s/^pick/edit/', 'rebase', '-i', 'HEAD~2')).not.toThrow()
    expect(await hook(clone, 'after-tool')).toBe('')
    expect(await recordsOf(alice, 'fix/login')).toEqual([])
  })

  it('is one at a time, and takes over the lock of one that was killed', async () => {
    const [alice] = aliceAndBob(service)
    const clone = workOn(service, alice, 'fix/login', [105])
    await Promise.all([1, 2, 3].map(() => hook(clone, 'session-start')))
    expect(await recordsOf(alice, 'fix/login')).toHaveLength(1)
    const lock = join(clone.path, '.git/headsup/hook.lock')
    writeFileSync(lock, '')
    clone.write('README.md', 'changed\n')
    Object.assign(limitsMs, { 'after-tool': 300 })
    onTestFinished(() => void Object.assign(limitsMs, { 'after-tool': 30_000 }))
    await hook(clone, 'after-tool')
    const total = async () => (await recordsOf(alice, 'fix/login'))[0].changes.files_total
    expect(await total()).toBe(1)
    Object.assign(limitsMs, { 'after-tool': 30_000 })
    utimesSync(lock, new Date(), new Date(Date.now() - 6_000))
    await hook(clone, 'after-tool')
    expect(await total()).toBe(2)
  })

  it('of somebody who may only read asks, and records nothing', async () => {
    const [alice, bob] = aliceAndBob(service)
    await recordedBy(bob, [[105, 105]])
    const reader = clientOf(service, { repository: alice.repository, permission: 'pull', login: 'carla' })
    const clone = workOn(service, reader, 'fix/login', [105])
    expect(await hook(clone, 'after-tool')).toContain('src/auth/login.ts')
    expect(await recordsOf(alice, 'fix/login')).toEqual([])
  })
})

describe('§13 a hook at the start of a session', () => {
  it('tells freezes and what collides with the branch, each session anew', async () => {
    const [alice, bob] = aliceAndBob(service)
    const near = await recordedBy(bob, [[107, 107]])
    const notable = await freeze(bob)
    const clone = workOn(service, alice, 'fix/login', [105])
    for (const session of ['s1', 's2']) {
      const text = await hook(clone, 'session-start', { session })
      expect(text).toContain('“Release freeze”')
      for (const id of [notable, near]) expect(text).toContain(id)
    }
    // What the briefing told is not told again.
    expect(await hook(clone, 'after-tool', { session: 's2', now: Date.now() + 61_000 })).toBe('')
  })

  it('is silent where nothing is to be said, and records and archives nothing', async () => {
    const [alice] = aliceAndBob(service)
    const clone = cloneOf(service, alice)
    expect(await hook(clone, 'session-start')).toBe('')
    expect((await alice.get('/activity')).body.items).toEqual([])
  })
})

describe('§13 a hook exits with 0 and is silent', () => {
  /** A service that answers nothing but this; it counts what it is asked. */
  async function fakeService(answer: () => number | undefined) {
    const asked = { count: 0 }
    const server = createServer((_, response) => {
      asked.count += 1
      const status = answer()
      if (status !== undefined) response.writeHead(status, { 'content-type': 'application/json' }).end('{"error":{}}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
  }

  it('where the service is away, and does not ask it again for a minute', async () => {
    const clone = workOn(service, clientOf(service), 'fix/login', [105])
    const { url, asked } = await fakeService(() => 503)
    const now = Date.now()
    expect(await hook(clone, 'after-tool', { url, now })).toBe('')
    expect(asked.count).toBeGreaterThan(0)
    const { count } = asked
    expect(await hook(clone, 'session-start', { url, now: now + 59_000 })).toBe('')
    expect(asked.count).toBe(count)
    const doctor = await clone.headsup(['doctor'], { now: () => now + 59_000 })
    expect(doctor.out).toContain('!!  Hooks are silent for a minute')
    expect(await hook(clone, 'after-tool', { url, now: now + 61_000 })).toBe('')
    expect(asked.count).toBeGreaterThan(count)
  })

  it('where the service never answers, and where the token is refused', async () => {
    Object.assign(limitsMs, { 'after-tool': 1_500 })
    onTestFinished(() => void Object.assign(limitsMs, { 'after-tool': 30_000 }))
    const slow = await fakeService(() => undefined)
    const clone = workOn(service, clientOf(service), 'fix/login', [105])
    expect(await hook(clone, 'after-tool', { url: slow.url })).toBe('')
    const { count } = slow.asked
    expect(await hook(clone, 'after-tool', { url: slow.url })).toBe('')
    expect(slow.asked.count).toBe(count)
    nock('https://api.github.com').get(/.*/).reply(401, { message: 'Bad credentials' })
    const other = workOn(service, { ...clientOf(service), token: 'ghp_wrong' }, 'fix/login', [105])
    expect(await hook(other, 'after-tool')).toBe('')
  })

  it('whatever it is given', async () => {
    const clone = workOn(service, clientOf(service), 'fix/login', [105])
    const inputs = ['', '{', 'no JSON', '[]', 'null', '{"hook_event_name":"PreToolUse"}', '{"hook_event_name":7}']
    for (const input of inputs) {
      const stdin = (async function* () {
        yield input
      })()
      expect(await clone.headsup(['hook', 'claude', '--url', service.url], { input: stdin })).toEqual({
        code: 0,
        out: '',
        err: '',
      })
    }
    expect(await clone.headsup(['hook', 'codex', 'x', '--what'])).toEqual({ code: 0, out: '', err: '' })
    rmSync(join(clone.path, '.git'), { recursive: true })
    expect(await hook(clone, 'after-tool')).toBe('')
  })
})

describe('§13 headsup hook git', () => {
  it('records, and tells a person once a day', async () => {
    const [alice, bob] = aliceAndBob(service)
    await recordedBy(bob, [[105, 105]])
    const clone = workOn(service, alice, 'fix/login', [105])
    clone.commit()
    const told = await clone.headsup(['hook', 'git', 'post-commit'])
    expect(told).toMatchObject({ code: 0, out: '' })
    expect(told.err).toContain('src/auth/login.ts')
    expect(await recordsOf(alice, 'fix/login')).toMatchObject([{ agent: null }])
    clone.commit()
    expect(await clone.headsup(['hook', 'git'])).toEqual({ code: 0, out: '', err: '' })
  })
})
