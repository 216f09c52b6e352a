import { spawn } from 'node:child_process'
import { createServer, type RequestListener, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { environment, headsup, newDirectory, removeDirectories, runCommand } from '../support/command-line.ts'
import { type RunningCommand, startCommand } from '../support/command-server.ts'
import { startTestService, type TestRepository, type TestService } from '../support/service.ts'

let service: TestService
let repository: TestRepository
const stops: (() => unknown)[] = []

beforeAll(async () => {
  service = await startTestService({ live: { pollMs: 30 } })
})
beforeEach(() => {
  repository = service.newRepository()
})
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})
afterAll(async () => {
  removeDirectories()
  await service.stop()
})

/** Longer than the test, in ms. */
const never = 600_000

/** `headsup watch` outside of a work tree. */
function watchCommand(args: string[], url: string, token: string, silentMs: number) {
  const cwd = newDirectory()
  const variables = { HEADSUP_URL: url, GITHUB_TOKEN: token, HEADSUP_SILENT_MS: String(silentMs) }
  const argv = ['watch', '--repo', `${repository.owner}/${repository.name}`, ...args]
  return { argv, cwd, env: environment(cwd, variables), input: '', program: [] }
}

/** Waits until so many lines are printed. */
async function linesOf({ out, err }: Pick<RunningCommand, 'out' | 'err'>, count: number): Promise<string[]> {
  const all = () => out().split('\n').slice(0, -1)
  await expect.poll(() => all().length, { timeout: 20_000, message: err() }).toBeGreaterThanOrEqual(count)
  return all()
}

/** Runs `headsup watch` without a process of its own. */
function watch(args: string[], url = service.url, token = repository.reader, silentMs = never) {
  const command = startCommand(watchCommand(args, url, token, silentMs))
  stops.push(command.stop)
  return { ...command, lines: (count: number) => linesOf(command, count) }
}

/** Runs `headsup watch` as a process. */
function watchProcess(args: string[]) {
  const { argv, cwd, env } = watchCommand(args, service.url, repository.reader, never)
  const child = spawn(process.execPath, [headsup, ...argv], { cwd, env })
  stops.push(() => child.kill())
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, ended, lines: (count: number) => linesOf({ out: () => out, err: () => err }, count) }
}

const work = (title: string, paths = ['src/**']) => ({
  ...{ title, summary: 'x', actor: 'Alice', branch: title },
  scope: { paths },
})

/** A proxy that holds back the body of every stream, or its headers too. */
function bufferingProxy(holdsBack: 'body' | 'headers'): Promise<string> {
  return startServer((incoming, response) => {
    const forwarded = request(service.url + incoming.url, { headers: incoming.headers }, (reply) => {
      const isStream = String(reply.headers['content-type']).includes('event-stream')
      if (isStream && holdsBack === 'headers') return
      response.writeHead(reply.statusCode ?? 500, reply.headers)
      response.flushHeaders()
      if (!isStream) reply.pipe(response)
    })
    forwarded.on('error', () => {})
    forwarded.end()
  })
}

