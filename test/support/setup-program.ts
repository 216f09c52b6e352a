import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { copyFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject, onTestFinished } from 'vitest'
import { connectRaw } from './raw-client.ts'
import { type CleanUp, scratch } from './scratch.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export const pem = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
}).privateKey

/** GitHub's response to the code of a manifest. */
export const registered = {
  id: 4711,
  slug: 'headsup',
  name: 'Headsup',
  html_url: 'https://github.com/apps/headsup',
  client_id: 'Iv1.8a61f9b3a7aba766',
  client_secret: 'a client secret',
  webhook_secret: 'a webhook secret',
  pem,
}

export interface SetupProgram {
  child: ChildProcess
  directory: string
  envFile: string
  printed(): string
  /** The exit code, or the signal that ended it. */
  ended: Promise<number | string>
}

/** The address of webhooks, and a GitHub that does not answer the set-up's request for the new App. */
const nowhere = { WEBHOOK_PROXY_URL: 'https://smee.io/api/github/webhooks', GITHUB_API_URL: 'http://127.0.0.1:9' }

/** What `npm run setup` runs, which builds before what is out of date. */
export const script = join(root, 'scripts/setup.mjs')

/** Runs the set-up as one file, or the file of `program`, in a directory with the `app.yml` of this repository, by default for one test. */
export async function runSetup({
  args = [],
  env = {},
  prepare,
  program = inject('bundledPrograms')?.setup ?? script,
  cleanUp = onTestFinished,
}: {
  args?: string[]
  env?: Record<string, string>
  prepare?: (directory: string) => Promise<void>
  program?: string
  cleanUp?: CleanUp
} = {}): Promise<SetupProgram> {
  const directory = await scratch({ cleanUp })
  await copyFile(join(root, 'app.yml'), join(directory, 'app.yml'))
  await prepare?.(directory)
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [program, ...args], {
    cwd: directory,
    env: { PATH, PORT: '0', ...nowhere, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  cleanUp(() => void child.kill('SIGKILL'))
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal)
  return { child, directory, envFile: join(directory, '.env'), printed: () => text, ended }
}

/** Runs it until it has printed the address of its page. */
export async function openSetup(options: Parameters<typeof runSetup>[0] = {}): Promise<SetupProgram & { url: string }> {
  const program = await runSetup(options)
  const url = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const found = /http:\/\/127\.0\.0\.1:\d+\/\S{20,}/.exec(program.printed())?.[0]
      if (found) resolve(found)
    }
    program.child.stdout?.on('data', look)
    program.ended.then(() => reject(new Error(`The set-up ended:\n${program.printed()}`)))
  })
  return { ...program, url }
}

/** Sends a request with any path and headers, also `Host`. */
export async function send(url: string, method = 'GET', headers: Record<string, string> = {}, body = '') {
  const { host, pathname, search } = new URL(url)
  const sent = { Host: host, 'Content-Length': String(Buffer.byteLength(body)), ...headers }
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}`)
  const connection = await connectRaw(url)
  connection.write([`${method} ${pathname}${search} HTTP/1.1`, ...lines, '', body].join('\r\n'))
  // Every response of the set-up closes its connection.
  const answer = Buffer.from(await connection.closed(), 'latin1').toString()
  const [head = '', ...rest] = answer.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head, text: rest.join('\r\n\r\n') }
}

/** Sends the form of the page as a browser does. */
export function sendForm(url: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const own = { Origin: new URL(url).origin, 'Sec-Fetch-Site': 'same-origin' }
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
  return send(`${url}import`, 'POST', { ...own, ...type, ...headers }, new URLSearchParams(fields).toString())
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }

/** The form that the page sends to GitHub. */
export function registrationForm(page: string) {
  const plain = (text = '') => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)
  const action = new URL(plain(/<form action="(https?:[^"]+)"/.exec(page)?.[1]))
  const manifest = JSON.parse(plain(/name="manifest" value="([^"]+)"/.exec(page)?.[1]))
  return { action, manifest, state: action.searchParams.get('state') ?? '' }
}

/** The headers of a browser that returns from GitHub's page. */
export const fromGithub = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }

/** A server instead of GitHub's API. It responds to every code with `reply` when `until` resolves. `asked` are its requests. */
export async function serveConversions(
  reply: { status: number; body: unknown; until?: Promise<void> },
  cleanUp: CleanUp = onTestFinished,
) {
  const asked: string[] = []
  const server = createServer(async (incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`)
    await reply.until
    response.writeHead(reply.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply.body))
  }).listen(0, '127.0.0.1')
  cleanUp(() => void server.close())
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, reply }
}
