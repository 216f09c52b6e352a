import { describe, expect, it } from 'vitest'
import { type AppFacts, reportApp } from '../../../src/setup/app-report.ts'

const permissions = { metadata: 'read', contents: 'read' }
const needs = { permissions, events: ['push'] }
const delivery = { delivered_at: '2026-11-22T12:00:00Z', status: 'OK', status_code: 200, event: 'ping' }
const facts: AppFacts = {
  app: { name: 'Headsup', html_url: 'https://github.com/apps/headsup', owner: 'acme', permissions, events: ['push'] },
  deliveries: [delivery],
  installations: [{ account: 'acme', permissions }],
}

function report(changes: Omit<Partial<AppFacts>, 'app'> & { app?: Partial<AppFacts['app']> }) {
  return reportApp({ ...facts, ...changes, app: { ...facts.app, ...changes.app } }, needs)
}

describe('the report on an App', () => {
  it('leaves nothing to do where it is installed, has what it needs, and a webhook has arrived', () => {
    const { lines, isComplete } = report({})
    expect(lines.every((line) => line.startsWith('ok '))).toBe(true)
    expect(isComplete).toBe(true)
  })

  it.each([
    [
      'a permission that it does not ask for',
      { app: { permissions: { metadata: 'read' } } },
      /contents: read/,
      /settings/,
    ],
    ['an event that it does not ask for', { app: { events: [] } }, /does not ask for push/, /Permissions & events/],
    ['no installation', { installations: [] }, /installed nowhere/, /\/installations\/new$/],
    [
      'a permission that an organisation has not granted',
      { installations: [{ account: 'acme', permissions: { metadata: 'read' } }] },
      /acme has not granted contents: read/,
      /An owner of acme/,
    ],
    ['no webhook', { deliveries: [] }, /not sent a webhook yet/, /push a branch/],
    [
      'a webhook that did not arrive',
      { deliveries: [{ ...delivery, status: 'timed out', status_code: 504 }] },
      /\(ping\) ended with “timed out” \(504\)/,
      /reached from GitHub/,
    ],
  ])('says of %s what is to do', (_, changes, line, next) => {
    const found = report(changes)
    expect(found.lines.filter((one) => one.startsWith('to do '))).toEqual([expect.stringMatching(line)])
    expect(found).toMatchObject({ isComplete: false, next: expect.stringMatching(next) })
  })

  it('takes the right to write as one to read, and an older webhook that arrived', () => {
    const wide = { metadata: 'read', contents: 'write' }
    const lost = { ...delivery, status_code: 502 }
    expect(report({ app: { permissions: wide }, deliveries: [lost, delivery] }).isComplete).toBe(true)
  })
})
