import { describe, expect, it } from 'vitest'
import { endOf } from '../../../src/cli/print-records.ts'

describe('the end of a notable', () => {
  const now = Date.parse('2026-06-01T00:00:00Z')
  const expires_at = '2026-06-08T00:00:00Z'
  const active = { status: 'active', expires_at, applies_until: null }

  it.each([
    ['of its record', active, 'ends in 7 days'],
    ['of what it says', { ...active, applies_until: '2026-06-03T00:00:00Z' }, 'ends in 2 days'],
    [
      'of its record, before that of what it says',
      { ...active, applies_until: '2027-06-01T00:00:00Z' },
      'ends in 7 days',
    ],
    ['that has come', { ...active, applies_until: '2026-05-31T23:00:00Z' }, 'ended 1 h ago'],
    ['that its status tells', { ...active, status: 'archived' }, ''],
  ])('is the one %s', (_, notable, said) => {
    expect(endOf(notable, now)).toBe(said)
  })
})
