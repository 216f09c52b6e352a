import { z } from 'zod'
import { repository, tokens } from './github-data.ts'
import type { Stage, Step } from './stage.ts'

type Person = keyof typeof tokens

const Created = z.object({ activity: z.object({ id: z.string() }) })
const Opened = z.object({ number: z.int() })

/** The story cannot continue after a response that lacks a value for the next request. */
export class StoryEnds extends Error {
  constructor() {
    super('The story ends here: its next request needs what this response lacks.')
  }
}

function needed<T>(schema: z.ZodType<T>, body: unknown): T {
  const found = schema.safeParse(body)
  if (!found.success) throw new StoryEnds()
  return found.data
}

/** The actions of the people in the story. Each is a request with the person's own token. */
export interface Cast {
  get(who: Person, path: string, step: Step): Promise<unknown>
  post(who: Person, path: string, body: object, step: Step): Promise<unknown>
  /** Creates an activity, and returns its id. */
  record(who: Person, body: object, step: Step): Promise<string>
  /** Reads the check run of Headsup on the head of a branch at GitHub, until it is this one. */
  seeCheckRun(who: Person, branch: string, expected: { conclusion: string; title: string }): Promise<unknown>
  /** An action on GitHub: a command of the stand-in. */
  onGithub(command: string, body: object): Promise<unknown>
  /** Opens a pull request at GitHub, and returns its number, which depends on what else was opened. */
  open(pull: { head: string; title: string } & Record<string, unknown>): Promise<number>
}

export function createCast({ ask, headsupUrl, githubUrl }: Stage): Cast {
  const base = `${headsupUrl}/api/v1/repos/${repository}`
  const post: Cast['post'] = (who, path, body, step) =>
    ask({ method: 'POST', url: base + path, token: tokens[who], body }, step)
  const onGithub: Cast['onGithub'] = (command, body) =>
    ask(
      { method: 'POST', url: `${githubUrl}/_control/${command}`, body: { repository, ...body } },
      { expect: { status: 200 } },
    )
  return {
    get: (who, path, step) => ask({ method: 'GET', url: base + path, token: tokens[who] }, step),
    post,
    record: async (who, body, step) => needed(Created, await post(who, '/activity', body, step)).activity.id,
    seeCheckRun: (who, branch, expected) =>
      ask(
        {
          method: 'GET',
          url: `${githubUrl}/repos/${repository}/commits/heads/${branch}/check-runs`,
          token: tokens[who],
        },
        { expect: { status: 200, body: expected }, show: Object.keys(expected), read: lastCheckRun, eventually: true },
      ),
    onGithub,
    open: async (pull) => needed(Opened, await onGithub('open-pull-request', pull)).number,
  }
}

const CheckRuns = z.object({
  check_runs: z.array(z.object({ conclusion: z.string(), output: z.object({ title: z.string() }) })),
})

function lastCheckRun(body: unknown): { conclusion: string; title: string } | null {
  const run = CheckRuns.parse(body).check_runs.at(-1)
  return run ? { conclusion: run.conclusion, title: run.output.title } : null
}
