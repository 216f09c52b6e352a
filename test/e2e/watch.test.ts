import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { environment, headsup, newDirectory, removeDirectories } from '../support/command-line.ts'
import { startTestService, type TestRepository, type TestService } from '../support/service.ts'

let service: TestService
let repository: TestRepository
const children: ChildProcess[] = []

beforeAll(async () => {
  service = await startTestService({ live: { pollMs: 30 } })
})
beforeEach(() => {
  repository = service.newRepository()
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill()
})
afterAll(async () => {
  removeDirectories()
  await service.stop()
})

/** Runs `headsup watch` outside of a work tree. */
function watch(args: string[], url = service.url, token = repository.reader) {
  const directory = newDirectory()
  const child = spawn(
    process.execPath,
    [headsup, 'watch', '--repo', `${repository.owner}/${repository.name}`, ...args],
    {
      cwd: directory,
      env: { ...environment(directory, { HEADSUP_URL: url, GITHUB_TOKEN: token }), HEADSUP_SILENT_MS: '600' },
    },
  )
  children.push(child)
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  async function lines(count: number): Promise<string[]> {
    for (let waited = 0; waited < 20_000; waited += 30) {
      const all = out.split('\n').slice(0, -1)
      if (all.length >= count) return all
      await sleep(30)
    }
    throw new Error(`Only this came: ${out} ${err}`)
  }
  return { child, ended, lines, err: () => err }
}

const work = (title: string) => ({ title, summary: 'x', actor: 'Alice', branch: title, scope: { paths: ['src/**'] } })

describe('headsup watch', () => {
  it('prints what is known, and then what happens', async () => {
    const { lines } = watch(['--lines'])
    await lines(1)
    const { activity } = await repository.created('/activity', work('login'))
    await lines(2)
    await repository.raised({ title: 'Freeze' })
    await lines(3)
    service.clock.advance(10)
    await repository.post(`/activity/${activity.id}/archive`)
    expect(await lines(4)).toEqual([
      '0 pieces of live work, 0 collisions, 0 notables. Text in quotation marks is other people’s.',
      'Work, active: “Alice”, “login”',
      'Notable, active: “Freeze”',
      'Ended, archived: “Alice”, “login”',
    ])
  })

  it('prints one event per line as JSON, and ends after the first with --once', async () => {
    await repository.created('/activity', work('login'))
    const { lines, ended } = watch(['--json', '--once'])
    const [line = ''] = await lines(1)
    expect(JSON.parse(line)).toMatchObject({ event: 'snapshot', data: { activities: [{ title: 'login' }] } })
    expect(await ended).toBe(0)
  })

  it('goes on after the service has restarted', async () => {
    const first = await startTestService({ sharedWith: service, live: { pollMs: 30 } })
    const { lines, err } = watch(['--lines'], first.url)
    await lines(1)
    const port = Number(new URL(first.url).port)
    await first.stop()
    const second = await startTestService({ sharedWith: service, live: { pollMs: 30 }, port })
    await repository.created('/activity', work('login'))
    expect((await lines(2)).at(-1)).toBe('Work, active: “Alice”, “login”')
    expect(err()).toContain('Trying again.')
    await second.stop()
  })

  it('ends with the reason where the token is refused', async () => {
    const { ended, err } = watch([], service.url, repository.stranger)
    expect(await ended).toBe(4)
    expect(err()).toContain('no such repository, or this token may not see it')
  })
})
