import { readFileSync } from 'node:fs'
import { parse } from 'dotenv'
import { describe, expect, it } from 'vitest'
import { ConfigError, loadConfig, variables } from '../../../src/service/config/config.ts'
import { mergeSettings } from '../../../src/service/records/settings/effective.ts'
import { builtInSettings } from '../../../src/service/records/settings/schema.ts'

function faultsOf(environ: Record<string, string>): string[] {
  try {
    loadConfig(environ)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.faults
  }
}

describe('the settings of the service', () => {
  const pem = '-----BEGIN PRIVATE KEY-----'
  const tooLarge = ['9007199254740992', '9'.repeat(400)]

  it.each(['-5', '1e9', '1.5', ' 7', '0x10', ...tooLarge])(
    'say of %j how a number is written, from where to where',
    (value) => {
      const lines = faultsOf({ PORT: value, HEADSUP_RETENTION_MS: value, HEADSUP_ACTIVITY_TTL_MS: value })
      expect(lines).toEqual([
        'PORT: must be a whole number in plain digits, 0 to 65535',
        'HEADSUP_RETENTION_MS: must be a whole number in plain digits, 1000 to 100000000000000',
        'HEADSUP_ACTIVITY_TTL_MS: must be a whole number in plain digits, 1000 to 2592000000',
      ])
    },
  )

  it('have the same message for a number that is too small or too large', () => {
    const [port] = faultsOf({ PORT: '1e9' })
    expect(faultsOf({ PORT: '65536' })).toEqual([port])
    const [ttl] = faultsOf({ HEADSUP_NOTABLE_TTL_MS: '1e9' })
    for (const value of ['999', '31536000001']) expect(faultsOf({ HEADSUP_NOTABLE_TTL_MS: value })).toEqual([ttl])
    expect(
      faultsOf({ PORT: '65535', HEADSUP_NOTABLE_TTL_MS: '1000', HEADSUP_RETENTION_MS: '100000000000000' }),
    ).toEqual([])
  })

  it.each([' ', '\t', '\u00a0 '])('refuse white space, %j, as a secret', (value) => {
    const line = 'WEBHOOK_SECRET: must be a secret, not white space alone: set the one of the GitHub App'
    expect(faultsOf({ WEBHOOK_SECRET: value })).toEqual([line])
    expect(faultsOf({ WEBHOOK_SECRET: value, APP_ID: '7', PRIVATE_KEY: pem })).toEqual([line])
    expect(faultsOf({ WEBHOOK_SECRET: ' s ' })).toEqual([])
  })

  it('need both halves of the client that people sign in with', () => {
    expect(faultsOf({ GITHUB_CLIENT_ID: 'Iv1' })).toEqual([
      'GITHUB_CLIENT_SECRET: must be set when GITHUB_CLIENT_ID is',
    ])
    expect(faultsOf({ GITHUB_CLIENT_SECRET: 's' })).toEqual([
      'GITHUB_CLIENT_ID: must be set when GITHUB_CLIENT_SECRET is',
    ])
    const { config } = loadConfig({ GITHUB_CLIENT_ID: 'Iv1', GITHUB_CLIENT_SECRET: 's' })
    expect(config.githubClient).toEqual({ id: 'Iv1', secret: 's' })
    expect(loadConfig({}).config.githubClient).toBeUndefined()
  })

  const missing = {
    id: 'APP_ID: is missing beside the private key',
    secret: 'WEBHOOK_SECRET: must be set when APP_ID is',
    key: 'PRIVATE_KEY: PRIVATE_KEY or PRIVATE_KEY_PATH must be set when APP_ID is',
  }

  it.each<[Record<string, string>, string[]]>([
    [{ APP_ID: '7' }, [missing.secret, missing.key]],
    [{ APP_ID: '7', WEBHOOK_SECRET: 's' }, [missing.key]],
    [{ APP_ID: '7', PRIVATE_KEY: pem }, [missing.secret]],
    [{ PRIVATE_KEY: pem }, [missing.id, missing.secret]],
    [{ PRIVATE_KEY: pem, WEBHOOK_SECRET: 's' }, [missing.id]],
    [
      { PRIVATE_KEY_PATH: '/', WEBHOOK_SECRET: '' },
      [missing.id, missing.secret, 'PRIVATE_KEY_PATH: names a file that can not be read'],
    ],
    [{ WEBHOOK_SECRET: 's' }, []],
    [{ APP_ID: '7', PRIVATE_KEY: pem, WEBHOOK_SECRET: 's' }, []],
  ])('list for %j everything that the GitHub App lacks', (environ, faults) => {
    expect(faultsOf(environ)).toEqual(faults)
  })

  it('are all listed if all are invalid, each with its own message', () => {
    const numbers = [
      ...['PORT', 'APP_ID', 'METRICS_PORT', 'HEADSUP_RETENTION_MS', 'HEADSUP_SWEEP_INTERVAL_MS', 'HEADSUP_RATE_LIMIT'],
      ...['HEADSUP_RECONCILE_INTERVAL_MS', 'HEADSUP_PERMISSION_CACHE_MS', 'HEADSUP_STOP_DELAY_MS'],
      ...['HEADSUP_MAX_CONNECTIONS', 'HEADSUP_MAX_REQUESTS', 'HEADSUP_ACTIVITY_TTL_MS', 'HEADSUP_NOTABLE_TTL_MS'],
      ...['HEADSUP_MAX_ACTIVITY_TTL_MS', 'HEADSUP_PR_REMINDER_AFTER_MS', 'HEADSUP_MAX_LIVE_ACTIVITIES'],
      ...['HEADSUP_MAX_NOTABLES', 'HEADSUP_MAX_RECORDS', 'HEADSUP_MAX_OBSERVED', 'HEADSUP_PULL_REQUEST_TTL_MS'],
      ...['HEADSUP_MAX_FILES', 'HEADSUP_BRANCH_TTL_MS'],
    ]
    const bad = {
      ...Object.fromEntries(numbers.map((name) => [name, 'x'])),
      DATABASE_URL: 'mysql://a',
      GITHUB_API_URL: 'ftp://a',
      GITHUB_SERVER_URL: 'https://a?b',
      PRIVATE_KEY: 'x',
      WEBHOOK_PROXY_URL: 'x',
      HEADSUP_PUBLIC_URL: 'x',
      HEADSUP_ALLOWED_HOSTS: 'http://a',
      HEADSUP_TRUSTED_PROXIES: 'proxy.example',
      HEADSUP_METRICS_TOKEN: 'short',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'x',
      LOG_LEVEL: 'loud',
      LOG_FORMAT: 'xml',
      HEADSUP_OBSERVE_WITH_CALLERS: 'yes',
      HEADSUP_AUTHOR_LOGIN: 'true',
      HEADSUP_DISABLED_NOTABLE_CATEGORIES: 'none',
      HEADSUP_AREAS: '{',
      HEADSUP_ENABLED: 'yes',
      HEADSUP_OBSERVE: 'issues',
      HEADSUP_PULL_REQUEST_REPORT: 'never',
      HEADSUP_PULL_REQUEST_REPORT_NOTABLES: 'some',
      HEADSUP_IGNORED_PATHS: '../x',
      HEADSUP_IGNORED_BRANCHES: '[1',
      HEADSUP_IGNORED_AUTHORS: '@alice',
    }
    const alone = Object.entries(bad).map(([name, value]) =>
      faultsOf({ [name]: value }).find((line) => line.startsWith(`${name}:`)),
    )
    expect(alone).not.toContain(undefined)
    expect(faultsOf(bad).sort()).toEqual([...alone, missing.secret].sort())
  })

  it('take host names without schemes and ports', () => {
    const hostsOf = (value: string) => loadConfig({ HEADSUP_ALLOWED_HOSTS: value }).config.allowedHosts
    expect(hostsOf('Headsup, intern.example')).toEqual(['headsup', 'intern.example'])
    const line = 'HEADSUP_ALLOWED_HOSTS: must be host names separated by commas, without schemes and ports'
    for (const value of ['http://a', 'a:80', 'a,', '*.a', 'a b', '/']) {
      expect([value, faultsOf({ HEADSUP_ALLOWED_HOSTS: value })]).toEqual([value, [line]])
    }
  })

  it('take addresses and ranges of trusted proxies', () => {
    const { config } = loadConfig({ HEADSUP_TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.1,fd00::/8,::1' })
    expect(config.trustedProxies).toEqual(['10.0.0.0/8', '127.0.0.1', 'fd00::/8', '::1'])
    const line = 'HEADSUP_TRUSTED_PROXIES: must be IP addresses and ranges such as 10.0.0.0/8, separated by commas'
    for (const value of ['true', '*', '10.0.0.0/33', 'loopback', '10.0.0.1,', 'proxy']) {
      expect([value, faultsOf({ HEADSUP_TRUSTED_PROXIES: value })]).toEqual([value, [line]])
    }
  })

  it('name the invalid item of a list as the API does', () => {
    const environ = { HEADSUP_AREAS: '{"web":["a","../b"]}', HEADSUP_DISABLED_NOTABLE_CATEGORIES: 'release,none' }
    const lines = faultsOf(environ)
    expect(lines.map((line) => line.split(' ').slice(0, 2))).toEqual([
      ['HEADSUP_DISABLED_NOTABLE_CATEGORIES:', '[1]'],
      ['HEADSUP_AREAS:', 'web[1]'],
    ])
  })

  it('list all faults of a variable in one line, equal ones once, and count the rest', () => {
    const globs = { web: ['../b', '/a'], 'a\nb': ['x'], '': ['x'], none: 7, other: null }
    const [line] = faultsOf({ HEADSUP_AREAS: JSON.stringify(globs) })
    for (const part of ['web[0] "../b" at', 'none, other must be a list', 'a b the name', '"" the name']) {
      expect(line).toContain(part)
    }
    expect(line).not.toMatch(/\n|\.;/)
    const many = Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`a${n}`, n]))
    const named = Array.from({ length: 10 }, (_, n) => `a${n}`).join(', ')
    expect(faultsOf({ HEADSUP_AREAS: JSON.stringify(many) })).toEqual([
      `HEADSUP_AREAS: ${named} must be a list; and 80 more`,
    ])
  })

  it.each(['{', '[]', '5', 'null', 'web'])('explain what is wrong with the areas %s', (value) => {
    expect(faultsOf({ HEADSUP_AREAS: value })).toEqual([
      'HEADSUP_AREAS: must be a JSON object of areas with lists of globs, such as {"web": ["src/web/**"]}',
    ])
  })

  it('read a list that is separated by commas, or is JSON', () => {
    const settings = (environ: Record<string, string>) => loadConfig(environ).config.settings
    expect(
      settings({
        HEADSUP_ENABLED: 'false',
        HEADSUP_OBSERVE: 'pull_requests, branches',
        HEADSUP_IGNORED_PATHS: '["default","**/*.{pb,gen}.go","[id]/x"]',
        HEADSUP_IGNORED_BRANCHES: 'default,wip/**',
        HEADSUP_IGNORED_AUTHORS: 'renovate[bot] , alice',
      }),
    ).toEqual({
      enabled: false,
      observe: ['pull_requests', 'branches'],
      ignored_paths: ['default', '**/*.{pb,gen}.go', '[id]/x'],
      ignored_branches: ['default', 'wip/**'],
      ignored_authors: ['renovate[bot]', 'alice'],
    })
    expect(settings({ HEADSUP_OBSERVE: '[]', HEADSUP_IGNORED_AUTHORS: ' [] ', HEADSUP_ENABLED: 'true' })).toEqual({
      enabled: true,
      observe: [],
      ignored_authors: [],
    })
    expect(settings({ HEADSUP_ENABLED: '', HEADSUP_IGNORED_PATHS: '' })).toEqual({})
  })

  it.each(['[', '[a]', '[ab]/*.ts', '["a",]'])('explain what is wrong with the list %s', (value) => {
    expect(faultsOf({ HEADSUP_IGNORED_PATHS: value })).toEqual([
      'HEADSUP_IGNORED_PATHS: must be a list separated by commas, or a JSON list such as ["a","b"]',
    ])
  })

  it('name the faults of each item of a list', () => {
    expect(faultsOf({ HEADSUP_IGNORED_PATHS: '**/*.{pb,gen}.go' })).toEqual([
      expect.stringMatching(/^HEADSUP_IGNORED_PATHS: \[0\] "\*\*\/\*\.\{pb" at position 5/),
    ])
    expect(faultsOf({ HEADSUP_IGNORED_AUTHORS: '[1,"alice","@bob"]', HEADSUP_OBSERVE: 'branches,,' })).toEqual([
      expect.stringMatching(/^HEADSUP_OBSERVE: \[1\], \[2\] must be one of pull_requests, branches$/),
      expect.stringMatching(/^HEADSUP_IGNORED_AUTHORS: \[0\] must be a string; \[2\] must be the login/),
    ])
  })

  it('report a port that is used twice beside other faults', () => {
    expect(faultsOf({ PORT: '4120', METRICS_PORT: '4120', LOG_FORMAT: 'xml' })).toHaveLength(2)
    expect(faultsOf({ PORT: 'x', METRICS_PORT: '3000' })).toHaveLength(1)
  })

  it('refuse the same port twice, unless the system chooses both', () => {
    expect(faultsOf({ PORT: '4120', METRICS_PORT: '4120' })).toEqual(['METRICS_PORT: must be another port than PORT'])
    expect(faultsOf({ METRICS_PORT: '3000' })).toEqual(['METRICS_PORT: must be another port than PORT'])
    expect(faultsOf({ PORT: '0', METRICS_PORT: '0' })).toEqual([])
  })

  it('warn of an unknown name, but not of those of the command line', () => {
    const { warnings } = loadConfig({ HEADSUP_RATELIMIT: '9', HEADSUP_URL: 'http://a', HEADSUP_HOOK_LIMIT_MS: '900' })
    expect(warnings).toEqual(['HEADSUP_RATELIMIT is not a setting of Headsup and is ignored'])
  })
})

it('.env.example names every variable with its default', () => {
  const lines = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8').replaceAll(
    /^#(?=[A-Z_]+=)/gm,
    '',
  )
  const example = parse(lines)
  expect(Object.keys(example).sort()).toEqual(variables.toSorted())
  const { settings, ...config } = loadConfig(example).config
  expect({ ...config, settings: {} }).toEqual(loadConfig({}).config)
  expect(mergeSettings(settings, {}).settings).toEqual(builtInSettings)
})
