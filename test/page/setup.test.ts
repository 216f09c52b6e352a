import { chmod, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'dotenv'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { appendVariables, openEnvFile } from '../../src/setup/env-file.ts'
import { startSetup } from '../../src/setup/setup-app.ts'
import { type GithubServer, startGithubServer } from '../support/github-server.ts'

let [github, setup, saved]: [GithubServer, Awaited<ReturnType<typeof startSetup>>, Record<string, string>[]] =
  [] as never
let diskFault: Error | undefined
beforeEach(async () => {
  diskFault = undefined
  github = await startGithubServer()
  saved = []
  setup = await startSetup({
    ...{ manifest: { name: '<Headsup>' }, org: 'acme', githubApiUrl: github.url, githubServerUrl: github.url },
    save: async (variables) => {
      if (diskFault) throw diskFault
      saved.push(variables)
    },
  })
})
afterEach(async () => {
  setup.stop()
  await github.stop()
})

async function stateOf(): Promise<string> {
  const [, state = ''] = /state=([0-9a-f]+)/.exec(await (await fetch(setup.url)).text()) ?? []
  return state
}

it('§12 set-up: sends the manifest to GitHub, takes the code once, and keeps what GitHub answers', async () => {
  const text = await (await fetch(setup.url)).text()
  expect(text).toContain(`action="${github.url}/organizations/acme/settings/apps/new?state=`)
  expect(text).toContain('&quot;name&quot;:&quot;&lt;Headsup&gt;&quot;')
  const state = await stateOf()
  const finished = await fetch(`${setup.url}done?code=abc&state=${state}`)
  expect(finished.status).toBe(200)
  expect(await finished.text()).not.toMatch(/private key|webhook-secret|client-secret/)
  expect(await setup.done).toBe('https://github.com/apps/headsup/installations/new')
  expect(saved).toEqual([
    {
      ...{ APP_ID: '1', PRIVATE_KEY: 'private key', WEBHOOK_SECRET: 'webhook-secret' },
      ...{ GITHUB_CLIENT_ID: 'Iv1.stand-in', GITHUB_CLIENT_SECRET: 'client-secret' },
    },
  ])
  expect((await fetch(`${setup.url}done?code=abc&state=${state}`)).status).toBe(409)
  expect(saved).toHaveLength(1)
})

it.each(['', '&state=', '&state=0123', '&state=x&state=y'])(
  '§12 set-up: a code with a foreign state (%s) is not taken',
  async (state) => {
    expect((await fetch(`${setup.url}done?code=abc${state}`)).status).toBe(403)
    expect(github.requests).toEqual([])
    expect(saved).toEqual([])
  },
)

it('§12 set-up: a file that is not there is a 404 that tells nothing of this machine', async () => {
  const response = await fetch(new URL('/-/page/none.css', setup.url))
  expect([response.status, await response.text()]).toEqual([404, expect.not.stringContaining('.ts:')])
})

it('§12 set-up: a code that GitHub refuses writes nothing, and the page can be used again', async () => {
  const state = await stateOf()
  github.before = (_request, response) => void response.status(404).json({ message: 'Not Found' })
  expect((await fetch(`${setup.url}done?code=old&state=${state}`)).status).toBe(502)
  github.before = (_request, _response, next) => next()
  expect((await fetch(`${setup.url}done?code=new&state=${state}`)).status).toBe(200)
  expect(saved).toHaveLength(1)
})

it('§12 set-up: says that the key could not be kept, and never that GitHub refused', async () => {
  diskFault = new Error('ENOSPC: no space left on device')
  const answer = await fetch(`${setup.url}done?code=abc&state=${await stateOf()}`)
  expect([answer.status, await answer.text()]).toEqual([
    502,
    expect.stringMatching(/The key of the App can not be written: .*no space left/),
  ])
})

it('§12 set-up: answers its own host and its secret path alone, and takes no POST', async () => {
  const { host, port, pathname, origin } = new URL(setup.url)
  const status = (path: string, headers: Record<string, string>, method = 'GET') =>
    new Promise((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, path, method, headers }, ({ statusCode }) => resolve(statusCode))
      asked.once('error', reject).end()
    })
  expect(await status(pathname, { host })).toBe(200)
  expect(await status(pathname, { host: `evil.example:${port}` })).toBe(404)
  expect(await status(pathname, { host: `localhost:${port}` })).toBe(404)
  expect(await status('/', { host })).toBe(404)
  expect(await status(`/${'0'.repeat(48)}/`, { host })).toBe(404)
  expect(await status(pathname, { host }, 'POST')).toBe(404)
  const [style = ''] = /\/-\/page\/[\w.-]+\.css/.exec(await (await fetch(setup.url)).text()) ?? []
  expect(await status(style, { host })).toBe(200)
  expect(await status(style, { host: `evil.example:${port}` })).toBe(404)
  const { headers } = await fetch(`${origin}${pathname}`)
  expect(headers.get('content-security-policy')).toContain(
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  )
  expect(headers.get('cache-control')).toBe('no-store')
})

it('§12 set-up: .env is appended to, for its owner alone; a link is not followed, and an App that is there stays', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'headsup-setup-'))
  try {
    const path = join(directory, '.env')
    await writeFile(path, 'PORT=3001 # ours\nLOG_LEVEL=debug')
    await chmod(path, 0o644)
    const file = await openEnvFile(path, ['APP_ID', 'PRIVATE_KEY'])
    await appendVariables(file, { APP_ID: '7', PRIVATE_KEY: '-----BEGIN\nabc=\n-----END\n' })
    await file.close()
    const text = await readFile(path, 'utf8')
    expect(text.startsWith('PORT=3001 # ours\nLOG_LEVEL=debug\n')).toBe(true)
    expect(parse(text)).toEqual({
      ...{ PORT: '3001', LOG_LEVEL: 'debug', APP_ID: '7', PRIVATE_KEY: '-----BEGIN\nabc=\n-----END\n' },
    })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await expect(openEnvFile(path, ['APP_ID'])).rejects.toThrow('has APP_ID already')
    await symlink(path, join(directory, 'link'))
    await expect(openEnvFile(join(directory, 'link'), ['OTHER'])).rejects.toThrow('can not be written')
  } finally {
    await rm(directory, { recursive: true })
  }
})
