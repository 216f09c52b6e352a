import { describe, expect, it } from 'vitest'
import { readOptions, unknownOptions } from '../../../src/setup/options.ts'

describe('the options of npm run setup', () => {
  it('are github.com and port 3000 by default', () => {
    expect(readOptions([], { APP_ID: '', UNKNOWN: '1' })).toEqual({
      port: 3000,
      githubApiUrl: 'https://api.github.com',
      githubServerUrl: 'https://github.com',
      org: undefined,
      webhookUrl: undefined,
      publicUrl: 'http://127.0.0.1:3000',
      givenUrl: undefined,
    })
  })

  it.each([
    [{ GITHUB_SERVER_URL: 'https://ghe.example/' }, 'https://ghe.example/api/v3'],
    [{ GITHUB_SERVER_URL: 'https://a.ghe.com', GITHUB_API_URL: 'https://api.a.ghe.com' }, 'https://api.a.ghe.com'],
    [{ GITHUB_API_URL: 'http://127.0.0.1:9/' }, 'http://127.0.0.1:9'],
  ])('name the API for %j', (environ, githubApiUrl) => {
    expect(readOptions([], environ)).toMatchObject({ githubApiUrl })
  })

  it('override the environment', () => {
    const environ = { PORT: '1', WEBHOOK_PROXY_URL: 'https://smee.io/x', '--org': 'other' }
    expect(readOptions([], environ)).toMatchObject({ port: 1, webhookUrl: 'https://smee.io/x', org: undefined })
    expect(readOptions(['--port', '2', '--url', 'https://h.example'], environ)).toMatchObject({
      port: 2,
      webhookUrl: 'https://h.example/api/github/webhooks',
      publicUrl: 'https://h.example',
    })
  })

  it.each([
    [[], { HEADSUP_PUBLIC_URL: 'https://h.example/', PORT: '4000' }, 'https://h.example'],
    [[], { PORT: '4000' }, 'http://127.0.0.1:4000'],
    [['--port', '5000'], {}, 'http://127.0.0.1:3000'],
    [['--url', 'https://a.example'], { HEADSUP_PUBLIC_URL: 'https://h.example' }, 'https://a.example'],
  ])('have the address that people sign in at, for %j and %j', (args, environ, publicUrl) => {
    expect(readOptions(args, environ)).toMatchObject({ publicUrl })
  })

  it.each([
    [[], {}, ['org', 'url']],
    [['--org', 'acme'], {}, ['url']],
    [['--url', 'https://h.example'], {}, ['org']],
    [[], { WEBHOOK_PROXY_URL: 'https://smee.io/x' }, ['org']],
    [['--org', 'acme', '--url', 'https://h.example'], {}, []],
  ])('are requested from the user where they are missing, for %j and %j', (args, environ, asked) => {
    expect(unknownOptions(readOptions(args, environ))).toEqual(asked)
  })
})
