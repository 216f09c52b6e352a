import { describe, expect, it } from 'vitest'
import { exitCodeOf, fail, note, ok, serviceFindings } from '../../../src/cli/doctor-report.ts'

const now = Date.parse('2026-11-22T12:00:00Z')
const app = {
  state: 'installed',
  permissions: { metadata: 'read', contents: 'read', pull_requests: 'read' },
  last_webhook_at: '2026-11-22T11:56:00Z',
}
const observed = { pull_requests: 'current', as_of: '2026-11-22T10:00:00Z', unread: 0 }

function findings(service: { access?: string; app?: object; observed?: object }) {
  const all = {
    access: 'write',
    ...service,
    app: { ...app, ...service.app },
    observed: { ...observed, ...service.observed },
  }
  const found = serviceFindings({ service: all }, { url: 'https://headsup.example', now })
  return Object.fromEntries(found.map(({ name, state, text }) => [name, `${state}: ${text}`]))
}

describe('headsup doctor', () => {
  it('finds nothing wrong where the App is installed and all is read', () => {
    expect(findings({})).toEqual({
      rights: 'ok: this token may check here, and record work.',
      app: 'ok: the GitHub App is installed here, with metadata read, contents read, pull_requests read.',
      webhooks: 'ok: the service handled the last one 4 min ago.',
      'pull requests': 'ok: the open ones are read, last listed 2 h ago.',
    })
  })

  it.each([
    ['rights', { access: 'read' }, /^note: .*not record work/],
    ['app', { app: { permissions: { metadata: 'read', contents: 'read' } } }, /^note: .*lacks pull_requests/],
    ['app', { app: { state: 'not_installed', permissions: null } }, /^note: .*not installed here/],
    ['app', { app: { state: 'not_configured', permissions: null } }, /^note: .*has no GitHub App/],
    ['app', { app: { state: 'unknown', permissions: null } }, /^note: GitHub does not say/],
    ['webhooks', { app: { last_webhook_at: null } }, /^note: .*https:\/\/headsup\.example\/api\/github\/webhooks/],
    [
      'pull requests',
      { observed: { unread: 3 } },
      /^note: listed 2 h ago; the files of 3 open pull requests are not read/,
    ],
    [
      'pull requests',
      { observed: { unread: 1, unread_branches: 1 } },
      /; the files of 1 pushed branch are not read yet/,
    ],
    ['pull requests', { observed: { pull_requests: 'reading', as_of: null } }, /^note: .*for the first time/],
    ['pull requests', { observed: { pull_requests: 'stale' } }, /^note: .*last read 2 h ago/],
    [
      'pull requests',
      { observed: { pull_requests: 'unavailable', as_of: null } },
      /^note: this token may not read them/,
    ],
    ['pull requests', { observed: { pull_requests: 'off', as_of: null } }, /^note: they are not observed/],
  ])('says of %s with %j what that means', (name, service, text) => {
    expect(findings(service)[name]).toMatch(text)
  })

  it.each([
    ['active', {}, 'ok: each pull request gets a check run from its next push on.'],
    ['off', {}, 'note: pull requests get no check runs here: the service does not say why.'],
    [
      'off',
      { reason: 'shadow' },
      'note: pull requests get no check runs here: the service only logs what they would say (HEADSUP_REPORT_SHADOW).',
    ],
    [
      'off',
      { reason: 'setting' },
      'note: pull requests get no check runs here: the setting pull_request_report is off.',
    ],
    [
      'off',
      { reason: 'not_observed' },
      'note: pull requests get no check runs here: the settings leave open pull requests out (enabled, observe).',
    ],
    [
      'off',
      { reason: 'not_read' },
      'note: pull requests get no check runs here: the GitHub App does not read this repository, or has not begun to.',
    ],
    [
      'permission_missing',
      { approve_url: 'https://github.com/settings/installations/1' },
      'note: pull requests get none until the owner of the App’s installation approves it: https://github.com/settings/installations/1.',
    ],
  ])('says of check runs that are %s with %j what that means', (state, fields, text) => {
    const settings = { service: { access: 'write', app, observed }, report: { state, ...fields } }
    const found = serviceFindings(settings, { url: 'https://headsup.example', now })
    expect(found.filter(({ name }) => name === 'check runs').map((one) => `${one.state}: ${one.text}`)).toEqual([text])
  })

  it.each([
    [['pull_requests', 'branches'], 'installed', ['ok: pushed ones are observed, from their next push on.']],
    [
      ['pull_requests', 'branches'],
      'not_installed',
      ['note: pushed ones are observed only where the GitHub App is installed.'],
    ],
    [['branches'], 'installed', ['note: they are not observed: the setting observe lacks pull_requests.']],
    [['pull_requests'], 'installed', []],
  ])('says of pushed branches with observe %j and the App %s what that means', (observe, state, texts) => {
    const service = { access: 'write', app: { ...app, state }, observed }
    const found = serviceFindings({ settings: { observe }, service }, { url: 'https://headsup.example', now })
    expect(found.filter(({ name }) => name === 'branches').map((one) => `${one.state}: ${one.text}`)).toEqual(texts)
  })

  it('does not mention webhooks where there is no App', () => {
    expect(findings({ app: { state: 'not_configured', permissions: null, last_webhook_at: null } }).webhooks).toBe(
      undefined,
    )
  })

  it('accepts a service without these fields', () => {
    expect(serviceFindings({}, { url: 'https://headsup.example', now })).toMatchObject([{ name: 'app', state: 'note' }])
  })

  it('exits with the status of the first failure, and with 0 for notes', () => {
    const failed = fail('token', { message: 'No.', exitCode: 3 })
    expect(exitCodeOf([ok('a', ''), failed, fail('rights', { message: 'No.', exitCode: 4 })])).toBe(3)
    expect(exitCodeOf([ok('a', ''), note('b', '')])).toBe(0)
  })
})
