import { STATUS_CODES } from 'node:http'
import type { AppError } from '../../errors.ts'
import { errorStatus } from '../middleware/error-handler.ts'
import { commonHeaders } from '../middleware/request-headers.ts'

/** A refusal as bytes, for what became no request: the answer of every other refusal, and the last of its connection. */
export function rawResponse(
  error: AppError,
  requestId: string,
  refusalBody: (error: AppError, requestId: string) => object,
): string {
  const status = errorStatus(error.code)
  const body = JSON.stringify(refusalBody(error, requestId))
  const headers = {
    ...commonHeaders(requestId),
    ...error.headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Date: new Date().toUTCString(),
    Connection: 'close',
  }
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...fields, '', body].join('\r\n')
}
