import type { IncomingMessage } from 'node:http'
import { AppError } from '../../../../src/core/errors.ts'
import {
  type AccessLimits,
  createGithubAccess,
  type GithubAccess,
} from '../../../../src/service/github/access/access.ts'
import { smallCaches } from '../../../support/small-caches.ts'
import { type Served, serve } from './serve.ts'

export interface Reply {
  status: number
  headers?: Record<string, string>
  body?: unknown
}

type Replies = Reply | 'never' | ((request: IncomingMessage) => Reply | 'never' | Promise<Reply | 'never'>)

export interface Caller {
  token?: string
  owner?: string
  repo?: string
  need?: 'read' | 'write'
  clientAddress?: string
}

export interface AccessSetup {
  clock: { now: number }
  github: Served
  /** Sets how GitHub responds from now on, to all requests or to those of one method. */
  respond(replies: Replies, method?: 'GET' | 'POST'): void
  access: GithubAccess
  authorize(caller?: Caller): ReturnType<GithubAccess['authorize']>
  /** `ok`, or the code of the error. */
  outcome(caller?: Caller): Promise<string>
  failure(caller?: Caller): Promise<AppError>
  lookUp(caller?: Caller): ReturnType<GithubAccess['lookUp']>
  log: { level: string; fields: object; message: string }[]
}

/** Creates the access module with a stand-in for GitHub and a clock that the test sets. */
export async function setUpAccess(
  options: { permissionCacheMs?: number; limits?: Partial<AccessLimits> } = {},
): Promise<AccessSetup> {
  const clock = { now: Date.UTC(2026, 10, 20, 9, 30) }
  const replies: Record<string, Replies> = { GET: visible(), POST: { status: 200, body: {} } }
  const log: AccessSetup['log'] = []
  const github = await serve(async (request, response) => {
    const reply = replies[request.method ?? ''] ?? 'never'
    const { status, headers, body } = await resolved(reply, request)
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    response.end(body === undefined ? undefined : JSON.stringify(body))
  })
  const line = (level: string) => (fields: object, message: string) => void log.push({ level, fields, message })
  const access = createGithubAccess({
    apiUrl: github.url,
    permissionCacheMs: options.permissionCacheMs ?? 60_000,
    authorLogin: true,
    log: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') },
    now: () => clock.now,
    limits: { ...smallCaches, ...options.limits },
  })
  const requestOf = (caller: Caller) => ({
    token: 'ghp_secret',
    owner: 'octocat',
    repo: 'hello',
    clientAddress: '192.0.2.1',
    requestId: 'req-1',
    ...caller,
  })
  const authorize: AccessSetup['authorize'] = (caller = {}) => access.authorize({ need: 'read', ...requestOf(caller) })
  const failure: AccessSetup['failure'] = async (caller) => {
    const error = await authorize(caller).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    if (error instanceof AppError) return error
    throw new Error('expected an AppError', { cause: error })
  }
  return {
    clock,
    github,
    respond(reply, method) {
      for (const name of method ? [method] : ['GET', 'POST']) replies[name] = reply
    },
    access,
    authorize,
    outcome: (caller) =>
      authorize(caller).then(
        () => 'ok',
        (error: unknown) => (error instanceof AppError ? error.code : String(error)),
      ),
    failure,
    lookUp: (caller = {}) => access.lookUp(requestOf(caller)),
    log,
  }
}

async function resolved(reply: Replies, request: IncomingMessage): Promise<Reply> {
  const given = typeof reply === 'function' ? await reply(request) : reply
  return given === 'never' ? await new Promise<never>(() => {}) : given
}

/** GitHub's response for a visible repository. */
export function visible(
  repository: { id?: number; full_name?: string; permissions?: unknown } = {},
  headers: Record<string, string> = {},
): Reply {
  const body = { id: 42, full_name: 'octocat/hello', default_branch: 'main', ...repository }
  return { status: 200, headers, body: 'permissions' in repository ? body : { ...body, permissions: { push: true } } }
}

export const invisible: Reply = { status: 404, body: { message: 'Not Found' } }
export const rejected: Reply = { status: 401, body: { message: 'Bad credentials' } }
export const noPush = { pull: true, push: false, maintain: false, admin: false }
