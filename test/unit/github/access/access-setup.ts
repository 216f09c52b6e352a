import type { IncomingMessage } from 'node:http'
import { AppError } from '../../../../src/errors.ts'
import { type AccessLimits, createGithubAccess, type GithubAccess } from '../../../../src/github/access/access.ts'
import { type Served, serve } from './serve.ts'

export interface Reply {
  status: number
  headers?: Record<string, string>
  body?: unknown
}

type Replies = Reply | 'never' | ((request: IncomingMessage) => Reply | 'never' | Promise<Reply | 'never'>)

export interface Asking {
  token?: string
  owner?: string
  repo?: string
  need?: 'read' | 'write'
  clientAddress?: string
}

export interface World {
  clock: { now: number }
  github: Served
  /** How GitHub answers from now on: everything, or the one method. */
  answers(replies: Replies, method?: 'GET' | 'POST'): void
  access: GithubAccess
  authorize(asking?: Asking): ReturnType<GithubAccess['authorize']>
  /** `ok`, or the code of the error. */
  outcome(asking?: Asking): Promise<string>
  refusal(asking?: Asking): Promise<AppError>
  lookUp(asking?: Asking): ReturnType<GithubAccess['lookUp']>
  log: { level: string; fields: object; message: string }[]
}

/** Access to a GitHub that answers as the test says, in a time that the test moves. */
export async function accessWorld(
  options: { permissionCacheMs?: number; limits?: Partial<AccessLimits> } = {},
): Promise<World> {
  const clock = { now: Date.UTC(2026, 10, 20, 9, 30) }
  const replies: Record<string, Replies> = { GET: seen(), POST: { status: 200, body: {} } }
  const log: World['log'] = []
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
    log: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') },
    now: () => clock.now,
    ...(options.limits ? { limits: options.limits } : {}),
  })
  const asked = (asking: Asking) => ({
    token: 'ghp_secret',
    owner: 'octocat',
    repo: 'hello',
    clientAddress: '192.0.2.1',
    requestId: 'req-1',
    ...asking,
  })
  const authorize: World['authorize'] = (asking = {}) => access.authorize({ need: 'read', ...asked(asking) })
  const refusal: World['refusal'] = async (asking) => {
    const error = await authorize(asking).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    if (error instanceof AppError) return error
    throw new Error('expected an AppError', { cause: error })
  }
  return {
    clock,
    github,
    answers(reply, method) {
      for (const name of method ? [method] : ['GET', 'POST']) replies[name] = reply
    },
    access,
    authorize,
    outcome: (asking) =>
      authorize(asking).then(
        () => 'ok',
        (error: unknown) => (error instanceof AppError ? error.code : String(error)),
      ),
    refusal,
    lookUp: (asking = {}) => access.lookUp(asked(asking)),
    log,
  }
}

async function resolved(reply: Replies, request: IncomingMessage): Promise<Reply> {
  const given = typeof reply === 'function' ? await reply(request) : reply
  return given === 'never' ? await new Promise<never>(() => {}) : given
}

/** GitHub shows the repository. */
export function seen(
  repository: { id?: number; full_name?: string; permissions?: unknown } = {},
  headers: Record<string, string> = {},
): Reply {
  const body = { id: 42, full_name: 'octocat/hello', default_branch: 'main', ...repository }
  return { status: 200, headers, body: 'permissions' in repository ? body : { ...body, permissions: { push: true } } }
}

export const unseen: Reply = { status: 404, body: { message: 'Not Found' } }
export const refused: Reply = { status: 401, body: { message: 'Bad credentials' } }
export const noPush = { pull: true, push: false, maintain: false, admin: false }
