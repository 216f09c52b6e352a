import { describe, expect, it } from 'vitest'
import { activityLine, describeEnd, printActivity, printNotable } from '../../../../src/cli/output/print-records.ts'
import { printingTerminal } from '../../../support/printing-terminal.ts'

describe('the end of a notable', () => {
  const now = Date.parse('2026-06-01T00:00:00Z')
  const expires_at = '2026-06-08T00:00:00Z'
  const active = { status: 'active', expires_at, applies_until: null }

  it.each([
    ['of its record', active, 'ends in 7 days'],
    ['of its applies_until', { ...active, applies_until: '2026-06-03T00:00:00Z' }, 'ends in 2 days'],
    [
      'of its record, where applies_until is later',
      { ...active, applies_until: '2027-06-01T00:00:00Z' },
      'ends in 7 days',
    ],
    ['that has passed', { ...active, applies_until: '2026-05-31T23:00:00Z' }, 'ended 1 h ago'],
    ['that is left out, as it is not active', { ...active, status: 'archived' }, ''],
  ])('is the one %s', (_, notable, text) => {
    expect(describeEnd(notable, now)).toBe(text)
  })
})

describe('a line about an open pull request', () => {
  const pull = { source: 'pull_request', title: 'Evil', actor: 'bob', pr_url: 'https://github.com/acme/shop/pull/12' }

  it.each([
    ['the branch of the repository itself', 'feat/a', 'Pull request #12: “bob”, on “feat/a”, files not read yet'],
    [
      'the owner of a fork, not its branch',
      'mallory:evil',
      'Pull request #12: “bob”, from a fork of “mallory”, files not read yet',
    ],
  ])('shows %s', (_, branch, expected) => {
    expect(activityLine({ ...pull, branch }, 0)).toBe(expected)
  })
})

describe('a record', () => {
  const at = { created_at: '1969-12-31T00:00:00Z', expires_at: '1970-01-02T00:00:00Z' }
  const activity = { id: 'act_1', title: 'Split it', actor: 'Dmitri', status: 'active', source: 'recorded', ...at }
  const notable = {
    id: 'ntb_1',
    title: 'Freeze',
    summary: 'Freeze',
    category: 'release',
    importance: 'low',
    status: 'active',
    ...at,
  }

  function printed(print: typeof printActivity, record: object): string {
    const { terminal, out } = printingTerminal()
    print(terminal, { ...record })
    return out.join('\n')
  }

  it('shows whether it is blocking: an activity', () => {
    expect(printed(printActivity, { ...activity, blocking: true })).toContain('act_1, active, blocking, expires')
    expect(printed(printActivity, { ...activity, blocking: false })).not.toContain('blocking')
    const pull = { ...activity, source: 'pull_request', blocking: true }
    expect(printed(printActivity, pull)).toContain('active, blocking, ')
  })

  it('shows whether it is blocking, and who raised it: a notable', () => {
    expect(printed(printNotable, { ...notable, blocking: true, author_login: 'alice' })).toContain(
      'ntb_1, active, release, blocking, high severity, raised by “alice”, ends ',
    )
    expect(printed(printNotable, { ...notable, blocking: false, author_login: null })).toContain(
      'ntb_1, active, release, low severity, ends ',
    )
  })
})

describe('the places of an activity', () => {
  const work = { title: 'Login', actor: 'Alice', branch: 'login', source: 'recorded' }
  const scope_changed = ['.', 'src/auth', 'src/[id]', 'docs']

  it.each([
    ['the declared paths', { scope: { areas: [], paths: ['src/\\[id\\]'] }, scope_changed }, '“src/[id]”'],
    [
      'areas and changed directories',
      { scope: { areas: ['auth'], paths: [] }, scope_changed },
      changedIn('area “auth” '),
    ],
    ['without declared paths, the changed directories', { scope_changed }, changedIn('')],
  ])('are %s', (_, fields, expected) => {
    expect(activityLine({ ...work, ...fields }, 0)).toBe(`“Login”: “Alice”, on “login”, ${expected}`)
    const { terminal, out } = printingTerminal()
    printActivity(terminal, { ...work, ...fields })
    expect(out.at(-1)?.replaceAll(/ +/g, ' ')).toContain(expected.split(' and ')[0])
  })

  function changedIn(areas: string): string {
    return `${areas}changes in “.” “src/auth” “src/[id]” and 1 more`
  }
})

describe('one line about an activity', () => {
  it('shows whether it is blocking', () => {
    const activity = { title: 'Split it', actor: 'Dmitri', branch: 'db', source: 'recorded', blocking: true }
    expect(activityLine(activity, 0)).toBe('“Split it”: “Dmitri”, on “db”, blocking')
  })
})
