import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../src/core/errors.ts'
import { logFault } from '../../../../src/service/api/http/middleware/error-handler.ts'

function logged(error: AppError) {
  const lines: { level: string; fields: object; message: string }[] = []
  const at = (level: string) => (fields: object, message: string) => void lines.push({ level, fields, message })
  logFault({ debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }, error, 'request-1')
  return lines
}

const cause = new Error('connect ECONNREFUSED', { cause: new Error('inner') })

describe('the log of an error', () => {
  it('has the stack of an unexpected error', () => {
    const [line] = logged(new AppError('internal_error', 'It failed.', { cause }))
    expect(line).toMatchObject({
      level: 'error',
      fields: { error: { message: 'connect ECONNREFUSED', stack: expect.stringContaining('error-handler.test') } },
    })
  })

  it('has no stack if the database is unavailable', () => {
    const [line] = logged(new AppError('unavailable', 'Try again.', { cause, retryAfterSeconds: 1 }))
    expect(line).toMatchObject({ level: 'warn', fields: { request_id: 'request-1', code: 'unavailable' } })
    expect(line?.fields).toMatchObject({ error: { message: 'connect ECONNREFUSED', cause: { message: 'inner' } } })
    expect(JSON.stringify(line)).not.toContain('    at ')
  })

  it('does not have errors of the caller', () => {
    expect(logged(new AppError('not_found', 'No such record.'))).toEqual([])
  })
})
