import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Clone, newDirectory, removeDirectories, sharedRepository } from '../support/command-line.ts'
import { startTestService, type TestRepository, type TestService } from '../support/service.ts'

let service: TestService
let repository: TestRepository
let clone: Clone
let page: string

beforeAll(async () => {
  service = await startTestService()
  repository = service.newRepository()
  page = `/${repository.owner}/${repository.name}`
  clone = sharedRepository(repository.owner, repository.name).clone('Alice', {
    HEADSUP_URL: service.url,
    GITHUB_TOKEN: repository.writer,
  })
})
afterAll(async () => {
  removeDirectories()
  await service.stop()
})

/** Enters with the code of an address, as its page does. */
async function enter(address: string) {
  const url = new URL(address)
  const response = await fetch(`${url.origin}/-/session/enter`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ code: url.hash.slice(1) }),
  })
  const body: unknown = await response.json()
  return { status: response.status, body }
}

/** An `xdg-open` that writes down what it is asked to open, and the token in its environment. */
function opener(script: string) {
  const directory = newDirectory()
  const opened = join(directory, 'opened')
  writeFileSync(join(directory, 'xdg-open'), `#!/bin/sh\n${script.replaceAll('FILE', opened)}\n`)
  chmodSync(join(directory, 'xdg-open'), 0o755)
  return { opened, env: { DISPLAY: ':0', PATH: `${directory}:${process.env.PATH}` } }
}

describe.skipIf(process.platform !== 'linux')('headsup open', () => {
  it('opens the page with a code that signs in once, and prints no code', async () => {
    const { opened, env } = opener('echo "$1 [$GITHUB_TOKEN]" > FILE')
    const ended = await clone.headsup(['open'], { env })
    expect(ended).toEqual({ code: 0, err: '', out: `Opened ${page} in the browser.\n` })
    const [address = '', token] = readFileSync(opened, 'utf8').trimEnd().split(' ')
    expect(token).toBe('[]')
    const { origin, pathname, searchParams } = new URL(address)
    expect([origin, pathname, searchParams.get('to')]).toEqual([service.url, '/-/enter', page])
    expect(await enter(address)).toMatchObject({ status: 200, body: { login: `writer${repository.id}` } })
    expect(await enter(address)).toMatchObject({ status: 401 })
  })

  it('shows what is below a path', async () => {
    const { opened, env } = opener('echo "$1" > FILE')
    expect(await clone.headsup(['open', '.'], { env, cwd: 'src/auth' })).toMatchObject({ code: 0 })
    expect(new URL(readFileSync(opened, 'utf8')).searchParams.get('to')).toBe(`${page}?path=src%2Fauth`)
    expect(await clone.headsup(['open', '..'], { env })).toMatchObject({ code: 2 })
    expect(await clone.headsup(['open', 'a', 'b'], { env })).toMatchObject({ code: 2 })
  })

  it.each<[string, string[], Record<string, string>]>([
    ['with --print', ['--print'], opener('touch FILE').env],
    ['without a screen', [], { ...opener('touch FILE').env, DISPLAY: '' }],
    ['where the opener fails', [], opener('exit 3').env],
    ['where there is no opener', [], { DISPLAY: ':0', PATH: gitAlone() }],
  ])('prints the address and how long it lives %s', async (_title, flags, env) => {
    const { code, out, err } = await clone.headsup(['open', '--repo', page.slice(1), ...flags], {
      env,
    })
    expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/works for 30 seconds/) })
    expect(out).toMatch(/^http\S+\/-\/enter\?to=\S+#\S+\n$/)
    expect(await enter(out.trim())).toMatchObject({ status: 200 })
  })

  it('hands out no address of a repository that the token cannot see', async () => {
    const { code, out, err } = await clone.headsup(['open', '--print', '--repo', 'acme/none'])
    expect({ code, out }).toEqual({ code: 4, out: '' })
    expect(err).toContain('acme/none: no such repository, or this token may not see it.')
  })

  it('requests no sign-in code before a check that the token sees the repository', async () => {
    const asked: string[] = []
    const server = createServer(({ url = '' }, response) => {
      asked.push(url)
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
    })
    const url = await new Promise<string>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${Object(server.address()).port}`))
    })
    await clone.headsup(['open', '--print', '--repo', 'acme/none', '--url', url])
    server.close()
    expect(asked).toContain('/api/v1/repos/acme/none/settings')
    expect(asked).not.toContain('/-/session/handover')
  })

  it('says what is wrong where the token is refused, or the service has no page', async () => {
    const refused = await clone.headsup(['open', '--print'], { env: { GITHUB_TOKEN: 'ghp_unknown' } })
    expect(refused).toMatchObject({ code: 3, out: '', err: expect.stringContaining('GitHub refuses the token') })
    const elsewhere = await clone.headsup(['open', '--print', '--url', `${service.url}/docs`])
    expect(elsewhere).toMatchObject({ code: 3, out: '' })
  })
})

/** A PATH on which only git is found. */
function gitAlone(): string {
  const directory = newDirectory()
  writeFileSync(join(directory, 'git'), `#!/bin/sh\nPATH='${process.env.PATH}' exec git "$@"\n`)
  chmodSync(join(directory, 'git'), 0o755)
  return directory
}
