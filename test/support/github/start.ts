import { type AppFacts, addInstallation, addRepository, emptyWorld } from './declare.ts'
import type { Trouble } from './faults.ts'
import type { Hook } from './hook.ts'
import type { Scene } from './payloads.ts'
import type { Logged } from './request-log.ts'
import { type ServerOptions, startServer } from './server.ts'
import { addInstallationToken, addToken } from './tokens.ts'
import { createVerbs, type Verbs } from './verbs.ts'
import { type Installation, type Role, repositoryOf, type Token, type World } from './world.ts'

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

/** The verbs and payload builders take it as their scene. */
export interface Github extends Scene, Verbs, Hook {
  /** The API's. */
  url: string
  /** The web site's, as the service is told by `GITHUB_SERVER_URL`. */
  serverUrl: string
  /** Every request so far, and what was answered. */
  log: Logged[]
  /** Path and query of every request so far. */
  requests: string[]
  /** Method, path and query of what was asked for and is not here. */
  unknownRequests(): string[]
  addRepository(name: string, owner?: string): PrivateRepository
  /** Lets the user of the token at a repository, to read it unless another role is given. */
  allow(repository: { id: bigint }, token: string, role?: Role): void
  /** What a token begins with says its kind, see `tokens.ts`. Without a login in a repository's roles it reads public ones. */
  addToken(token: string, login: string, facts?: Partial<Token>): string
  /** As the App gets one, or as Actions hands one to a workflow. */
  addInstallationToken(installation: Installation, facts?: Partial<Token>): string
  /** From now on it is refused as if it never was. */
  revoke(token: string): void
  /** Installs the App on all repositories of the account, unless `facts` say otherwise. */
  install(login: string, facts?: Partial<Installation>): Installation
  /** Makes requests fail from now on; gives a way to end it. See `faults`. */
  fail: Trouble['fail']
  /** Ends every fault. */
  heal(): void
  /** Rejects where an answer was not as GitHub's description has it. */
  stop(): Promise<void>
}

export interface GithubOptions extends ServerOptions {
  /** In ms since 1970. */
  now?: () => number
  app?: AppFacts
}

/** A stand-in of GitHub's REST API on a port of this machine. */
export async function startGithub(options: GithubOptions = {}): Promise<Github> {
  const world = emptyWorld(options)
  const { url, links, hook, trouble, log, requests, stop } = await startServer(world, options)
  return {
    ...createVerbs({ world, links }, hook),
    ...hook,
    url,
    links,
    world,
    serverUrl: links.web,
    log,
    requests,
    unknownRequests: () =>
      log.filter(({ operation }) => operation === null).map(({ method, target }) => `${method} ${target}`),
    addRepository: (name, owner = 'acme') => addPrivateRepository(world, owner, name),
    allow: (repository, token, role = 'read') => allow(world, Number(repository.id), token, role),
    addToken: (token, login, facts) => addToken(world, token, login, facts).token,
    addInstallationToken: (installation, facts) => addInstallationToken(world, installation, facts).token,
    revoke: (token) => void world.tokens.delete(token),
    install: (login, facts) => addInstallation(world, login, facts),
    fail: trouble.fail,
    heal: trouble.clear,
    stop,
  }
}

function addPrivateRepository(world: World, owner: string, name: string): PrivateRepository {
  const repository = addRepository(world, owner, name)
  const { id } = repository
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
