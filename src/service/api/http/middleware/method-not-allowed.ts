import type { RequestHandler } from 'express'
import { AppError } from '../../../../core/errors.ts'

/** Refuses all other methods of a known path: 405 with `Allow`, such as `GET, HEAD`. */
export function methodNotAllowed(allow: string): RequestHandler {
  return () => {
    throw new AppError('method_not_allowed', `This path takes ${allow}.`, { headers: { Allow: allow } })
  }
}
