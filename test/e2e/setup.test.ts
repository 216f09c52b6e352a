import { once } from 'node:events'
import { chmod, chown, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parse } from 'dotenv'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadConfig } from '../../src/service/config/config.ts'
import { type Github, startGithub } from '../support/github/start.ts'
import { connectRaw } from '../support/raw-client.ts'
import {
  fromGithub,
  openSetup,
  pem,
  registered,
  registrationForm,
  runSetup,
  script,
  send,
  sendForm,
  serveConversions,
} from '../support/setup-program.ts'

const existing = {
  app_id: '12',
  private_key: pem.replaceAll('\n', '\r\n'),
  webhook_secret: `it's "a" #secret $HOME \\n`,
}

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777
}

describe('the page of npm run setup', () => {
  it('offers to register an App that may read metadata, contents and pull requests, and nothing more', async () => {
    const { url, child, ended } = await openSetup({ program: script })
    const { text, head } = await send(url)
    const { action, manifest } = registrationForm(text)
    expect(action.href).toMatch(/^https:\/\/github\.com\/settings\/apps\/new\?state=[0-9a-f]{48}$/)
    expect(manifest).toMatchObject({
      default_permissions: { metadata: 'read', contents: 'read', pull_requests: 'read', checks: 'write' },
      default_events: ['check_run', 'check_suite', 'delete', 'pull_request', 'push', 'repository'],
      public: false,
    })
    expect(Object.keys(manifest.default_permissions)).toHaveLength(4)
    expect(manifest.hook_attributes.url).toMatch(/\/api\/github\/webhooks$/)
    expect(manifest.redirect_url).toBe(`${url}setup`)
    expect(head).toMatch(/\ncontent-security-policy: default-src 'none'.*frame-ancestors 'none'/i)
    expect(head).toMatch(/\ncache-control: no-store\r/i)
    expect(text).not.toContain('<script')
    child.kill()
    expect(await ended).toBe(1)
  })

  it('registers the App for an organisation, at an address, on the GitHub that are named', async () => {
    const { url } = await openSetup({
      args: ['--org', 'acme', '--url', 'https://headsup.example/'],
      env: { GITHUB_SERVER_URL: 'https://ghe.example' },
    })
    const { action, manifest } = registrationForm((await send(url)).text)
    expect(action.origin + action.pathname).toBe('https://ghe.example/organizations/acme/settings/apps/new')
    expect(manifest).toMatchObject({
      hook_attributes: { url: 'https://headsup.example/api/github/webhooks' },
      callback_urls: ['https://headsup.example/-/callback'],
      setup_url: 'https://headsup.example/',
      request_oauth_on_install: false,
    })
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('%s ends it, and nothing is written', async (signal) => {
    const { url, child, ended, directory } = await openSetup({ program: script })
    expect((await send(url)).status).toBe(200)
    child.kill(signal)
    expect(await ended).toBe(1)
    expect(await readdir(directory)).toEqual(['app.yml'])
  })

  it.each([
    ['an App that is there', { env: { APP_ID: '7' } }, 'APP_ID: is set already'],
    ['an organisation that no one has', { args: ['--org', 'a/../b'] }, '--org: must be the name'],
    ['half an address', { args: ['--url', 'headsup.example'] }, '--url: must be an http(s) URL'],
    ['the address of the example', { args: ['--url', 'https://example.com'] }, '--url: must be the address'],
    ['no address, off a terminal', { env: { WEBHOOK_PROXY_URL: '' } }, '--url is needed'],
    ['a port that is none', { args: ['--port', '70000'] }, '--port: must be a whole number'],
    ['an unknown option', { args: ['--orgs', 'acme'] }, 'Usage: npm run setup'],
    [
      'a .env with an open quotation mark',
      { prepare: (at: string) => writeFile(join(at, '.env'), "A='open") },
      'quotation mark',
    ],
    [
      'a broken app.yml',
      { prepare: (at: string) => writeFile(join(at, 'app.yml'), 'name: [') },
      'app.yml can not be read',
    ],
  ])('refuses to start with %s', async (_what, options, reason) => {
    const { ended, printed } = await runSetup(options)
    expect(await ended).toBe(1)
    expect(printed()).toContain(reason)
    expect(printed()).not.toContain('    at ')
  })

  it('says which port is in use', async () => {
    const { url } = await openSetup()
    const { ended, printed } = await runSetup({ args: ['--port', new URL(url).port] })
    expect(await ended).toBe(1)
    expect(printed()).toContain(
      `Port ${new URL(url).port} is in use, perhaps by Headsup itself. Choose another with --port.`,
    )
  })
})

describe('a new App', () => {
  it('is written to .env when GitHub leads the browser back, and the set-up says so and ends', async () => {
    const github = await serveConversions({ status: 201, body: registered })
    const { url, ended, envFile, printed } = await openSetup({ env: { GITHUB_API_URL: github.url } })
    const { manifest, state } = registrationForm((await send(url)).text)
    const { status, text } = await send(`${manifest.redirect_url}?code=a1b2&state=${state}`, 'GET', fromGithub)
    expect(status).toBe(200)
    expect(text).toContain('href="https://github.com/apps/headsup/installations/new"')
    expect(await ended).toBe(0)
    // After that, the set-up asks about the new App.
    expect(github.asked).toEqual(['POST /app-manifests/a1b2/conversions', 'GET /app'])
    const written = parse(await readFile(envFile))
    expect(loadConfig(written).config).toMatchObject({ app: { appId: 4711, privateKey: pem } })
    expect(written).toEqual({
      APP_ID: '4711',
      PRIVATE_KEY: pem,
      WEBHOOK_SECRET: registered.webhook_secret,
      GITHUB_CLIENT_ID: registered.client_id,
      GITHUB_CLIENT_SECRET: registered.client_secret,
    })
    expect(await modeOf(envFile)).toBe(0o600)
    expect(printed()).toContain('.env now holds APP_ID, PRIVATE_KEY, WEBHOOK_SECRET')
    expect(printed()).toContain('npm start')
    for (const secret of [registered.webhook_secret, registered.client_secret, 'BEGIN RSA'])
      expect(printed()).not.toContain(secret)
  })

  it('is written before a signal ends the set-up, once it was requested from GitHub', async () => {
    let release = () => {}
    const until = new Promise<void>((resolve) => (release = resolve))
    const github = await serveConversions({ status: 201, body: registered, until })
    const { url, child, ended, envFile } = await openSetup({ env: { GITHUB_API_URL: github.url } })
    const { state } = registrationForm((await send(url)).text)
    const answer = send(`${url}setup?code=a1b2&state=${state}`, 'GET', fromGithub)
    await expect.poll(() => github.asked).toHaveLength(1)
    expect((await send(`${url}setup?code=a1b2&state=${state}`, 'GET', fromGithub)).status).toBe(409)
    child.kill('SIGTERM')
    release()
    expect((await answer).status).toBe(200)
    expect(await ended).toBe(0)
    expect(parse(await readFile(envFile)).APP_ID).toBe('4711')
  })

  it('is written, and the set-up ends, where the browser disconnects meanwhile', async () => {
    let release = () => {}
    const until = new Promise<void>((resolve) => (release = resolve))
    const github = await serveConversions({ status: 201, body: registered, until })
    const { url, ended, envFile } = await openSetup({ env: { GITHUB_API_URL: github.url } })
    const { state } = registrationForm((await send(url)).text)
    const { host, pathname } = new URL(url)
    const browser = await connectRaw(url)
    browser.write(`GET ${pathname}setup?code=a1b2&state=${state} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    await expect.poll(() => github.asked).toHaveLength(1)
    browser.end()
    release()
    expect(await ended).toBe(0)
    expect(parse(await readFile(envFile)).APP_ID).toBe('4711')
  })

  it('can be tried again after GitHub has refused the code', async () => {
    const github = await serveConversions({ status: 404, body: { message: 'Not Found' } })
    const { url, directory } = await openSetup({ env: { GITHUB_API_URL: github.url } })
    const { state } = registrationForm((await send(url)).text)
    const { status, text } = await send(`${url}setup?code=used-before&state=${state}`, 'GET', fromGithub)
    expect(status).toBe(502)
    expect(text).toContain('did not accept the code (status 404)')
    expect(text).not.toContain('used-before')
    expect(await readdir(directory)).toEqual(['app.yml'])
    expect((await send(url)).status).toBe(200)
  })
})

describe('the address of --url', () => {
  it('is written too, since clients use it', async () => {
    const { url, ended, envFile } = await openSetup({ args: ['--url', 'https://headsup.acme.dev'] })
    expect((await sendForm(url, existing)).status).toBe(200)
    expect(await ended).toBe(0)
    expect(parse(await readFile(envFile)).HEADSUP_PUBLIC_URL).toBe('https://headsup.acme.dev')
  })
})

describe('npm run setup -- --check', () => {
  /** A GitHub with this App, and the set-up's check of it. */
  async function check(prepare: (github: Github) => Promise<unknown> | undefined) {
    const github = await startGithub()
    onTestFinished(() => github.stop())
    await prepare(github)
    const { id, privateKey, webhookSecret } = github.data.app
    const env = {
      APP_ID: String(id),
      PRIVATE_KEY: privateKey,
      WEBHOOK_SECRET: webhookSecret,
      GITHUB_API_URL: github.url,
    }
    const { ended, printed } = await runSetup({ args: ['--check'], env })
    return { code: await ended, text: printed() }
  }

  it('says what is left to do: no installation, no webhook', async () => {
    const { code, text } = await check(() => undefined)
    expect(code).toBe(1)
    expect(text).toMatch(/^ok {5}The App “.*” is there, and belongs to /m)
    expect(text).toMatch(/^to do {2}It is installed nowhere\.$/m)
    expect(text).toMatch(/^to do {2}GitHub has not sent a webhook yet\.$/m)
    expect(text).toMatch(/^Next: Install it: https:.*\/installations\/new$/m)
  })

  it('has a lost webhook sent again, and says that nothing is left to do', async () => {
    const service = createServer((_request, response) => void response.writeHead(200).end())
    service.listen(0, '127.0.0.1')
    onTestFinished(() => void service.close())
    await once(service, 'listening')
    const { code, text } = await check((github) => {
      github.data.app.hookUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`
      github.install('acme')
      github.loseNext()
      return github.deliver('ping', {})
    })
    expect(text).toMatch(/^ok {5}It is installed on acme, with what it asks for\.$/m)
    expect(text).toMatch(/^ok {5}A webhook has arrived \(ping, /m)
    expect(text).toContain('Nothing is left to do.')
    expect(code).toBe(0)
  })

  it('without an App says how to make one', async () => {
    const { ended, printed } = await runSetup({ args: ['--check'] })
    expect(await ended).toBe(1)
    expect(printed()).toContain('There is no App in .env yet')
  })
})

describe('an App that was there before', () => {
  it('is written from the form, in place of the old values, with all other lines kept', async () => {
    const before =
      '# mine\nPORT=4000 # here\n\nexport WEBHOOK_SECRET="old\nlines"\nX=\'1\'\nAPP_ID=\nWEBHOOK_SECRET=older'
    const prepare = async (directory: string) => {
      await writeFile(join(directory, '.env'), before)
      await chmod(join(directory, '.env'), 0o644)
    }
    const { url, ended, envFile, directory } = await openSetup({ prepare, args: ['--port', '0'] })
    const { status, text } = await sendForm(url, existing)
    expect(status).toBe(200)
    expect(text).not.toContain('secret $HOME')
    expect(await ended).toBe(0)
    const after = await readFile(envFile, 'utf8')
    expect(parse(after)).toEqual({
      PORT: '4000',
      X: '1',
      APP_ID: '12',
      PRIVATE_KEY: pem,
      WEBHOOK_SECRET: existing.webhook_secret,
    })
    expect(after).toMatch(/^# mine\nPORT=4000 # here\n\nWEBHOOK_SECRET=.*\nX='1'\nAPP_ID=12\nPRIVATE_KEY=".*"\n$/)
    expect(await modeOf(envFile)).toBe(0o600)
    expect((await readdir(directory)).sort()).toEqual(['.env', 'app.yml'])
  })

  it('is written to the file that .env links to', async () => {
    const prepare = async (directory: string) => {
      await writeFile(join(directory, 'shared'), 'A=1\n', { mode: 0o664 })
      await symlink('shared', join(directory, '.env'))
    }
    const { url, ended, directory, envFile } = await openSetup({ prepare })
    expect((await sendForm(url, existing)).status).toBe(200)
    expect(await ended).toBe(0)
    expect((await lstat(envFile)).isSymbolicLink()).toBe(true)
    expect(parse(await readFile(join(directory, 'shared')))).toMatchObject({ A: '1', APP_ID: '12' })
    expect(await modeOf(join(directory, 'shared'))).toBe(0o600)
  })

  it.runIf(process.getuid?.() === 0)("is written by root to a file that stays its owner's", async () => {
    const prepare = async (directory: string) => {
      await writeFile(join(directory, '.env'), '')
      await chown(join(directory, '.env'), 4711, 4712)
    }
    const { url, ended, envFile } = await openSetup({ prepare })
    expect((await sendForm(url, existing)).status).toBe(200)
    expect(await ended).toBe(0)
    const { uid, gid } = await stat(envFile)
    expect({ uid, gid, mode: await modeOf(envFile) }).toEqual({ uid: 4711, gid: 4712, mode: 0o600 })
  })

  it('stays unwritten, and no draft stays behind, where the file can not be replaced', async () => {
    const { url, directory, envFile, printed } = await openSetup()
    // A directory in its place: a file can't be renamed over it.
    await mkdir(envFile)
    expect((await sendForm(url, existing)).status).toBe(500)
    expect(printed()).toContain('.env could not be written')
    expect((await readdir(directory)).sort()).toEqual(['.env', 'app.yml'])
  })
})
