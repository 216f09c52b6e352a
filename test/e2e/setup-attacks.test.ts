import { generateKeyPairSync } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CleanUp } from '../support/scratch.ts'
import {
  fromGithub,
  openSetup,
  pem,
  registered,
  registrationForm,
  send,
  sendForm,
  serveConversions,
} from '../support/setup-program.ts'

const app = { app_id: '12', private_key: pem, webhook_secret: 'a secret' }
const form = new URLSearchParams(app).toString()
const json = JSON.stringify({ appId: '12', pem, ...app })
const formType = 'application/x-www-form-urlencoded'
const bodies = [
  ['text/plain', json],
  ['application/json', json],
  [formType, form],
  ['multipart/form-data; boundary=x', '--x--'],
] as const
const evil = 'https://evil.example'

/** One set-up for all tests, since it stays as it is while it refuses everything. */
let url: string
let directory: string
let github: Awaited<ReturnType<typeof serveConversions>>
const cleanUps: Parameters<CleanUp>[0][] = []
beforeAll(async () => {
  const cleanUp: CleanUp = (remove) => void cleanUps.push(remove)
  github = await serveConversions({ status: 201, body: registered }, cleanUp)
  const opened = await openSetup({ env: { GITHUB_API_URL: github.url }, cleanUp })
  url = opened.url
  directory = opened.directory
})
afterAll(async () => {
  for (const remove of cleanUps) await remove()
})

async function expectNothingWritten() {
  expect(await readdir(directory)).toEqual(['app.yml'])
}

