import express, { type RequestHandler } from 'express'
import { AppError } from '../../core/errors.ts'

/** Reads the bytes of a body, whatever its `Content-Type`; `limit` as `1mb`. */
export function readBody(limit: string): RequestHandler {
  return express.raw({ type: () => true, limit })
}

/** None at all are no bytes. */
export function bytesOf({ body }: { body?: unknown }): Buffer {
  return body instanceof Buffer ? body : Buffer.alloc(0)
}

/** A body is JSON in UTF-8, and none is `{}`. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return {}
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new AppError('invalid_json', 'The body is not JSON.')
  }
}