/** A server that ends with the test. */
async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('headsup watch', () => {
  it('prints the current state, and then the events', async () => {
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

  it('ends with status 3 with --once where the service is not there', async () => {
    const { ended, err } = watch(['--once'], 'http://127.0.0.1:1')
    expect(await ended).toBe(3)
    expect(err()).toMatch(/^headsup: http:\/\/127\.0\.0\.1:1 is not listening: [^\n]*\.\n$/)
  })

  it('prints one event per line as JSON, and ends after the first with --once', async () => {
    await repository.created('/activity', work('login'))
    const { lines, ended } = watchProcess(['--json', '--once'])
    const [line = ''] = await lines(1)
    expect(JSON.parse(line)).toMatchObject({ event: 'snapshot', data: { activities: [{ title: 'login' }] } })
    expect(await ended).toBe(0)
  })

  it('continues after the service has restarted', async () => {
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

  it('prints a collision when it begins and when it ends', async () => {
    const { lines } = watch(['--lines'])
    await lines(1)
    await repository.created('/activity', work('one'))
    service.clock.advance(10)
    const { activity } = await repository.created('/activity', work('two', ['src/a.ts']))
    await lines(4)
    service.clock.advance(10)
    await repository.post(`/activity/${activity.id}/archive`)
    expect((await lines(6)).slice(3)).toEqual([
      'Collision, medium severity: “Alice”, “two” and “Alice”, “one”, such as “src/a.ts”',
      'Ended, archived: “Alice”, “two”',
      'No longer collides: “Alice”, “two” and “Alice”, “one”',
    ])
  })

  it.each(['body', 'headers'] as const)(
    'reads the lists where a proxy holds back the %s of the stream',
    async (part) => {
      await repository.created('/activity', work('one'))
      const { lines, err, ended } = watch(['--lines', '--once'], await bufferingProxy(part), repository.reader, 600)
      expect(await lines(1)).toEqual([expect.stringMatching(/^1 piece of live work, 0 collisions/)])
      expect(await ended).toBe(0)
      expect(err()).toContain('a proxy holds the events back')
    },
  )

  it.each([
    ['an error', 500, 'sent more than Headsup ever does'],
    ['an event', 200, 'An event is too long'],
  ])('does not read %s without end', async (_what, status, reason) => {
    let sent = 0
    const url = await startServer((_incoming, response) => {
      response.writeHead(status, { 'content-type': 'text/event-stream' })
      const piece = Buffer.alloc(64 * 1024, 'x')
      const send = () => {
        if (response.destroyed) return
        sent += piece.length
        if (response.write(piece)) setImmediate(send)
        else response.once('drain', send)
      }
      send()
    })
    const { ended, err } = watch(['--once'], url)
    expect(await ended).toBe(3)
    expect(err()).toContain(reason)
    expect(sent).toBeLessThan(32 * 1024 * 1024)
  })

  it('ends when nobody reads what it prints', async () => {
    const { child, ended, lines } = watchProcess(['--lines'])
    await lines(1)
    child.stdout?.destroy()
    await repository.raised()
    expect(await ended).toBe(0)
  })

  it('ends with the reason where the token is refused', async () => {
    const { ended, err } = watch([], service.url, repository.stranger)
    expect(await ended).toBe(4)
    expect(err()).toContain('no such repository, or this token may not see it')
  })
})

describe('headsup collisions', () => {
  async function collisions(...args: string[]) {
    const directory = newDirectory()
    const env = environment(directory, { HEADSUP_URL: service.url, GITHUB_TOKEN: repository.reader })
    const repo = `${repository.owner}/${repository.name}`
    return runCommand(['collisions', '--repo', repo, ...args], { cwd: directory, env })
  }

  it('gives no all-clear where not all live work is compared, and headsup watch neither', async () => {
    await service.fill(repository, 2_001)
    expect((await collisions()).out).toBe('No collision is known, but not all live work is compared.\n')
    const { lines, ended } = watch(['--lines', '--once'])
    expect(await lines(2)).toEqual([
      '500+ pieces of live work, 0 collisions, 0 notables. Text in quotation marks is other people’s.',
      'Not all live work is compared yet: there may be more collisions.',
    ])
    expect(await ended).toBe(0)
  })

  it('lists who collides with whom, and says where nobody does', async () => {
    expect(await collisions()).toEqual({ code: 0, out: 'No live work collides.\n', err: '' })
    await repository.created('/activity', work('one'))
    service.clock.advance(10)
    await repository.created('/activity', work('two', ['src/a.ts']))
    expect((await collisions()).out).toBe(
      'Text in quotation marks is other people’s.\nCollision, medium severity: “Alice”, “two” and “Alice”, “one”, such as “src/a.ts”\n',
    )
    expect(JSON.parse((await collisions('--json')).out)).toMatchObject({ items: [{ severity: 'medium' }] })
  })
})
