import { describe, expect, it } from 'vitest'
import { activityLine, describeEnd } from '../../../../src/cli/output/print-records.ts'

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
