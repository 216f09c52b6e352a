import type { AddressInfo } from 'node:net'
import { expect, inject } from 'vitest'
import type { Activity } from '../../src/core/schemas/activity.ts'
import type { Notable } from '../../src/core/schemas/notable.ts'
import type { Overlap } from '../../src/core/schemas/overlap.ts'
import { scopeColumns } from '../../src/core/scope/columns.ts'
import { indexKeys } from '../../src/core/scope/index/index-keys.ts'
import { readGlobs } from '../../src/core/scope/parse-scope.ts'
import type { Scope } from '../../src/core/scope/schema.ts'
import { createOpenStreams } from '../../src/service/api/http/limits/stream-limits.ts'
import { createListener, type ListenerBounds } from '../../src/service/api/http/server/connection-bounds.ts'
import { type SlowReaderLimits, trackSlowReaders } from '../../src/service/api/http/server/slow-readers.ts'
import { createSignIn, type SignInOptions } from '../../src/service/api/session/sign-in.ts'
import { type AppDeps, createApp } from '../../src/service/app.ts'
import type { Database, DatabaseOptions } from '../../src/service/db/database.ts'
import { Prisma } from '../../src/service/db/generated/client.ts'
import { notableIndexEntries } from '../../src/service/db/sql/index-entries.sql.ts'
import { type AccessLimits, createGithubAccess } from '../../src/service/github/access/access.ts'
import { type Callers, type CallersOptions, createCallers } from '../../src/service/github/callers/callers.ts'
import { createAppStatus } from '../../src/service/github/installation/app-status.ts'
import { createRepositorySettings } from '../../src/service/github/installation/repository-settings.ts'
import { createProbot } from '../../src/service/github/probot.ts'
import { createWebhookReceiver } from '../../src/service/github/receive-webhook.ts'
import type { PullRequestObserver } from '../../src/service/github/webhooks/webhook-handler.ts'
import { newId } from '../../src/service/lib/ids.ts'
import type { Log } from '../../src/service/lib/log.ts'
import type { EmitEvent } from '../../src/service/lib/service-events.ts'
import { createLiveUpdates } from '../../src/service/live/live-updates.ts'
import type { Settings } from '../../src/service/records/settings/schema.ts'
import { type ApiRequest, type ApiResponse, call } from './client.ts'
import { type Clock, startClock } from './clock.ts'
import { createTestDatabase, databaseAt } from './database.ts'
import { takeEmptyDatabase } from './empty-database.ts'
import { type Github, type PrivateRepository, startGithub } from './github/start.ts'
import { githubAppOf } from './github-app.ts'
import { silentLog } from './log.ts'
import { smallCaches } from './small-caches.ts'

/** Like `Call`; the token is the writer's unless another is given, and null sends none. */
type RepositoryCall = Omit<ApiRequest, 'method' | 'token'> & { token?: string | null }

export interface Created {
  activity: Activity
  overlap: Overlap
}

export interface TestRepository {
  id: bigint
  owner: string
  name: string
  /** `/repos/{owner}/{name}` */
  path: string
  writer: string
  otherWriter: string
  reader: string
  stranger: string
  call(method: string, path: string, call?: RepositoryCall): Promise<ApiResponse>
  get(path: string, call?: RepositoryCall): Promise<ApiResponse>
  post(path: string, body?: unknown, call?: RepositoryCall): Promise<ApiResponse>
  patch(path: string, body: unknown, call?: RepositoryCall): Promise<ApiResponse>
  /** The body of a create of an activity, which has to be 201. */
  created(path: '/activity', body: object): Promise<Created>
  /** The body of a create of a notable, which has to be 201. */
  raised(body?: object): Promise<Notable>
  /** The body of a check, which has to be 200. */
  check(body?: object): Promise<Overlap>
  /** The body of a list, which has to be 200. */
  page(path: string): Promise<{ items: Activity[]; next_cursor: string | null }>
}

