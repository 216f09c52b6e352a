import { z } from 'zod'
import { listFor } from '../../core/lib/maps.ts'
import { fieldName, plainMessage } from '../lib/issue-details.ts'
import { defaultRecordLimits, type RecordLimits } from '../records/repository/default-limits.ts'
import { toShortLine } from '../records/settings/file.ts'
import { operatorSettings, operatorVariables, whole } from '../records/settings/from-environment.ts'
import type { Settings } from '../records/settings/schema.ts'
import { addressRanges } from './address-ranges.ts'
import { type GithubAppConfig, type GithubClientConfig, readApp, readClient } from './app-key.ts'
import { hostNames } from './host-names.ts'

export const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) URL' })
  .refine((value) => !/[?#]|\/\/[^/]*@/.test(value), 'must have no user, query or fragment')
  .transform((value) => value.replace(/\/+$/, ''))

/** How many faults of one variable are listed. */
const maxFaults = 10

/** About 3,000 years, in milliseconds. PostgreSQL's timestamps do not reach much further back. */
const maxRetentionMs = 100_000_000_000_000

/** The largest limit on the records of a repository. */
const maxRecords = 1_000_000_000

const notBlank = (what: string) =>
  z
    .string()
    .refine((value) => value.trim() !== '', `must be ${what}, not white space alone: set the one of the GitHub App`)

const Environment = z.object({
  PORT: whole(0, 65_535).default(3000),
  HOST: z.string().optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// URL' }).optional(),
  HEADSUP_DATA_DIR: z.string().default('.headsup'),
  GITHUB_API_URL: webAddress.default('https://api.github.com'),
  GITHUB_SERVER_URL: webAddress.default('https://github.com'),
  APP_ID: whole(1, Number.MAX_SAFE_INTEGER).optional(),
  PRIVATE_KEY: z.string().optional(),
  PRIVATE_KEY_PATH: z.string().optional(),
  WEBHOOK_SECRET: notBlank('a secret').optional(),
  GITHUB_CLIENT_ID: notBlank('a client id').optional(),
  GITHUB_CLIENT_SECRET: notBlank('a secret').optional(),
  WEBHOOK_PROXY_URL: webAddress.optional(),
  HEADSUP_PUBLIC_URL: webAddress.optional(),
  HEADSUP_ALLOWED_HOSTS: hostNames.optional(),
  HEADSUP_TRUSTED_PROXIES: addressRanges.optional(),
  METRICS_PORT: whole(0, 65_535).optional(),
  HEADSUP_METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'must be 16 or more visible ASCII characters')
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress.optional(),
  HEADSUP_RETENTION_MS: whole(1_000, maxRetentionMs).default(30 * 86_400_000),
  HEADSUP_SWEEP_INTERVAL_MS: whole(10, Number.MAX_SAFE_INTEGER).default(60_000),
  HEADSUP_RECONCILE_INTERVAL_MS: whole(10, Number.MAX_SAFE_INTEGER).default(3_600_000),
  HEADSUP_PERMISSION_CACHE_MS: whole(0, Number.MAX_SAFE_INTEGER).default(60_000),
  HEADSUP_MAX_CONNECTIONS: whole(1, 1_000_000).default(4_096),
  HEADSUP_MAX_REQUESTS: whole(1, 100_000).default(128),
  HEADSUP_MAX_STREAMS: whole(1, 100_000).default(1_000),
  HEADSUP_MAX_WATCHED: whole(1, 100_000).default(200),
  HEADSUP_RATE_LIMIT: whole(1, 1_000_000).optional(),
  HEADSUP_MAX_LIVE_ACTIVITIES: whole(1, maxRecords).default(defaultRecordLimits.liveActivities),
  HEADSUP_MAX_NOTABLES: whole(1, maxRecords).default(defaultRecordLimits.notables),
  HEADSUP_MAX_RECORDS: whole(1, maxRecords).default(defaultRecordLimits.records),
  HEADSUP_OBSERVE_WITH_CALLERS: z.enum(['true', 'false']).default('true'),
  HEADSUP_MAX_OBSERVED: whole(1, 100_000).default(200),
  HEADSUP_AUTHOR_LOGIN: z.enum(['on', 'off']).default('on'),
  HEADSUP_REPORT_SHADOW: z.enum(['true', 'false']).default('false'),
  HEADSUP_STOP_DELAY_MS: whole(0, 600_000).default(0),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  LOG_FORMAT: z.enum(['pretty', 'json']).optional(),
  ...operatorVariables,
})

/** All variables that the service reads. */
export const variables: readonly string[] = Object.keys(Environment.shape)

const Ports = Environment.pick({ PORT: true, METRICS_PORT: true })

/** Variables of the command line that have the same prefix. */
const foreign = new Set(['HEADSUP_URL', 'HEADSUP_HOOK_LIMIT_MS'])

export interface Config {
  port: number
  host: string
  /** The address of the service for clients, without a trailing slash. */
  publicUrl: string | undefined
  /** Further names that `Host` may have. */
  allowedHosts: string[]
  /** Addresses and ranges of the proxies whose `X-Forwarded-For` counts. */
  trustedProxies: string[]
  /** Absent: the embedded PostgreSQL, with its data in `dataDir`. */
  databaseUrl: string | undefined
  dataDir: string
  githubApiUrl: string
  githubServerUrl: string
  app: GithubAppConfig | undefined
  webhookSecret: string | undefined
  /** The client of the GitHub App, for signing in. */
  githubClient: GithubClientConfig | undefined
  webhookProxyUrl: string | undefined
  /** Absent: `/metrics` is on `port`, and only with a `metricsToken`. */
  metricsPort: number | undefined
  metricsToken: string | undefined
  /** Where traces are sent, without `/v1/traces`; absent: no traces. */
  otlpEndpoint: string | undefined
  retentionMs: number
  sweepIntervalMs: number
  reconcileIntervalMs: number
  permissionCacheMs: number
  maxConnections: number
  /** How many requests are served concurrently. */
  maxRequests: number
  /** How many streams of events are open concurrently. */
  maxStreams: number
  /** How many repositories are watched concurrently. */
  maxWatched: number
  /** Of each token; absent: no limit. */
  requestsPerMinute: number | undefined
  /** How many records a repository may hold. */
  recordLimits: RecordLimits
  /** Whether callers' tokens read the open pull requests of repositories that the App does not read. */
  observeWithCallers: boolean
  /** How many such repositories are kept. */
  maxObserved: number
  /** Whether the account of a token is read from GitHub. */
  authorLogin: boolean
  /** Whether check runs on pull requests are only counted and logged, and not written. */
  reportShadow: boolean
  /** How long the service still accepts requests after a signal to stop, while `/readyz` is 503. */
  stopDelayMs: number
  logLevel: string
  logFormat: 'pretty' | 'json' | undefined
  /** The operator's own defaults, key by key (docs/rules.md#operator-defaults). */
  settings: Partial<Settings>
}

/** Lists all faults of the environment, a line per variable, without the values, which may be secrets. */
export class ConfigError extends Error {
  readonly faults: string[]
  constructor(faults: string[]) {
    super(faults.join('\n'))
    this.name = 'ConfigError'
    this.faults = faults
  }
}

type Parsed = z.infer<typeof Environment>
export type Environ = Record<string, string | undefined>

/**
 * Reads the environment variables of the service (docs/rules.md#environment-checks). An empty variable is absent; an
 * unknown name with `HEADSUP_` is a warning. Throws `ConfigError`.
 */
export function loadConfig(environ: Environ): { config: Config; warnings: string[] } {
  const present = Object.fromEntries(Object.entries(environ).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = Environment.safeParse(present)
  const faults = parsed.success ? [] : linesOf(parsed.error.issues)
  const { app, faults: lacking } = readApp(present)
  const { client, fault } = readClient(present)
  faults.push(...lacking, ...(fault ? [fault] : []))
  const ports = Ports.safeParse(present)
  if (ports.success && ports.data.PORT !== 0 && ports.data.METRICS_PORT === ports.data.PORT)
    faults.push('METRICS_PORT: must be another port than PORT')
  if (!parsed.success || faults.length > 0) throw new ConfigError(onePerVariable(faults))
  const warnings = Object.keys(present)
    .filter((name) => name.startsWith('HEADSUP_') && !variables.includes(name) && !foreign.has(name))
    .map((name) => `${name} is not a setting of Headsup and is ignored`)
  return { config: toConfig(parsed.data, app, client), warnings }
}

/** Returns a line for each invalid variable. A fault that occurs in several places is listed once. */
function linesOf(issues: readonly z.core.$ZodIssue[]): string[] {
  const ofVariables = new Map<string, z.core.$ZodIssue[]>()
  for (const issue of issues) {
    listFor(ofVariables, String(issue.path[0])).push(issue)
  }
  return [...ofVariables].map(([name, found]) => `${name}: ${faultsIn(found)}`)
}

function faultsIn(issues: readonly z.core.$ZodIssue[]): string {
  const places = new Map<string, string[]>()
  for (const issue of issues.slice(0, maxFaults)) {
    const message = plainMessage(issue).replace(/\.$/, '')
    const path = issue.path.slice(1)
    const at = listFor(places, message)
    if (path.length > 0) at.push(toShortLine(fieldName(path, '""')))
  }
  const parts = [...places].map(([message, at]) => (at.length === 0 ? message : `${at.join(', ')} ${message}`))
  const more = issues.length - maxFaults
  return [...parts, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

function onePerVariable(faults: string[]): string[] {
  const lines = new Map<string, string>()
  for (const fault of faults) {
    const name = fault.slice(0, fault.indexOf(':'))
    if (!lines.has(name)) lines.set(name, fault)
  }
  return [...lines.values()]
}

function toConfig(env: Parsed, app: Config['app'], githubClient: Config['githubClient']): Config {
  return {
    port: env.PORT,
    host: env.HOST ?? (env.DATABASE_URL ? '0.0.0.0' : '127.0.0.1'),
    publicUrl: env.HEADSUP_PUBLIC_URL,
    allowedHosts: env.HEADSUP_ALLOWED_HOSTS ?? [],
    trustedProxies: env.HEADSUP_TRUSTED_PROXIES ?? [],
    databaseUrl: env.DATABASE_URL,
    dataDir: env.HEADSUP_DATA_DIR,
    githubApiUrl: env.GITHUB_API_URL,
    githubServerUrl: env.GITHUB_SERVER_URL,
    app,
    webhookSecret: env.WEBHOOK_SECRET,
    githubClient,
    webhookProxyUrl: env.WEBHOOK_PROXY_URL,
    metricsPort: env.METRICS_PORT,
    metricsToken: env.HEADSUP_METRICS_TOKEN,
    otlpEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    retentionMs: env.HEADSUP_RETENTION_MS,
    sweepIntervalMs: env.HEADSUP_SWEEP_INTERVAL_MS,
    reconcileIntervalMs: env.HEADSUP_RECONCILE_INTERVAL_MS,
    permissionCacheMs: env.HEADSUP_PERMISSION_CACHE_MS,
    maxConnections: env.HEADSUP_MAX_CONNECTIONS,
    maxRequests: env.HEADSUP_MAX_REQUESTS,
    maxStreams: env.HEADSUP_MAX_STREAMS,
    maxWatched: env.HEADSUP_MAX_WATCHED,
    requestsPerMinute: env.HEADSUP_RATE_LIMIT,
    recordLimits: {
      liveActivities: env.HEADSUP_MAX_LIVE_ACTIVITIES,
      notables: env.HEADSUP_MAX_NOTABLES,
      records: env.HEADSUP_MAX_RECORDS,
    },
    observeWithCallers: env.HEADSUP_OBSERVE_WITH_CALLERS === 'true',
    maxObserved: env.HEADSUP_MAX_OBSERVED,
    authorLogin: env.HEADSUP_AUTHOR_LOGIN === 'on',
    reportShadow: env.HEADSUP_REPORT_SHADOW === 'true',
    stopDelayMs: env.HEADSUP_STOP_DELAY_MS,
    logLevel: env.LOG_LEVEL,
    logFormat: env.LOG_FORMAT,
    settings: operatorSettings(env),
  }
}
