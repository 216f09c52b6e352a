import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { repositoryOf } from '../../support/github/data.ts'
import { type Github, type PrivateRepository, startGithub } from '../../support/github/start.ts'
import { jsonWebToken } from './json-web-token.ts'
import { sendRequest, type TestResponse } from './send-request.ts'

let github: Github
let made: PrivateRepository
beforeEach(async () => {
  github = await startGithub()
  made = github.addRepository('installed')
})
afterEach(() => github.stop())

const asApp = (path: string, method = 'GET', body?: object): Promise<TestResponse> =>
  sendRequest(github.url + path, { method, token: jsonWebToken(github.data.app), body })

async function installationToken(id: number, wanted: object = {}): Promise<string> {
  const { status, body } = await asApp(`/app/installations/${id}/access_tokens`, 'POST', wanted)
  expect(status).toBe(201)
  return (body as { token: string }).token
}

describe('the App', () => {
  it('authenticates with a JWT that it signed, and with no other', async () => {
    expect(await asApp('/app')).toMatchObject({ status: 200, body: { id: github.data.app.id, slug: 'headsup' } })
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    })
    const { app } = github.data
    const tokens = [
      jsonWebToken({ id: app.id, privateKey }),
      jsonWebToken(app, { issuer: app.id + 1 }),
      jsonWebToken(app, { expiresIn: -1 }),
      jsonWebToken(app, { expiresIn: 3600 }),
      made.writer,
    ]
    for (const token of tokens) expect((await sendRequest(`${github.url}/app`, { token })).status).toBe(401)
    expect((await sendRequest(`${github.url}/app`)).status).toBe(401)
  })

  it('finds its installation by name, also by a former name, and gets 404 elsewhere', async () => {
    expect((await asApp('/repos/acme/installed/installation')).status).toBe(404)
    github.data.formerNames.set('acme/former', Number(made.id))
    expect((await asApp('/repos/acme/former/installation')).status).toBe(404)
    const { id } = github.install('acme')
    expect(await asApp('/repos/acme/installed/installation')).toMatchObject({
      status: 200,
      body: { id, app_id: github.data.app.id },
    })
    await github.renameRepository(made, 'renamed')
    expect((await asApp('/repos/acme/installed/installation')).status).toBe(301)
    expect((await sendRequest(`${github.url}/repos/acme/renamed/installation`, { token: made.writer })).status).toBe(
      401,
    )
  })
})

describe('the manifest flow', () => {
  it('returns the App and its secrets for a code, once', async () => {
    github.data.manifestCodes.add('a-code')
    const convert = () => sendRequest(`${github.url}/app-manifests/a-code/conversions`, { method: 'POST' })
    const { id, privateKey, webhookSecret } = github.data.app
    expect(await convert()).toMatchObject({ status: 201, body: { id, pem: privateKey, webhook_secret: webhookSecret } })
    expect((await convert()).status).toBe(404)
  })
})

it('has the permissions and events of app.yml', () => {
  const manifest = parse(readFileSync('app.yml', 'utf8'))
  expect(github.data.app.permissions).toEqual(manifest.default_permissions)
  expect(github.data.app.events).toEqual(manifest.default_events)
})

describe('an installation’s token', () => {
  it('may do what was granted, although its permissions show nothing', async () => {
    const token = await installationToken(github.install('acme').id)
    const repository = repositoryOf(github.data, Number(made.id))
    repository.files.set('README.md', 'Hello')
    const shown = await sendRequest(`${github.url}/repos/acme/installed`, { token })
    const none = { admin: false, maintain: false, push: false, triage: false, pull: false }
    expect(shown).toMatchObject({ status: 200, body: { permissions: none } })
    repository.private = false
    expect(await sendRequest(`${github.url}/repos/acme/installed`, { token })).toMatchObject({
      body: { permissions: none },
    })
    repository.private = true
    expect((await sendRequest(`${github.url}/repos/acme/installed/contents/README.md`, { token })).status).toBe(200)
    const notes = { method: 'POST', token, body: { tag_name: 'v1' } }
    expect((await sendRequest(`${github.url}/repos/acme/installed/releases/generate-notes`, notes)).status).toBe(403)
    const writing = github.install('acme', { permissions: { contents: 'write' } })
    const able = { ...notes, token: await installationToken(writing.id) }
    expect((await sendRequest(`${github.url}/repos/acme/installed/releases/generate-notes`, able)).status).toBe(200)
  })

  it('sees only the selected repositories, and can be limited to fewer', async () => {
    const other = github.addRepository('other')
    const chosen = github.install('acme', { repositories: [Number(made.id)] })
    const token = await installationToken(chosen.id)
    expect((await sendRequest(`${github.url}/repos/acme/other`, { token })).status).toBe(404)
    const listed = await sendRequest(`${github.url}/installation/repositories`, { token })
    expect(listed).toMatchObject({
      body: { total_count: 1, repository_selection: 'selected', repositories: [{ id: Number(made.id) }] },
    })
    const all = github.install('acme')
    const narrow = await installationToken(all.id, { repository_ids: [Number(other.id)] })
    expect((await sendRequest(`${github.url}/repos/acme/other`, { token: narrow })).status).toBe(200)
    expect((await sendRequest(`${github.url}/repos/acme/installed`, { token: narrow })).status).toBe(404)
  })

  it('can be created for less than the installation may', async () => {
    const installation = github.install('acme', { permissions: { contents: 'write' } })
    const notes = (token: string) =>
      sendRequest(`${github.url}/repos/acme/installed/releases/generate-notes`, {
        method: 'POST',
        token,
        body: { tag_name: 'v1' },
      })
    expect((await notes(github.addInstallationToken(installation))).status).toBe(200)
    expect(await notes(github.addInstallationToken(installation, { grants: { contents: 'read' } }))).toMatchObject({
      status: 403,
      body: { message: 'Resource not accessible by integration' },
    })
  })

  it('can not be created for more than the installation may', async () => {
    const path = `/app/installations/${github.install('acme').id}/access_tokens`
    expect((await asApp(path, 'POST', { permissions: { contents: 'write' } })).status).toBe(422)
    expect((await asApp(path, 'POST', { repositories: ['nowhere'] })).status).toBe(422)
    expect((await asApp('/app/installations/1/access_tokens', 'POST')).status).toBe(404)
  })

  it('ends with its installation', async () => {
    const installation = github.install('acme')
    const token = await installationToken(installation.id)
    installation.suspendedAt = new Date()
    expect((await sendRequest(`${github.url}/repos/acme/installed`, { token })).status).toBe(404)
    github.data.installations.delete(installation.id)
    expect((await sendRequest(`${github.url}/repos/acme/installed`, { token })).status).toBe(401)
  })
})
