import { commands } from './commands.ts'
import { help } from './help.ts'
import { failure, type Reply } from './route.ts'
import { type Github, type GithubOptions, startGithub } from './start.ts'

/** A stand-in with control commands over HTTP, `POST /_control/{name}`, for demonstrations. `GET /` lists them. */
export async function startControlledGithub(options: GithubOptions = {}): Promise<Github> {
  let github: Github | undefined
  github = await startGithub({
    ...options,
    extraRoutes: (method, target, body) => {
      if (github === undefined) return null
      if (target === '/' && method === 'GET') return Promise.resolve(page(github))
      return target.startsWith('/_control/') ? control(github, method, target, body) : null
    },
  })
  return github
}

function page({ url }: Github): Reply {
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, text: help(url) }
}

async function control(github: Github, method: string, target: string, body: unknown): Promise<Reply> {
  const command = commands[target.slice('/_control/'.length)]
  if (method !== 'POST' || command === undefined) return failure(404, `POST one of ${Object.keys(commands).join(', ')}`)
  try {
    return { status: 200, body: (await command.run(github, body)) ?? {} }
  } catch (error) {
    return failure(422, error instanceof Error ? error.message : String(error))
  }
}
