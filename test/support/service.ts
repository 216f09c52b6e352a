import nock from 'nock'
import { readConfig } from '../../src/service/config.ts'
import { createLog } from '../../src/service/log.ts'
import { startService } from '../../src/service/service.ts'
import { createDatabase } from './database.ts'
import { expectDocumented } from './document.ts'
import { letIn, newRepository, type Permission, type TestRepository } from './github.ts'

export interface TestService {
  url: string
  /** Of `METRICS_PORT`, where it is given. */
  metricsUrl: string
  databaseUrl: string
  stop(): Promise<void>
}

/** Starts the service in this process, on a database of its own unless one is given. GitHub is what nock answers. */
export async function startTestService(environment: Record<string, string> = {}): Promise<TestService> {
  nock.enableNetConnect(/^(127\.0\.0\.1|localhost)/)
  const database = environment.DATABASE_URL === undefined ? await createDatabase() : undefined
  const databaseUrl = environment.DATABASE_URL ?? database?.url ?? ''
  const given = { PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'silent', HEADSUP_RATE_LIMIT: '0' }
  const { config } = readConfig({ ...given, DATABASE_URL: databaseUrl, ...environment })
  const service = await startService(config, createLog({ logLevel: config.logLevel, isOnTerminal: false }))
  return {
    url: `http://127.0.0.1:${service.port}`,
    metricsUrl: `http://127.0.0.1:${service.metricsPort}`,
    databaseUrl,
    async stop() {
      await service.stop()
      await database?.drop()
    },
  }
}

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look at any field of an answer
  body: any
}

export interface Client {
  repository: TestRepository
  token: string
  /** `path` is below `/api/v1/repos/OWNER/REPO`. */
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}

let tokens = 0

/** A caller whom GitHub lets write, by default in a repository of its own. */
export function clientOf(
  { url }: Pick<TestService, 'url'>,
  options: { repository?: TestRepository; permission?: Permission; login?: string; seesPulls?: boolean } = {},
): Client {
  const { repository = newRepository(), permission = 'push', login = 'alice', seesPulls = true } = options
  const token = `ghp_${login}${++tokens}`
  letIn(token, repository, permission, login, seesPulls)
  const base = `${url}/api/v1/repos/${repository.owner}/${repository.name}`
  const request: Client['request'] = async (method, path, body, headers = {}) => {
    const response = await fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
    const answer = { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
    if (isJson) await expectDocumented(url, method, path, answer.status, answer.body)
    return answer
  }
  return {
    repository,
    token,
    request,
    get: (path, headers) => request('GET', path, undefined, headers),
    post: (path, body, headers) => request('POST', path, body, headers),
    patch: (path, body, headers) => request('PATCH', path, body, headers),
  }
}

export const work = { title: 'Rework the login', summary: 'Moves the session to a cookie.', actor: 'Ana' }
