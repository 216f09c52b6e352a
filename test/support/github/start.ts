import { addRepository, addToken, emptyWorld } from './declare.ts'
import { startServer } from './server.ts'
import { type App, type Role, repositoryOf, type World } from './world.ts'

/** A private repository, and a token of each who may write, read, and not see it. */
export interface PrivateRepository {
  id: bigint
  owner: string
  name: string
  writer: string
  otherWriter: string
  reader: string
  stranger: string
}

export interface Github {
  /** The API's. */
  url: string
  /** Path and query of every request so far. */
  requests: string[]
  world: World
  addRepository(name: string): PrivateRepository
  /** Lets the user of the token at a repository, to read it unless another role is given. */
  allow(repository: { id: bigint }, token: string, role?: Role): void
  stop(): Promise<void>
}

export interface GithubOptions {
  port?: number
  /** In ms since 1970. */
  now?: () => number
  app?: Partial<App>
}

/** A stand-in of GitHub's REST API on a port of this machine. */
export async function startGithub(options: GithubOptions = {}): Promise<Github> {
  const world = emptyWorld(options)
  const server = await startServer(world, options)
  return {
    url: server.url,
    requests: server.requests,
    world,
    addRepository: (name) => addPrivateRepository(world, name),
    allow: (repository, token, role = 'read') => allow(world, Number(repository.id), token, role),
    stop: server.stop,
  }
}

function addPrivateRepository(world: World, name: string): PrivateRepository {
  const repository = addRepository(world, 'acme', name)
  const { id, owner } = repository
  const tokenOf = (who: string) => addToken(world, `ghp_${who}${id}`, `${who}${id}`).token
  repository.roles.set(`writer${id}`, 'write').set(`writer2${id}`, 'write').set(`reader${id}`, 'read')
  return {
    id: BigInt(id),
    owner,
    name,
    writer: tokenOf('writer'),
    otherWriter: tokenOf('writer2'),
    reader: tokenOf('reader'),
    stranger: tokenOf('stranger'),
  }
}

function allow(world: World, repositoryId: number, token: string, role: Role): void {
  const login = world.tokens.get(token)?.login
  if (!login) throw new Error('the stand-in has no user with this token')
  repositoryOf(world, repositoryId).roles.set(login, role)
}