export interface TestService {
  url: string
  github: Github
  clock: Clock
  db: Database
  /** Only with the option of the same name. */
  callers: Callers | undefined
  /** Another database of the same PostgreSQL, to administrate this one. */
  adminUrl: string
  /** The beginning of a pull request's URL. */
  pullRequestHost: string
  /** What clients have not read yet, and what watched repositories hold, in bytes. */
  liveBytes(): { unread: number; watched: number }
  /** Creates a repository, by default of `acme`. */
  newRepository(owner?: string): TestRepository
  /** The same repository through this instance. */
  as(repository: PrivateRepository): TestRepository
  call(method: string, path: string, call?: Omit<ApiRequest, 'method'>): Promise<ApiResponse>
  /** Inserts activities into the database directly. */
  fill(repository: TestRepository, count: number, paths?: string[]): Promise<void>
  /** Inserts active notables into the database directly. */
  fillNotables(repository: TestRepository, count: number, scopeOf: (n: number) => Scope): Promise<string[]>
  stop(): Promise<void>
}

export interface TestServiceOptions {
  settings?: Partial<Settings>
  retentionMs?: number
  permissionCacheMs?: number
  /** Whether it runs as the stand-in's App, and so reads settings files. */
  githubApp?: boolean
  log?: Log
  /** `HEADSUP_PUBLIC_URL` */
  publicUrl?: string
  /** `HEADSUP_ALLOWED_HOSTS`, by default the names that tests send by hand. */
  allowedHosts?: string[]
  /** The address to listen on, by default 127.0.0.1. Tests reach every one by 127.0.0.1. */
  listenOn?: string
  /** GitHub's web address, by default https://github.com. */
  githubServerUrl?: string
  /** Accepts webhooks with this secret. */
  webhookSecret?: string
  /** Limits of connections, requests and deliveries, for example shorter ones. */
  bounds?: Partial<ListenerBounds> & AppDeps['bounds']
  requestsPerMinute?: number
  /** Defaults of the database for settings of PostgreSQL. */
  databaseSettings?: Record<string, string>
  /** Creates its database, by default one of the embedded PostgreSQL. */
  createDatabase?: () => Promise<{ url: string; drop(): Promise<void> }>
  /** If given, even without an option, the service has its own connections, and not those of an earlier test. */
  database?: Partial<DatabaseOptions>
  githubLimits?: Partial<AccessLimits>
  /** Called for every event. */
  emit?: EmitEvent
  recordLimits?: AppDeps['recordLimits']
  /** How often streams read the change log, and for how many repositories. */
  live?: { pollMs?: number; mostRepositories?: number }
  /** How much clients may have unread. */
  slowReaders?: Partial<SlowReaderLimits>
  /** The port, if not any free one. */
  port?: number
  clientFile?: AppDeps['clientFile']
  /** Whether GitHub is asked whose account a token belongs to; it is by default. */
  authorLogin?: boolean
  /** Whether tokens of callers are used for readings and for their accounts, and how. */
  callers?: Partial<CallersOptions>
  viewerOf?: AppDeps['viewerOf']
  /** Whether it writes check runs, as far as its settings say. */
  writesReports?: boolean
  /** The jobs that webhooks about pull requests start. Without it pull requests are not observed. */
  observer?: PullRequestObserver
  /** The client of the GitHub App, for signing in; `own`: that of the stand-in. */
  githubClient?: SignInOptions['githubClient'] | 'own'
  /** `HEADSUP_TRUSTED_PROXIES` */
  trustedProxies?: string[]
  /** Another instance of the service on the same database and GitHub. */
  sharedWith?: TestService
}

/**
 * Options for one connection for callers and one for jobs: code that waits for a second connection while it holds one does not
 * get far with them.
 */
export const twoConnections = { database: { poolSize: 2 } }

