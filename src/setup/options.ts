import { parseArgs } from 'node:util'
import { z } from 'zod'
import { ConfigError, type Environ, webAddress } from '../service/config/config.ts'
import { plainMessage } from '../service/lib/issue-details.ts'
import { whole } from '../service/records/settings/from-environment.ts'

export const usage = 'npm run setup -- [--org NAME] [--url https://HOST] [--port PORT], or npm run setup -- --check'

const githubApiUrl = 'https://api.github.com'
const githubServerUrl = 'https://github.com'

/** Addresses of documentation (RFC 2606), which lead nowhere. */
const exampleHost = /^(?:.*\.)?example\.(?:com|net|org)$/

const serviceAddress = webAddress.refine((url) => !exampleHost.test(new URL(url).hostname), {
  error: 'must be the address at which GitHub reaches this service. example.com is the example in app.yml',
})

const Input = z.object({
  APP_ID: z
    .string()
    .optional()
    .refine((id) => id === undefined, 'is set already, so there is an App. Remove it from .env to set up another'),
  PORT: whole(0, 65_535).default(3000),
  GITHUB_API_URL: webAddress.optional(),
  GITHUB_SERVER_URL: webAddress.default(githubServerUrl),
  WEBHOOK_PROXY_URL: webAddress.optional(),
  HEADSUP_PUBLIC_URL: webAddress.optional(),
  '--org': z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,100}$/, 'must be the name of an organisation')
    .optional(),
  '--url': serviceAddress.optional(),
  '--port': whole(0, 65_535).optional(),
})

export interface SetupOptions {
  port: number
  githubApiUrl: string
  githubServerUrl: string
  /** The organisation that owns the App; undefined if the person who registers it does. */
  org: string | undefined
  /** Undefined: not known yet. */
  webhookUrl: string | undefined
  /** The address for clients: `--url`, else `HEADSUP_PUBLIC_URL`, else that of a service on this machine. */
  publicUrl: string
  /** `--url`, which becomes `HEADSUP_PUBLIC_URL`. */
  givenUrl: string | undefined
}

/** Reads the options. They override variables of the environment. Throws `ConfigError` with one line per fault. */
export function readOptions(args: string[], environ: Environ): SetupOptions {
  const flags = Object.entries(parsedArgs(args)).map(([name, value]) => [`--${name}`, value])
  const present = Object.entries(environ).filter(([name, value]) => value !== '' && !name.startsWith('--'))
  const { data, error } = Input.safeParse(Object.fromEntries([...present, ...flags]))
  if (error) throw new ConfigError(error.issues.map((issue) => `${String(issue.path[0])}: ${plainMessage(issue)}`))
  const serverUrl = data.GITHUB_SERVER_URL
  const { '--url': url, '--port': port = data.PORT, '--org': org } = data
  return {
    port,
    githubApiUrl: data.GITHUB_API_URL ?? (serverUrl === githubServerUrl ? githubApiUrl : `${serverUrl}/api/v3`),
    githubServerUrl: serverUrl,
    org,
    webhookUrl: url === undefined ? data.WEBHOOK_PROXY_URL : `${url}/api/github/webhooks`,
    publicUrl: url ?? data.HEADSUP_PUBLIC_URL ?? `http://127.0.0.1:${data.PORT}`,
    givenUrl: url,
  }
}

/** The options to ask for: those that neither the arguments nor the environment name. */
export function unknownOptions({ org, webhookUrl }: SetupOptions): ('org' | 'url')[] {
  return [...(org === undefined ? (['org'] as const) : []), ...(webhookUrl === undefined ? (['url'] as const) : [])]
}

/** Whether the arguments ask for a check of the App that is there. Throws `ConfigError` where they ask for more. */
export function isCheck(args: readonly string[]): boolean {
  if (!args.includes('--check')) return false
  if (args.length === 1) return true
  throw new ConfigError(['--check takes no other option.', `Usage: ${usage}`])
}

function parsedArgs(args: string[]) {
  const option = { type: 'string' } as const
  try {
    return parseArgs({ args, options: { org: option, url: option, port: option } }).values
  } catch (error) {
    throw new ConfigError([error instanceof Error ? error.message : String(error), `Usage: ${usage}`])
  }
}
