import { commands } from './commands.ts'
import { failure, type Reply } from './route.ts'
import { type Github, type GithubOptions, startGithub } from './start.ts'

/** A stand-in that is also told by HTTP what to do, for demonstrations: `POST /_control/{name}` with JSON. */
export async function startControlledGithub(options: GithubOptions = {}): Promise<Github> {
  let github: Github | undefined
  github = await startGithub({
    ...options,
    beside: (method, target, body) =>
      github !== undefined && target.startsWith('/_control/') ? control(github, method, target, body) : null,
  })
  return github
}

async function control(github: Github, method: string, target: string, body: unknown): Promise<Reply> {
  const run = commands[target.slice('/_control/'.length)]
  if (method !== 'POST' || run === undefined) return failure(404, `POST one of ${Object.keys(commands).join(', ')}`)
  try {
    return { status: 200, body: (await run(github, body)) ?? {} }
  } catch (error) {
    return failure(422, error instanceof Error ? error.message : String(error))
  }
}
