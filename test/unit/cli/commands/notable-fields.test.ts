import { describe, expect, it } from 'vitest'
import { readArgs } from '../../../../src/cli/args.ts'
import { notableFields, notableOptions } from '../../../../src/cli/commands/notable/notable-fields.ts'

const fields = (until: string) => notableFields(readArgs(['--until', until], notableOptions, 'notable raise'))

describe('--until', () => {
  it('with a date is the end of that day in the local time zone', () => {
    expect(fields('2028-02-29')).toEqual({ applies_until: new Date(2028, 1, 29, 23, 59, 59).toISOString() })
  })

  it.each(['2026-02-29', '2026-02-30', '2026-04-31', '2026-13-01', '2026-01-00'])('refuses %s', (until) => {
    expect(() => fields(until)).toThrow(`--until is not a date: ${until}`)
  })

  it('with none removes the end', () => {
    expect(fields('none')).toEqual({ applies_until: null })
  })

  it('with any other text is sent to the service unchanged', () => {
    expect(fields('2026-02-30T10:00:00Z')).toEqual({ applies_until: '2026-02-30T10:00:00Z' })
  })
})
