import { type Actions, createActions } from './actions.ts'
import { type AppChanges, addInstallation, addRepository, emptyData } from './build-data.ts'
import { type GithubData, type Installation, type Role, repositoryOf, type Token } from './data.ts'
import type { FaultInjector } from './faults.ts'
import type { EventContext } from './payloads.ts'
import type { LoggedRequest } from './request-log.ts'
import { clientIdOf } from './routes/oauth.ts'
import { type ServerOptions, startServer } from './server.ts'
import { addInstallationToken, addToken } from './tokens.ts'
import type { WebhookSender } from './webhook-sender.ts'

/** A private repository with tokens of two writers, a reader and a stranger. */
export interface PrivateRepository {
  id: bigint
  owner: string
  name: string
  writer: string
  otherWriter: string
  reader: string
  stranger: string
}

/** A running stand-in. It is also the context of event payloads. */
export interface Github extends EventContext, Actions, WebhookSender {
  /** The URL of the API. */
  url: string
  /** The URL of the web site, for `GITHUB_SERVER_URL`. */
  serverUrl: string
  /** Every request so far with its status. */
  log: LoggedRequest[]
  /** Path and query of every request so far. */
  requests: string[]
  /** Method, path and query of requests for unknown operations. */
  unknownRequests(): string[]
  addRepository(name: string, owner?: string): PrivateRepository
  /** Gives the user of the token a role in a repository, by default `read`. */
  allow(repository: { id: bigint }, token: string, role?: Role): void
  /** Adds a token. Its prefix is its kind (see `tokens.ts`). A login without a role sees public repositories only. */
  addToken(token: string, login: string, facts?: Partial<Token>): string
  /** Adds a token as the App, or a workflow of Actions, gets one. */
  addInstallationToken(installation: Installation, facts?: Partial<Token>): string
  /** Deletes the token. */
  revoke(token: string): void
  /** Installs the App; by default on all repositories of the account. */
  install(login: string, facts?: Partial<Installation>): Installation
  /** Makes requests fail. Returns a function that ends the fault. See `faults`. */
  fail: FaultInjector['fail']
  /** The client of the App that people sign in with. */
  client: { id: string; secret: string }
  /** From now on the person with this login agrees to sign in; null: the person refuses. */
  signInAs(login: string | null): void
  /** Ends every fault. */
  heal(): void
  /** Rejects if a response differed from GitHub's description. */
  stop(): Promise<void>
}

export interface GithubOptions extends ServerOptions {
  /** In ms since 1970. */
  now?: () => number
  app?: AppChanges
}

/** Starts a stand-in for GitHub's REST API on a local port. */
export async function startGithub(options: GithubOptions = {}): Promise<Github> {
  const data = emptyData(options)
  const { url, links, hook, faults, log, requests, stop } = await startServer(data, options)
  return {
    ...createActions({ data, links }, hook),
    ...hook,
    url,
    links,
    data,
    serverUrl: links.web,
    client: { id: clientIdOf(data), secret: data.app.clientSecret },
    signInAs(login) {
      data.signsIn = login
    },
    log,
    requests,
    unknownRequests: () =>
      log.filter(({ operation }) => operation === null).map(({ method, target }) => `${method} ${target}`),
    addRepository: (name, owner = 'acme') => addPrivateRepository(data, owner, name),
    allow: (repository, token, role = 'read') => allow(data, Number(repository.id), token, role),
    addToken: (token, login, facts) => addToken(data, token, login, facts).token,
    addInstallationToken: (installation, facts) => addInstallationToken(data, installation, facts).token,
    revoke: (token) => void data.tokens.delete(token),
    install: (login, facts) => addInstallation(data, login, facts),
    fail: faults.fail,
    heal: faults.clear,
    stop,
  }
}

function addPrivateRepository(data: GithubData, owner: string, name: string): PrivateRepository {
  const repository = addRepository(data, owner, name)
  const { id } = repository
  const tokenOf = (who: string) => addToken(data, `ghp_${who}${id}`, `${who}${id}`).token
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

function allow(data: GithubData, repositoryId: number, token: string, role: Role): void {
  const login = data.tokens.get(token)?.login
  if (!login) throw new Error('the stand-in has no user with this token')
  repositoryOf(data, repositoryId).roles.set(login, role)
}
