import { AppError } from '../../errors.ts'

/** What Node's parser calls a request that is longer to read than we wait. */
const timeout = 'ERR_HTTP_REQUEST_TIMEOUT'

/**
 * The refusal of what Node's parser could not read, by the code of its error; undefined for an error of the connection
 * itself, which nobody is left to be told of.
 */
export function parserError(code: string): AppError | undefined {
  if (code === timeout) return new AppError('request_timeout', 'The request took too long to arrive.')
  if (code === 'HPE_HEADER_OVERFLOW') return new AppError('headers_too_large', 'The headers are larger than 16 KiB.')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') {
    return new AppError('payload_too_large', 'The extensions of a chunk are too large.')
  }
  if (code === 'HPE_INVALID_METHOD') {
    return new AppError('malformed_request', 'The method is unknown, or this is no request of HTTP/1.1.')
  }
  if (lengthFaults.has(code)) {
    return new AppError('malformed_request', 'The request does not say in one valid way where its body ends.')
  }
  return code.startsWith('HPE_') ? new AppError('malformed_request', 'This is no request of HTTP/1.1.') : undefined
}

const lengthFaults = new Set([
  'HPE_INVALID_CONTENT_LENGTH',
  'HPE_UNEXPECTED_CONTENT_LENGTH',
  'HPE_INVALID_TRANSFER_ENCODING',
  'HPE_INVALID_CHUNK_SIZE',
])