describe('npm run setup refuses', () => {
  it('a page of another origin that knows the address, whatever type it sends', async () => {
    const { origin, port } = new URL(url)
    const others: Record<string, string>[] = [
      { Origin: evil },
      { Origin: evil, 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'null' },
      { Origin: `http://127.0.0.1:${Number(port) ^ 1}`, 'Sec-Fetch-Site': 'same-site' },
      { Origin: `http://localhost:${port}` },
      { Origin: `https://127.0.0.1:${port}` },
      { Origin: origin, 'Sec-Fetch-Site': 'cross-site' },
      { Origin: origin, 'Sec-Fetch-Site': 'none' },
      { 'Sec-Fetch-Site': 'same-origin' },
      {},
    ]
    for (const [type, body] of bodies) {
      for (const headers of others) {
        const { status } = await send(`${url}import`, 'POST', { ...headers, 'Content-Type': type }, body)
        expect({ type, headers, status }).toEqual({ type, headers, status: 403 })
      }
    }
    await expectNothingWritten()
  })

  it('another type than the form, from its own origin too', async () => {
    const own = { Origin: new URL(url).origin }
    expect((await send(`${url}import`, 'POST', own, form)).status).toBe(415)
    for (const [type, body] of bodies.filter(([type]) => type !== formType))
      expect((await send(`${url}import`, 'POST', { ...own, 'Content-Type': type }, body)).status).toBe(415)
    await expectNothingWritten()
  })

  it('a guessed address', async () => {
    const { origin, pathname } = new URL(url)
    const almost = `${pathname.slice(0, -2)}${pathname.at(-2) === '0' ? '1' : '0'}/`
    const paths = ['/', '/probot', '/probot/setup?code=a', '/probot/import', '/setup', almost, `/${pathname}`, '/%']
    for (const path of [...paths, pathname.slice(0, -2), `${pathname}nothing`]) {
      const { status, head, text } = await send(origin + path)
      expect({ path, status }).toEqual({ path, status: 404 })
      const headers = { Origin: origin, 'Content-Type': formType }
      const posted = await send(`${origin}${path}import`, 'POST', headers, form)
      expect(posted.status).toBe(404)
      // Only who knows the address is led back to it.
      if (!path.startsWith(pathname))
        expect(head + text + posted.head + posted.text).not.toContain(pathname.slice(1, -1))
    }
    await expectNothingWritten()
  })

  it('a host name that leads here (DNS rebinding)', async () => {
    const { port } = new URL(url)
    for (const host of ['evil.example', `evil.example:${port}`, `127.0.0.1.evil.example:${port}`, '127.0.0.1', '']) {
      const headers = { Host: host, Origin: `http://${host}`, 'X-Forwarded-Host': `127.0.0.1:${port}` }
      const answer = await send(url, 'GET', { Host: host })
      expect([400, 421]).toContain(answer.status)
      expect(answer.text).not.toContain('manifest')
      expect([400, 421]).toContain((await sendForm(url, app, headers)).status)
    }
    await expectNothingWritten()
  })

  it('a page that frames, fetches or links to the set-up page', async () => {
    const others: Record<string, string>[] = [
      { Origin: evil },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { ...fromGithub },
    ]
    for (const headers of others) expect(await send(url, 'GET', headers)).toMatchObject({ status: 403 })
    expect((await send(url, 'GET', { 'Sec-Fetch-Site': 'none' })).status).toBe(200)
    expect((await send(url, 'PUT', { Origin: new URL(url).origin })).status).toBe(405)
  })

  it('a code without the state of this set-up, and one that no navigation brings', async () => {
    const asked = [...github.asked]
    const { state } = registrationForm((await send(url)).text)
    const other = registrationForm((await send((await openSetup()).url)).text).state
    const queries = ['', '&state=', `&state=${other}`, `&state=${state}x`, `&state=${state}&state=${state}`]
    for (const query of queries)
      expect(await send(`${url}setup?code=a1b2${query}`, 'GET', fromGithub)).toMatchObject({ status: 403 })
    const framed = { ...fromGithub, 'Sec-Fetch-Dest': 'iframe' }
    const fetched = { ...fromGithub, 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' }
    for (const headers of [framed, fetched])
      expect(await send(`${url}setup?code=a1b2&state=${state}`, 'GET', headers)).toMatchObject({ status: 403 })
    for (const code of ['', '../../user', 'a%0d%0ab', 'a&code=b'])
      expect(await send(`${url}setup?code=${code}&state=${state}`, 'GET', fromGithub)).toMatchObject({ status: 403 })
    expect(github.asked).toEqual(asked)
    await expectNothingWritten()
  })

  const breaks = ['\r', '\n', '\r\n', '\0', '\u0085', '\u2028', '\u001b']
  const injected = (value: string, by: string) => `${value}${by}GITHUB_API_URL=${evil}`

  it('a line break or another control character in each value of the form', async () => {
    for (const [name, value] of Object.entries(app)) {
      for (const by of breaks) {
        const { status, text } = await sendForm(url, { ...app, [name]: injected(value, by) })
        expect({ name, by, status }).toEqual({ name, by, status: 422 })
        expect(text).toContain(`${name}: `)
        expect(text).not.toContain(evil)
      }
    }
    await expectNothingWritten()
  })

  it('a line break or another control character in each value that GitHub answers with', async () => {
    const { state } = registrationForm((await send(url)).text)
    for (const name of ['client_id', 'client_secret', 'webhook_secret', 'pem'] as const) {
      for (const by of breaks) {
        github.reply.body = { ...registered, [name]: injected(registered[name], by) }
        const { status, text } = await send(`${url}setup?code=a1b2&state=${state}`, 'GET', fromGithub)
        expect({ name, by, status }).toEqual({ name, by, status: 502 })
        expect(text).toContain(`${name}: `)
      }
    }
    for (const wrong of [{ html_url: 'javascript:0' }, { id: '1' }, { pem: registered.webhook_secret }]) {
      github.reply.body = { ...registered, ...wrong }
      expect((await send(`${url}setup?code=a1b2&state=${state}`, 'GET', fromGithub)).status).toBe(502)
    }
    await expectNothingWritten()
  })

  it('a key that is no RSA private key', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    const framed = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'
    for (const key of [
      '',
      'x',
      publicKey,
      privateKey,
      framed,
      `${pem}${pem}`,
      `A=1\n${pem}`,
      `${pem}"\nA=1`,
      pem.slice(0, -40),
    ])
      expect((await sendForm(url, { ...app, private_key: key })).status).toBe(422)
    await expectNothingWritten()
  })

  it('a body that is too large or broken', async () => {
    expect((await sendForm(url, { ...app, app_id: '1'.repeat(70_000) })).status).toBe(400)
    expect((await sendForm(url, app, { 'Content-Encoding': 'gzip' })).status).toBe(400)
    await expectNothingWritten()
  })
})
