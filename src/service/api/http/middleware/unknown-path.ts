import type { RequestHandler } from 'express'
import { AppError } from '../../../../core/errors.ts'

/** Responds 404 to a path that is no route, such as `/`, and names the pages that describe the routes. */
export const unknownPath: RequestHandler = () => {
  throw new AppError(
    'not_found',
    'There is no such path. The paths are listed at /docs, /llms.txt and /api/v1/openapi.json.',
  )
}
