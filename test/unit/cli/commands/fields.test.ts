import { describe, expect, it } from 'vitest'
import { readArgs } from '../../../../src/cli/args.ts'
import { fieldsOf, type Moment, workOptions } from '../../../../src/cli/commands/fields.ts'

const fields = (moment: Moment, status: string) =>
  fieldsOf(readArgs(['--status', status], workOptions(moment), moment), moment)

describe('--status', () => {
  it.each([
    ['start', 'planned'],
    ['start', 'ready-for-review'],
    ['update', 'blocked'],
    ['update', 'merged'],
    ['update', 'archived'],
  ] as const)('of %s may be %s', (moment, status) => {
    expect(fields(moment, status)).toEqual({ status })
  })

  it.each([
    ['start', 'merged'],
    ['start', 'archived'],
    ['start', 'bogus'],
    ['update', 'expired'],
    ['update', 'bogus'],
  ] as const)('of %s is refused as %s, with those that are taken', (moment, status) => {
    const { help } = workOptions(moment).status
    const taken = help.slice(help.indexOf(': ') + 2)
    expect(taken).not.toContain('expired')
    expect(() => fields(moment, status)).toThrow(`--status is one of: ${taken}`)
  })
})
