import { describe, expect, it } from 'vitest'
import { readArgs } from '../../../../src/cli/args.ts'
import { fieldsFromFlags, type WorkCommand, workOptions } from '../../../../src/cli/commands/fields.ts'

const fields = (command: WorkCommand, status: string) =>
  fieldsFromFlags(readArgs(['--status', status], workOptions(command), command), command)

describe('--status', () => {
  it.each([
    ['start', 'planned'],
    ['start', 'ready-for-review'],
    ['update', 'blocked'],
    ['update', 'merged'],
    ['update', 'archived'],
  ] as const)('of %s takes %s', (command, status) => {
    expect(fields(command, status)).toEqual({ status })
  })

  it.each([
    ['start', 'merged'],
    ['start', 'archived'],
    ['start', 'bogus'],
    ['update', 'expired'],
    ['update', 'bogus'],
  ] as const)('of %s refuses %s, and lists the allowed values', (command, status) => {
    const { help } = workOptions(command).status
    const allowed = help.slice(help.indexOf(': ') + 2)
    expect(allowed).not.toContain('expired')
    expect(() => fields(command, status)).toThrow(`--status must be one of: ${allowed}`)
  })
})
