import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll } from 'vitest'
import { createTestDatabase } from '../database.ts'
import { type Github, startGithub } from '../github/start.ts'
import { startBuiltService } from '../service-server.ts'

interface Started {
  url: string
  github: Github
  databaseUrl: string
}

export interface BuiltService extends Started {
  /** Stops the program, and starts it again at the same address. */
  stop(): Promise<void>
  start(): Promise<void>
}

/**
 * Runs the built service for the tests of a `describe`, with a stand-in for GitHub and a database of its own. With
 * `githubSignIn` people can sign in there. The result has values from `beforeAll` on.
 */
export function useBuiltService(
  settings: Record<string, string> = {},
  { githubSignIn = false }: { githubSignIn?: boolean } = {},
): BuiltService {
  let started: Started | undefined
  let program: Awaited<ReturnType<typeof startBuiltService>> | undefined
  let start = async () => {}
  const stops: (() => Promise<unknown>)[] = []
  async function stop() {
    await program?.end()
    program = undefined
  }

  beforeAll(async () => {
    const github = await startGithub(githubSignIn ? { web: 'own' } : {})
    stops.push(github.stop)
    const database = await createTestDatabase()
    stops.push(database.drop)
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const own = { HOST: '127.0.0.1', PORT: `${port}`, DATABASE_URL: database.url, GITHUB_API_URL: github.url }
    const { id, secret } = github.client
    const client = {
      HEADSUP_PUBLIC_URL: url,
      GITHUB_SERVER_URL: github.serverUrl,
      GITHUB_CLIENT_ID: id,
      GITHUB_CLIENT_SECRET: secret,
    }
    start = async () => {
      program = await startBuiltService({ ...own, ...(githubSignIn ? client : {}), ...settings })
    }
    await start()
    stops.push(stop)
    started = { url, github, databaseUrl: database.url }
  })
  afterAll(async () => {
    for (const stop of stops.reverse()) await stop()
  })

  const current = () => {
    if (!started) throw new Error('the service is not started')
    return started
  }
  return {
    get url() {
      return current().url
    },
    get github() {
      return current().github
    },
    get databaseUrl() {
      return current().databaseUrl
    },
    stop,
    start: () => start(),
  }
}

/** A port that nobody listens on. A test that starts the program again needs a fixed one. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