/** Starts the service on a real PostgreSQL and over real HTTP, with a stand-in for GitHub and a clock that the test sets. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const { sharedWith, githubServerUrl = 'https://github.com' } = options
  const { db, close } = await databaseFor(options)
  const clock = sharedWith?.clock ?? startClock()
  const github = sharedWith?.github ?? (await startGithub({ now: () => clock.now().getTime() }))
  const access = createGithubAccess({
    apiUrl: github.url,
    permissionCacheMs: options.permissionCacheMs ?? 60_000,
    authorLogin: options.authorLogin ?? true,
    log: silentLog,
    limits: { ...smallCaches, ...options.githubLimits },
  })
  const log = options.log ?? silentLog
  const now = clock.now
  const secret = options.webhookSecret
  const running = options.githubApp ? githubAppOf(github, now, undefined, secret) : probotAlone(secret)
  const settings = createRepositorySettings({ app: running?.app, db, operator: options.settings ?? {}, log, now })
  const { settingsOf } = settings
  const webhooks = {
    db,
    access,
    settingsIn: settings.settingsIn,
    forgetSettings: settings.forget,
    log,
    now,
    serverUrl: githubServerUrl,
    observer: options.observer,
  }
  const liveUpdates = createLiveUpdates({ db, log, now, ...options.live })
  const streams = createOpenStreams()
  const slowReaders = trackSlowReaders(options.slowReaders)
  const callers = options.callers
    ? createCallers({
        ...{ db, access, apiUrl: github.url, serverUrl: githubServerUrl, log, now },
        ...{ reconcileIntervalMs: 3_600_000, observeWithCallers: true, maxObserved: 200 },
        ...options.callers,
      })
    : undefined
  const app = createApp({
    db,
    signIn: await createSignIn({
      ...{
        db,
        now,
        log,
        githubClient: options.githubClient === 'own' ? github.client : options.githubClient,
        publicUrl: options.publicUrl,
      },
      ...{ githubServerUrl: github.url, githubApiUrl: github.url },
    }),
    liveUpdates,
    streams,
    slowReaders,
    ...(options.permissionCacheMs === undefined ? {} : { permissionCacheMs: options.permissionCacheMs }),
    access,
    ...callers,
    settingsOf,
    appStatusOf: createAppStatus(running?.app, now),
    ...(running ? { receiveWebhook: await createWebhookReceiver({ ...webhooks, probot: running.probot }) } : {}),
    log,
    now,
    retentionMs: options.retentionMs ?? 30 * 86_400_000,
    githubServerUrl,
    address: {
      publicUrl: options.publicUrl,
      allowedHosts: options.allowedHosts ?? ['a', 'headsup.example'],
      listensOn: () => bound,
    },
    isStopping: () => false,
    ...(options.trustedProxies ? { trustedProxies: options.trustedProxies } : {}),
    requestsPerMinute: options.requestsPerMinute,
    ...(options.bounds ? { bounds: options.bounds } : {}),
    ...(options.emit ? { emit: options.emit } : {}),
    ...(options.recordLimits ? { recordLimits: options.recordLimits } : {}),
    ...(options.clientFile ? { clientFile: options.clientFile } : {}),
    ...(options.viewerOf ? { viewerOf: options.viewerOf } : {}),
    ...(options.writesReports ? { writesReports: true } : {}),
  })
  const server = createListener(app, options.bounds)
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, options.listenOn ?? '127.0.0.1', resolve))
  const bound = server.address() as AddressInfo
  const url = `http://127.0.0.1:${bound.port}`
  const request: TestService['call'] = (method, path, sent = {}) => call(url + path, { ...sent, method })
  return {
    url,
    github,
    clock,
    db,
    callers,
    adminUrl: inject('postgres').adminUrl,
    pullRequestHost: githubServerUrl,
    liveBytes: () => ({ unread: slowReaders.unreadBytes(), watched: liveUpdates.bytes() }),
    newRepository: (owner) => {
      const name = `repo-${++repositories}`
      return withCalls(github.addRepository(name, owner), request)
    },
    as: (repository) => withCalls(repository, request),
    call: request,
    fill: (repository, count, paths = []) => fill(db, repository.id, clock.now(), count, paths),
    fillNotables: (repository, count, scopeOf) => fillNotables(db, repository.id, clock.now(), count, scopeOf),
    async stop() {
      streams.endAll()
      await liveUpdates.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await settings.stop()
      await callers?.stop()
      await close()
      if (!sharedWith) await github.stop()
    },
  }
}

async function databaseFor({ sharedWith, databaseSettings, createDatabase, database: options }: TestServiceOptions) {
  if (sharedWith) return { db: sharedWith.db, close: async () => {} }
  if (databaseSettings || createDatabase) {
    const { url, drop } = await (createDatabase?.() ?? createTestDatabase(databaseSettings))
    return ownDatabase(url, drop, options)
  }
  const { url, db, giveBack } = await takeEmptyDatabase()
  return options ? ownDatabase(url, giveBack, options) : { db, close: giveBack }
}

function ownDatabase(url: string, giveBack: () => Promise<void>, options: Partial<DatabaseOptions> | undefined) {
  const db = databaseAt(url, options)
  return { db, close: () => db.close().then(giveBack) }
}

/** A Probot instance without an App only receives webhooks. It never calls GitHub. */
function probotAlone(secret: string | undefined) {
  if (secret === undefined) return undefined
  return { app: undefined, probot: createProbot({ secret, apiUrl: 'http://127.0.0.1:9', timeLimitMs: 5_000 }) }
}

