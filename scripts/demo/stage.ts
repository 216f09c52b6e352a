import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { differences, valueAt } from './expectation.ts'
import { anasWorkTree, githubDataWith, pullFiles, repository, tokens, webhookSecret } from './github-data.ts'
import { commandLine, freePort, type Program, runCommandLine, startProgram } from './programs.ts'
import { type Answer, curlOf, type Request, send } from './request.ts'
import type { StoryPrinter } from './story-printer.ts'
import { createRemote, createWorkTree } from './work-tree.ts'

/** A request of the story and its expected response. */
export interface Step {
  expect: { status: number; body?: unknown }
  /** The parts of the response to show: paths in its body. */
  show?: readonly string[]
  /** Reduces the body to the part that is compared and shown. */
  read?: (body: unknown) => unknown
  /** Whether to repeat the request for a while until the response is as expected. */
  eventually?: boolean
}

export interface Stage {
  headsupUrl: string
  githubUrl: string
  startGithub(): Promise<void>
  /** Needs GitHub. After a restart, the address is the same. */
  startHeadsup(): Promise<void>
  stopHeadsup(): Promise<void>
  /** Sends a request, prints it and its response, and returns the body. */
  ask(request: Request, step: Step): Promise<unknown>
  /** Runs the command line in Ana's clone, and prints the command and its output. Repeats it until it prints all the words. */
  runHeadsup(args: readonly string[], words: readonly string[]): Promise<void>
  /** Opens the page of the repository in the browser, signed in as Ana. Prints its address where there is no browser. */
  openPage(): Promise<void>
  /** Ends all programs, also those that are starting. None starts afterwards. */
  leave(): Promise<void>
}

const patienceMs = 60_000
const State = z.object({ app: z.object({ id: z.int(), privateKey: z.string() }) })

/**
 * The stand-in for GitHub and Headsup, as two programs with their data in the directory. Where a response is not as
 * expected, a strict stage throws. Any other prints that and continues, since a person who watches may record work
 * meanwhile.
 */
export async function createStage(directory: string, printer: StoryPrinter, isStrict: boolean): Promise<Stage> {
  const [headsupPort, githubPort] = [await freePort(3000), await freePort(4010)]
  const headsupUrl = `http://127.0.0.1:${headsupPort}`
  const githubUrl = `http://127.0.0.1:${githubPort}`
  const remote = join(directory, 'github', `${repository}.git`)
  const running = new Set<Program>()
  let headsup: Program | undefined
  let isOver = false

  async function start(name: 'headsup' | 'github', words: string, settings: Record<string, string>): Promise<Program> {
    if (isOver) throw new Error('The demo ends.')
    const program = startProgram(name, { cwd: directory, words, settings })
    running.add(program)
    await program.ready
    return program
  }

  async function stop(program: Program): Promise<void> {
    await program.stop()
    running.delete(program)
  }

  function tellUnexpected(what: string): void {
    if (isStrict) throw new Error(`This is not as expected: ${what}.`)
    printer.say(
      `The story expects something else here: ${what}. Somebody has changed something beside the story, which goes on.`,
    )
  }

  return {
    headsupUrl,
    githubUrl,
    async startGithub() {
      const DATA = join(directory, 'github-data.json')
      await writeFile(DATA, JSON.stringify(githubDataWith(await createRemote(remote, pullFiles))))
      const HOOK_URL = `${headsupUrl}/api/github/webhooks`
      const served = { GIT: join(directory, 'github'), WEB: 'own' }
      const settings = { PORT: String(githubPort), DATA, HOOK_URL, WEBHOOK_SECRET: webhookSecret, ...served }
      await start('github', 'A stand-in for GitHub', settings)
    },
    async startHeadsup() {
      const state = await send({ method: 'POST', url: `${githubUrl}/_control/state` })
      const { id, privateKey } = State.parse(state.body).app
      headsup = await start('headsup', 'Headsup is listening', {
        PORT: String(headsupPort),
        GITHUB_API_URL: githubUrl,
        GITHUB_SERVER_URL: githubUrl,
        APP_ID: String(id),
        PRIVATE_KEY: privateKey,
        WEBHOOK_SECRET: webhookSecret,
      })
    },
    async stopHeadsup() {
      if (headsup) await stop(headsup)
    },
    async ask(request, step) {
      printer.command(curlOf(request))
      const answer = await answerTo(request, step)
      const { show = [] } = step
      printer.answer(answer.status, Object.fromEntries(show.map((path) => [path, valueAt(answer.body, path)])))
      const faults = differences(step.expect, answer)
      if (faults.length > 0) tellUnexpected(faults.join('; '))
      return answer.body
    },
    async runHeadsup(args, words) {
      const clone = join(directory, 'shop')
      await createWorkTree(clone, anasWorkTree, { remote, url: `${githubUrl}/${repository}.git` })
      const env = { HEADSUP_URL: headsupUrl, GITHUB_TOKEN: tokens.ana }
      // Long enough for a busy machine.
      const own = { HOME: directory, HEADSUP_MERGE_LIMIT_MS: '60000' }
      const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
      printer.command([`cd ${clone} && \\`, `${variables.join(' ')} \\`, `node ${commandLine} ${args.join(' ')}`])
      const { output, lacks } = await wholeOutputWith(words, () =>
        runCommandLine(args, { cwd: clone, env: { ...own, ...env } }),
      )
      printer.output(output)
      if (lacks.length > 0) tellUnexpected(`the output lacks ${lacks.join(', ')}`)
    },
    async openPage() {
      // The browser is the user's own, so it gets the user's own variables.
      const variables = Object.entries(process.env).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      )
      const env = { ...Object.fromEntries(variables), HEADSUP_URL: headsupUrl, GITHUB_TOKEN: tokens.ana }
      // The story continues without a browser.
      const output = await runCommandLine(['open', '--repo', repository], { cwd: directory, env }).catch(() => '')
      if (output.startsWith('http'))
        printer.say('No browser could be opened. This address signs in as Ana within 30 seconds:')
      if (output !== '') printer.output(output)
    },
    async leave() {
      isOver = true
      await Promise.all([...running].map(stop))
    },
  }
}

/** Runs the program for a while until it prints all the words and knows all open pull requests. */
async function wholeOutputWith(
  words: readonly string[],
  run: () => Promise<string>,
): Promise<{ output: string; lacks: readonly string[] }> {
  for (const deadline = Date.now() + patienceMs; ; await sleep(200)) {
    const output = await run()
    const missing = words.filter((word) => !output.includes(word))
    const lacks = output.includes('still being read') ? [...missing, 'the end of the reading'] : missing
    if (lacks.length === 0 || Date.now() > deadline) return { output, lacks }
  }
}

async function answerTo(request: Request, { expect, read = (body) => body, eventually }: Step): Promise<Answer> {
  for (const deadline = Date.now() + patienceMs; ; await sleep(100)) {
    const { status, body } = await send(request)
    const answer = { status, body: read(body) }
    if (!eventually || differences(expect, answer).length === 0 || Date.now() > deadline) return answer
  }
}
