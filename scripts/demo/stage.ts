import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { differences, valueAt } from './expectation.ts'
import { freePort, type Program, startProgram } from './programs.ts'
import { type Answer, curlOf, type Request, send } from './request.ts'
import type { Teller } from './teller.ts'
import { webhookSecret, world } from './world.ts'

/** What a request of the story has to bring. */
export interface Step {
  expect: { status: number; body?: unknown }
  /** What of the answer is worth showing: paths into its body. */
  show?: readonly string[]
  /** What the body is taken for, where the whole would be too much. */
  read?: (body: unknown) => unknown
  /** Asks again for a while, until the answer is as expected. */
  eventually?: boolean
}

export interface Stage {
  headsupUrl: string
  githubUrl: string
  startGithub(): Promise<void>
  /** Needs GitHub. At the same address whenever it is started again. */
  startHeadsup(): Promise<void>
  stopHeadsup(): Promise<void>
  /** Sends a request, prints it and its answer, and gives the body. Throws where the answer is not as expected. */
  ask(request: Request, step: Step): Promise<unknown>
  /** Ends all that runs, also what is still starting. Nothing starts after it. */
  leave(): Promise<void>
}

const patienceMs = 20_000
const State = z.object({ app: z.object({ id: z.int(), privateKey: z.string() }) })

/** A stand-in for GitHub and Headsup, each a program of its own, which keep their data in the directory. */
export async function createStage(directory: string, teller: Teller): Promise<Stage> {
  const [headsupPort, githubPort] = [await freePort(3000), await freePort(4010)]
  const headsupUrl = `http://127.0.0.1:${headsupPort}`
  const githubUrl = `http://127.0.0.1:${githubPort}`
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

  return {
    headsupUrl,
    githubUrl,
    async startGithub() {
      const WORLD = join(directory, 'world.json')
      await writeFile(WORLD, JSON.stringify(world))
      const HOOK_URL = `${headsupUrl}/api/github/webhooks`
      const settings = { PORT: String(githubPort), WORLD, HOOK_URL, WEBHOOK_SECRET: webhookSecret }
      await start('github', 'A stand-in for GitHub', settings)
    },
    async startHeadsup() {
      const state = await send({ method: 'POST', url: `${githubUrl}/_control/state` })
      const { id, privateKey } = State.parse(state.body).app
      headsup = await start('headsup', 'Headsup is listening', {
        PORT: String(headsupPort),
        GITHUB_API_URL: githubUrl,
        APP_ID: String(id),
        PRIVATE_KEY: privateKey,
        WEBHOOK_SECRET: webhookSecret,
      })
    },
    async stopHeadsup() {
      if (headsup) await stop(headsup)
    },
    async ask(request, step) {
      teller.command(curlOf(request))
      const answer = await answerTo(request, step)
      const { show = [] } = step
      teller.answer(answer.status, Object.fromEntries(show.map((path) => [path, valueAt(answer.body, path)])))
      const faults = differences(step.expect, answer)
      if (faults.length > 0) throw new Error(`This answer is not what the story says: ${faults.join('; ')}.`)
      return answer.body
    },
    async leave() {
      isOver = true
      await Promise.all([...running].map(stop))
    },
  }
}

async function answerTo(request: Request, { expect, read = (body) => body, eventually }: Step): Promise<Answer> {
  for (const deadline = Date.now() + patienceMs; ; await sleep(100)) {
    const { status, body } = await send(request)
    const answer = { status, body: read(body) }
    if (!eventually || differences(expect, answer).length === 0 || Date.now() > deadline) return answer
  }
}