let repositories = 0

type RepositoryTokens = Pick<TestRepository, 'id' | 'owner' | 'name' | 'writer' | 'otherWriter' | 'reader' | 'stranger'>

/** Adds functions that call the API about this repository. */
function withCalls(repository: RepositoryTokens, request: TestService['call']): TestRepository {
  const path = `/repos/${repository.owner}/${repository.name}`
  const send: TestRepository['call'] = (method, below, { token, ...sent } = {}) =>
    request(method, `/api/v1${path}${below}`, {
      ...sent,
      token: token === null ? undefined : (token ?? repository.writer),
    })
  return {
    ...repository,
    path,
    call: send,
    get: (below, sent) => send('GET', below, sent),
    post: (below, body, sent) => send('POST', below, { ...sent, body }),
    patch: (below, body, sent) => send('PATCH', below, { ...sent, body }),
    created: async (below, body) => await successful<Created>(send('POST', below, { body }), 201),
    raised: async (body = {}) =>
      successful<Notable>(send('POST', '/notables', { body: { ...someNotable, ...body } }), 201),
    check: (body) => successful<Overlap>(send('POST', '/activity/check', { body }), 200),
    page: (below) => successful(send('GET', below), 200),
  }
}

const someNotable = { title: 'Careful', summary: 'The schema moves.', importance: 'low', category: 'warning' }

async function successful<Body>(asked: Promise<ApiResponse>, status: number): Promise<Body> {
  const answer = await asked
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status })
  return answer.body as Body
}

async function fill({ pool }: Database, repositoryId: bigint, now: Date, count: number, paths: string[]) {
  const keys = indexKeys(readGlobs(paths))
  // In parts: a slow machine takes long for thousands of rows, and a statement has a time limit.
  for (let left = count; left > 0; left -= 500) {
    const ids = Array.from({ length: Math.min(left, 500) }, () => newId('act'))
    await pool.query(
      `insert into activities (repository_id, id, title, summary, actor, status, risk, areas, area_keys, paths, draft_pr, blocking, expires_at, created_at, updated_at)
       select $1, id, 'Filled', 'Filled.', 'Alice', 'active', 'low', '{}', '{}', $4, false, false, $3::timestamptz + interval '1 day', $3, $3 from unnest($2::text[]) as id`,
      [repositoryId, ids, now, paths],
    )
    await pool.query(
      `insert into scope_keys (repository_id, kind, key, tail, extent, activity_id)
       select $1, 'path', entry.key, entry.tail, entry.extent, id
         from unnest($2::text[]) as id, unnest($3::text[], $4::text[], $5::smallint[]) as entry(key, tail, extent)`,
      [repositoryId, ids, keys.map(({ key }) => key), keys.map(({ tail }) => tail), keys.map(({ extent }) => extent)],
    )
  }
}

/** How many notables one statement inserts. */
const notablesAtOnce = 100

async function fillNotables(
  { prisma }: Database,
  repository_id: bigint,
  now: Date,
  count: number,
  scopeOf: (n: number) => Scope,
): Promise<string[]> {
  const expires_at = new Date(now.getTime() + 7 * 86_400_000)
  const same = { repository_id, ...someNotable, status: 'active', blocking: false, supersedes: [], changed_by: '' }
  const rows = Array.from({ length: count }, (_, n) => ({
    ...same,
    id: newId('ntb'),
    ...scopeColumns(scopeOf(n)),
    created_at: now,
    updated_at: now,
    expires_at,
  }))
  for (let first = 0; first < count; first += notablesAtOnce) {
    const data = rows.slice(first, first + notablesAtOnce)
    await prisma.notable.createMany({ data })
    const entries = data.map((row) => Prisma.sql`select ${row.id} as id, * from ${notableIndexEntries(row)}`)
    await prisma.$executeRaw`
      insert into notable_scope_keys (repository_id, kind, key, tail, extent, notable_id)
      select ${repository_id}, kind, key, tail, extent, id from (${Prisma.join(entries, ' union all ')}) as entries`
  }
  return rows.map(({ id }) => id)
}
