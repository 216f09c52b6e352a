import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import nock from 'nock'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { limitsMs } from '../../src/cli/agents/run-hook.ts'
import type { Recorded } from '../../src/cli/api.ts'
import { openState } from '../../src/cli/state.ts'
import { type Clone, cloneOf, lines, newDirectory, workOn } from '../support/command-line.ts'
import { type Client, clientOf, startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(async () => {
  nock.cleanAll()
  await service.stop()
})

const start = (clone: Clone) => clone.json<Recorded>(['start'])
const live = async (client: Client) => (await client.get('/activity')).body.items

describe('§14 state', () => {
  it.each(['', '{"form": 2, "records": [{"id"', '[]', 'null', '{"records": {"a": 1}, "repositoryFacts": [null, 1]}'])(
    'is found anew where its file is empty, cut off or of another form: %s',
    (content) => {
      const gitDirectory = newDirectory()
      mkdirSync(join(gitDirectory, 'headsup'))
      writeFileSync(join(gitDirectory, 'headsup/state.json'), content)
      const state = openState({ top: '/', gitDirectory, commonDirectory: gitDirectory }, { env: {}, cwd: '/' })
      expect(state.read()).toMatchObject({ records: [], repositoryFacts: [], hooks: { told: [] } })
    },
  )

  it('lies in the cache of the user where .git cannot be written', async () => {
    const clone = workOn(service, clientOf(service), 'fix/login', [105])
    // A file in its place keeps root out too, whom no permission stops.
    clone.write('.git/headsup', '')
    const { activity } = await start(clone)
    expect((await start(clone)).activity.id).toBe(activity.id)
    const cache = join(clone.env.HOME ?? '', '.cache/headsup')
    expect(readdirSync(join(cache, readdirSync(cache)[0] ?? ''))).toEqual(['state.json'])
  })

  it('is none where neither can be written, and the record is made all the same', async () => {
    const clone = workOn(service, clientOf(service), 'fix/login', [105])
    clone.write('.git/headsup', '')
    const env = { ...clone.env, XDG_CACHE_HOME: join(clone.path, 'README.md') }
    expect(await clone.headsup(['start'], { env })).toMatchObject({ code: 0 })
    expect((await clone.headsup(['doctor'], { env })).out).toContain('!!  Neither .git nor your cache directory')
  })

  it('without a place for it hooks record nothing on the default branch', async () => {
    Object.assign(limitsMs, { 'after-tool': 30_000 })
    onTestFinished(() => void Object.assign(limitsMs, { 'after-tool': 1_500 }))
    const alice = clientOf(service)
    const clone = cloneOf(service, alice)
    clone.write('.git/headsup', '')
    clone.write('src/cart.ts', lines({ 3: 'x' }))
    const env = { ...clone.env, XDG_CACHE_HOME: join(clone.path, 'README.md') }
    const hook = () => clone.headsup(['hook', 'git'], { env })
    expect(await hook()).toEqual({ code: 0, out: '', err: '' })
    expect(await live(alice)).toEqual([])
    clone.git('switch', '-qc', 'fix/login')
    await hook()
    expect(await live(alice)).toMatchObject([{ branch: 'fix/login' }])
    // Whether there is a record is not known then.
    for (const status of [503, 400]) {
      const error = { code: 'validation_failed', details: [{ field: 'mine' }] }
      nock(service.url, { allowUnmocked: true })
        .get(/\/activity\?/)
        .reply(status, status === 400 ? { error } : '')
      await hook()
    }
    expect(await live(alice)).toHaveLength(1)
  })

  it('keeps for a day what the service says of the repository', async () => {
    const clone = workOn(service, clientOf(service), 'fix/login', [105])
    const [begun, gitDirectory] = [Date.now(), join(clone.path, '.git')]
    const state = openState({ top: clone.path, gitDirectory, commonDirectory: gitDirectory }, { env: {}, cwd: '/' })
    const readAfter = async (hours: number) => {
      await clone.headsup(['check'], { now: () => begun + hours * 3_600_000 })
      const [facts] = state.read().repositoryFacts
      return ((facts?.readAt ?? 0) - begun) / 3_600_000
    }
    expect([await readAfter(0), await readAfter(23), await readAfter(25)]).toEqual([0, 0, 25])
  })
})
