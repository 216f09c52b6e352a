import type { RequestHandler } from 'express'
import { AppError } from '../../errors.ts'

/** 404 for a path that is no route, `/` among them: it tells nothing of what may be seen, and so may tell where to read on. */
export const unknownPath: RequestHandler = () => {
  throw new AppError(
    'not_found',
    'There is no such path. The known ones stand at /docs, /llms.txt and /api/v1/openapi.json.',
  )
}
