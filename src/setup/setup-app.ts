import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Octokit } from '@octokit/rest'
import express, { type RequestHandler } from 'express'
import { z } from 'zod'
import { type Html, html } from '../service/api/pages/html.ts'
import { builtFile, pageDocument } from '../service/api/pages/shell.ts'
import { SetupError } from './env-file.ts'

interface Setup {
  manifest: Record<string, unknown>
  /** An organisation; null: the person's own account. */
  org: string | null
  githubApiUrl: string
  githubServerUrl: string
  /** Keeps what GitHub says of the new App. */
  save(variables: Record<string, string>): Promise<void>
}

const Registered = z.object({
  id: z.int(),
  html_url: z.url(),
  pem: z.string().min(1),
  webhook_secret: z.string().min(1),
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
})

const again = html`<p>Go on at the address that the terminal shows.</p>`

/**
 * One page at a secret path of this machine, which registers the App by GitHub's manifest flow. `done` resolves with the address at
 * which the App is installed.
 */
export async function startSetup({ manifest, org, githubApiUrl, githubServerUrl, save }: Setup) {
  const [secret, state] = [randomBytes(24).toString('hex'), randomBytes(24).toString('hex')]
  const app = express()
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const base = `/${secret}`
  const redirect_url = `http://${host}${base}/done`
  const owner = org === null ? '' : `/organizations/${encodeURIComponent(org)}`
  let isTaken = false
  const done = new Promise<string>((resolve) => {
    app.disable('x-powered-by')
    app.use(guard(host, base, githubServerUrl))
    app.get('/-/page/:name', builtFile())
    app.get(`${base}/`, (_request, response) => {
      const action = `${githubServerUrl}${owner}/settings/apps/new?state=${state}`
      response.send(startPage(action, JSON.stringify({ ...manifest, redirect_url })))
    })
    app.get(`${base}/done`, async ({ query }, response) => {
      const { code } = query
      if (typeof code !== 'string' || !/^[\w-]{1,200}$/.test(code) || !isEqual(query.state, state))
        return void response.status(403).send(page('This answer belongs to no registration of this page', again))
      if (isTaken) return void response.status(409).send(page('The code was taken already', again))
      isTaken = true
      try {
        const { html_url, ...found } = await convert(githubApiUrl, code)
        await save(variablesOf(found))
        const install = `${html_url}/installations/new`
        const next = html`<p>Its key is in <code>.env</code>.
Next: <a href="${install}">install it</a>, and start the service.</p>`
        response.once('close', () => resolve(install)).send(page('The App is registered', next))
      } catch (error) {
        isTaken = false
        const why = error instanceof SetupError ? error.message : `The key of the App can not be written: ${error}.`
        response.status(502).send(page('The App was not set up', html`<p>${why}</p>`))
      }
    })
  })
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://${host}${base}/`, done, stop }
}

/** Another web page can point a host of its own at this machine, so only our own host counts, and the path is a secret. */
function guard(host: string, base: string, githubServerUrl: string): RequestHandler {
  // GitHub may lead on to the sign-in page of an organisation.
  const own = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'"
  const policy = `${own}; form-action https: ${githubServerUrl}`
  return (request, response, next) => {
    response.set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' })
    response.set('X-Content-Type-Options', 'nosniff')
    const isFile = request.path.startsWith('/-/page/')
    const isKnown = isFile || isEqual(request.path.slice(0, base.length), base)
    if (isKnown && request.get('host') === host && request.method === 'GET') next()
    else response.status(404).type('text').send('Open the address that the terminal shows.\n')
  }
}

async function convert(baseUrl: string, code: string) {
  const silent = { debug() {}, info() {}, warn() {}, error() {} }
  const octokit = new Octokit({ baseUrl, userAgent: 'headsup', log: silent, request: { log: silent } })
  const asked = octokit.rest.apps.createFromManifest({ code })
  return asked
    .then(({ data }) => Registered.parse(data))
    .catch(() => {
      throw new SetupError('GitHub did not take the code. A code works once.')
    })
}

function variablesOf(app: Omit<z.output<typeof Registered>, 'html_url'>): Record<string, string> {
  return {
    APP_ID: String(app.id),
    PRIVATE_KEY: app.pem,
    WEBHOOK_SECRET: app.webhook_secret,
    GITHUB_CLIENT_ID: app.client_id,
    GITHUB_CLIENT_SECRET: app.client_secret,
  }
}

function startPage(action: string, manifest: string): string {
  const form = html`<p>GitHub shows what the App may do, and asks you for its name.</p>
<form action="${action}" method="post"><input type="hidden" name="manifest" value="${manifest}">
<button class="button main">Register on GitHub</button></form>`
  return page('Register the GitHub App of Headsup', form)
}

function page(title: string, body: Html): string {
  const panel = html`<section class="panel pad stack"><h1>${title}</h1>${body}</section>`
  return pageDocument(title, html`<main class="narrow">${panel}</main>`)
}

function isEqual(given: unknown, expected: string): boolean {
  const [one, other] = [Buffer.from(String(given)), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
