import express, { type Request, type Response } from 'express'
import { z } from 'zod'
import { AppError } from '../../../../core/errors.ts'

/** In bytes, after decompression (docs/rules.md#request-bodies). */
const usualLimit = 262_144
const largeLimit = 1_048_576

const readUsual = rawReader(usualLimit)
const readLarge = rawReader(largeLimit)
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

const BodyFault = z.object({ type: z.string().optional(), status: z.number().optional() })

function tooLarge(limit: number, cause?: unknown): AppError {
  return new AppError('payload_too_large', `The body is larger than ${limit / 1024} KiB.`, { cause })
}

function toBodyError(error: unknown, limit: number): unknown {
  const { type, status } = BodyFault.safeParse(error).data ?? {}
  if (type === 'entity.too.large') return tooLarge(limit, error)
  if (status === 415) {
    return new AppError('unsupported_media_type', 'This Content-Encoding is not supported.', { cause: error })
  }
  if (status === 400) return new AppError('invalid_json', 'The body could not be read.', { cause: error })
  return error
}

/**
 * Reads a body of at most `limit` bytes of any type; without a body, an empty buffer. Throws `payload_too_large`,
 * `unsupported_media_type` for an unknown content encoding, and `invalid_json` for a body that cannot be decoded.
 */
export function rawReader(limit: number): (request: Request, response: Response) => Promise<Buffer> {
  const read = express.raw({ type: () => true, limit })
  return async (request, response) => {
    if (Number(request.get('content-length')) > limit) throw tooLarge(limit)
    await new Promise<void>((resolve, reject) => {
      let size = 0
      request.on('data', (chunk: Buffer) => {
        size += chunk.length
        // Express would first read the rest of the body.
        if (size > limit) reject(tooLarge(limit))
      })
      read(request, response, (error: unknown) => (error === undefined ? resolve() : reject(toBodyError(error, limit))))
    })
    const body: unknown = request.body
    return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  }
}

function assertJson(contentType: string | undefined) {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset)
  if (type === 'application/json' && isUtf8) return
  throw new AppError('unsupported_media_type', 'The body must be JSON: Content-Type: application/json.')
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch (error) {
    throw new AppError('invalid_json', 'The body is not valid JSON in UTF-8.', { cause: error })
  }
}

/**
 * Parses the JSON of a request's body; undefined without one. `mayBeLarge` says whether it may have more than 256 KiB; without
 * it, none may. Throws, in this order: `payload_too_large`, `unsupported_media_type`, `invalid_json`
 * (docs/rules.md#order-of-checks).
 */
export async function readJson(
  request: Request,
  response: Response,
  mayBeLarge?: (json: unknown) => boolean,
): Promise<unknown> {
  const bytes = await (mayBeLarge ? readLarge : readUsual)(request, response)
  if (bytes.length === 0) return undefined
  if (bytes.length <= usualLimit) return parseBody(request, bytes)
  const json = largeJson(request, bytes)
  if (!mayBeLarge?.(json)) throw tooLarge(usualLimit)
  return json
}

function parseBody(request: Request, bytes: Buffer): unknown {
  assertJson(request.get('content-type'))
  return parseJson(bytes)
}

/** A large body that is not JSON is too large. */
function largeJson(request: Request, bytes: Buffer): unknown {
  try {
    return parseBody(request, bytes)
  } catch (error) {
    throw tooLarge(usualLimit, error)
  }
}
