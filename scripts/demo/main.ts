/**
 * `npm run demo`: eight steps with a stand-in for GitHub, without an account or a network. Then the page stays open and full, until
 * Ctrl-C. `--script` prints the steps without pauses, and ends.
 */
import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Pull } from '../../test/support/github-server/data.ts'
import { pullShape, repositoryShape } from '../../test/support/github-server/shapes.ts'
import { startGithubServer } from '../../test/support/github-server.ts'
import { runHeadsup, startHeadsup, webhookSecret } from './programs.ts'
import { createWorld, tokens } from './world.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const isScript = process.argv.includes('--script')
const isWatched = process.stdout.isTTY && !isScript
const readingMs = 3_000

const directory = await mkdtemp(join(tmpdir(), 'headsup-demo-'))
// As root, PostgreSQL runs as another user, who must be able to reach its data.
await chmod(directory, 0o755)
const github = await startGithubServer({ git: join(directory, 'git') })
let headsup: Awaited<ReturnType<typeof startHeadsup>> | undefined
let isEnding = false

async function end(code: number): Promise<void> {
  if (isEnding) return
  isEnding = true
  await headsup?.stop()
  await github.stop()
  await rm(directory, { recursive: true, force: true })
  process.exit(code)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0))

const bold = (text: string) => (process.stdout.isTTY ? `\x1b[1m${text}\x1b[0m` : text)
let steps = 0

const Answer = z.looseObject({ items: z.array(z.unknown()).optional() })

async function step(title: string, text: string): Promise<void> {
  if (isWatched && steps > 0) await sleep(readingMs)
  console.log(`\n${bold(`${++steps}. ${title}`)}\n${text}\n`)
}

async function play(): Promise<void> {
  console.log('This demo runs Headsup with a stand-in for GitHub on this machine. It needs no account and no network.')
  const { repository, clone, carlas, merge, installation } = await createWorld(github.data, directory, github.url)
  headsup = await startHeadsup(root, directory, github.url)
  const { url } = headsup
  const pageUrl = `${url}/acme/shop`
  const api = `${url}/api/v1/repos/acme/shop`

  /** One command of the command line. A text that it has to print keeps the demo true. */
  const run = async (args: readonly string[], expected: string, token = tokens.ana) => {
    const shown = args.map((arg) => (/^[\w/.=*-]+$/.test(arg) ? arg : `'${arg}'`)).join(' ')
    console.log(`  $ headsup ${shown}`)
    const { output } = await runHeadsup(root, args, { clone, home: directory, url, token })
    console.log(output.replace(/^/gm, '  '))
    if (!output.includes(expected)) throw new Error(`The demo expected "${expected}" here.`)
  }
  /** GitHub tells Headsup of an event. */
  const send = (pull: Pull, action: string) => {
    const payload = {
      ...{ action, number: pull.number, pull_request: pullShape(github.data, repository, pull, github.url) },
      ...{ repository: repositoryShape(repository), installation, sender: { login: 'carla', id: 2, type: 'User' } },
    }
    return github.deliver(`${url}/api/github/webhooks`, webhookSecret, 'pull_request', payload)
  }
  const ask = async (who: keyof typeof tokens, path: string, body?: object) => {
    const response = await fetch(api + path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${tokens[who]}` },
      ...(body && { body: JSON.stringify(body) }),
    })
    return Answer.parse(await response.json())
  }

  await until(async () => (await ask('ana', '/activity')).items?.length === 2)
  await step('Open pull requests are seen by themselves', 'Carla and Ben have one each. Nobody recorded them.')
  await run(['list'], '#1')

  await step(
    'Ana checks her changes',
    'She has changed four lines of a file that Carla changes too, and a guide beside Ben.',
  )
  await run(['check'], '#1')

  await step('Ana records her work', 'So others learn of it before it is pushed.')
  await run(['start', '--title', 'Rework the login'], '#1')

  await step('Ben asks before he starts', 'He wants to change the login. An agent would send the same, or use MCP.')
  const question = { branch: 'feat/cart', scope: { paths: ['src/*/login.ts'] } }
  console.log(
    `  $ curl -H 'Authorization: Bearer ${tokens.ben}' ${api}/activity/check -d '${JSON.stringify(question)}'`,
  )
  const { clear, severity, reason, recommended_action } = await ask('ben', '/activity/check', question)
  console.log(JSON.stringify({ clear, severity, reason, recommended_action }, null, 2).replace(/^/gm, '  '))

  await step(
    'Ana announces a freeze',
    'A notable is something to know that is on no branch. A blocking one warns everybody.',
  )
  const freeze = ['--summary', 'Version 3 is cut on Friday.', '--category', 'release', '--importance', 'critical']
  await run(['notable', 'raise', 'Release freeze', ...freeze, '--blocking'], 'Release freeze')

  await step('Carla’s pull request says it too', 'She asks for a review. Its check run is advice, and never fails.')
  await send(carlas, 'ready_for_review')
  await until(async () => repository.checkRuns.some(({ output }) => output.title.includes('Release freeze')))
  for (const { name, conclusion, output } of repository.checkRuns)
    console.log(`  ${name}: ${conclusion}, ${output.title}`)

  await step(
    'Carla merges',
    'GitHub tells Headsup, and her work is archived. Ana learns that it was merged: she merges main before she goes on.',
  )
  await merge(carlas)
  await send(carlas, 'closed')
  await run(['check'], 'merged lately')

  await step('The page', `It shows all of this, and follows it. Sign in with the token ${tokens.ana}.`)
  console.log(`  ${pageUrl}`)
  if (isScript) return
  open(pageUrl)
  console.log(`
Try it yourself, in another terminal: edit a file in Ana's clone, and check again. The tokens are
${Object.values(tokens).join(', ')}.

  cd ${clone}
  export HEADSUP_URL=${url} HEADSUP_TOKEN=${tokens.ana}
  node ${join(root, 'dist/headsup.mjs')} check

Headsup keeps running. Ctrl-C ends the demo and deletes its data. With your own repositories: npm start`)
  await new Promise(() => {})
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (await isDone()) return
    await sleep(100)
  }
  throw new Error('The demo waited 30 s for something that did not come.')
}

/** Opens the browser of whoever watches. */
function open(url: string): void {
  if (!isWatched) return
  const program = process.platform === 'darwin' ? 'open' : process.platform === 'win32' ? 'explorer' : 'xdg-open'
  spawn(program, [url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}

play().then(
  () => end(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    return end(1)
  },
)
