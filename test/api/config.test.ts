import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { StartError } from '../../src/core/errors.ts'
import { readConfig } from '../../src/service/config.ts'

const day = 86_400_000

/** The lines that a start with these variables prints. */
function faultsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof StartError) return error.message.split('\n')
    throw error
  }
  return []
}

describe('§15 variables', () => {
  it('have the defaults of a trial without a database', () => {
    const { config, unknown } = readConfig({})
    expect(config).toMatchObject({
      ...{ port: 3000, host: '127.0.0.1', metricsPort: null, databaseUrl: undefined, dataDir: '.headsup', app: null },
      ...{
        githubApiUrl: 'https://api.github.com',
        githubServerUrl: 'https://github.com',
        oauth: null,
        publicUrl: null,
      },
      ...{ trustedProxies: [], retentionMs: 30 * day, activityTtlMs: day, notableTtlMs: 7 * day, logLevel: 'info' },
      ...{ requestsAMinute: 0, requestsAtOnce: 500 },
    })
    expect(unknown).toEqual([])
  })

  it('let others reach it, and count requests, with a database', () => {
    const { config } = readConfig({ DATABASE_URL: 'postgresql://headsup@db/headsup' })
    expect([config.host, config.requestsAMinute]).toEqual(['0.0.0.0', 6_000])
    const own = { DATABASE_URL: 'postgres://db', HOST: '::1', HEADSUP_RATE_LIMIT: '0' }
    expect(readConfig(own).config).toMatchObject({ host: '::1', requestsAMinute: 0 })
  })

  it('are absent where they are empty', () => {
    const { config } = readConfig({ PORT: '', APP_ID: '', DATABASE_URL: '', HEADSUP_PUBLIC_URL: '' })
    expect(config).toMatchObject({ port: 3000, app: null, publicUrl: null })
  })

  it.each([
    ['PORT', '65536'],
    ['PORT', '3e3'],
    ['PORT', ' 80'],
    ['METRICS_PORT', 'x7731'],
    ['DATABASE_URL', 'mysql://secret@db'],
    ['GITHUB_API_URL', 'ftp://x7731'],
    ['GITHUB_SERVER_URL', 'x7731'],
    ['APP_ID', 'x7731'],
    ['WEBHOOK_PROXY_URL', 'x7731'],
    ['HEADSUP_PUBLIC_URL', 'https://x7731.example/path'],
    ['HEADSUP_TRUSTED_PROXIES', 'x7731'],
    ['HEADSUP_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['HEADSUP_TRUSTED_PROXIES', '10.0.0.1, 10.0.0.0/8/8'],
    ['HEADSUP_TRUSTED_PROXIES', '10.0.0.1,'],
    ['HEADSUP_RETENTION_MS', '0'],
    ['HEADSUP_ACTIVITY_TTL_MS', String(30 * day + 1)],
    ['HEADSUP_NOTABLE_TTL_MS', '-1'],
    ['HEADSUP_RATE_LIMIT', '1.5'],
    ['HEADSUP_MAX_REQUESTS', '0'],
    ['LOG_LEVEL', 'x7731'],
  ])('stop the start by one line that names %s, never its value %s', (name, value) => {
    const secrets = { PRIVATE_KEY: 'x7731', WEBHOOK_SECRET: 'x7731' }
    const lines = faultsOf({ ...(name === 'APP_ID' && secrets), [name]: value })
    const ofVariable = lines.filter((line) => line.startsWith(`${name} must be `))
    expect([ofVariable.length, lines.length]).toEqual([1, name === 'APP_ID' ? 2 : 1])
    expect(lines.join('\n')).not.toMatch(/x7731|secret@/)
  })

  it('are all named at once', () => {
    const lines = faultsOf({ PORT: 'a', LOG_LEVEL: 'b', APP_ID: '7' })
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['PORT', 'LOG_LEVEL', 'PRIVATE_KEY', 'WEBHOOK_SECRET'])
  })

  it('name addresses and ranges of proxies', () => {
    const { config } = readConfig({ HEADSUP_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,fd00::/8 , ::1' })
    expect(config.trustedProxies).toEqual(['127.0.0.1', '10.0.0.0/8', 'fd00::/8', '::1'])
  })

  it('are told of where nobody knows them, but those of the command line', () => {
    const environment = { HEADSUP_PORT: '1', HEADSUP_URL: 'x', HEADSUP_TOKEN: 'x', HEADSUP_DATA_DIR: 'd', OTHER: '1' }
    expect(readConfig(environment).unknown).toEqual(['HEADSUP_PORT'])
  })
})

describe('§10 the key of the App', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const app = { APP_ID: '7', WEBHOOK_SECRET: 'secret' }

  it('is taken as text, in base64, or with \\n for its line breaks', () => {
    for (const PRIVATE_KEY of [pem, Buffer.from(pem).toString('base64'), pem.replaceAll('\n', '\\n')])
      expect(readConfig({ ...app, PRIVATE_KEY }).config.app).toMatchObject({ id: 7, webhookSecret: 'secret' })
  })

  it('is taken from a file that a variable names, and from no other', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'headsup-key-'))
    const file = join(directory, 'app.pem')
    await writeFile(file, pem)
    expect(readConfig({ ...app, PRIVATE_KEY_PATH: file }).config.app?.privateKey).toBe(pem)
    expect(faultsOf({ ...app, PRIVATE_KEY_PATH: `${file}.x` })).toEqual([
      'PRIVATE_KEY_PATH must be the path of the private key',
    ])
    await rm(directory, { recursive: true })
  })

  it('and the secret must be there where the App is', () => {
    expect(faultsOf({ APP_ID: '7', PRIVATE_KEY: pem })).toEqual(['WEBHOOK_SECRET must be set where APP_ID is'])
    expect(faultsOf({ ...app, PRIVATE_KEY: 'no key' })).toEqual(['PRIVATE_KEY must be the private key of the App'])
    expect(readConfig({ WEBHOOK_SECRET: 'secret' }).config.app).toBeNull()
  })
})
