import type { ErrorRequestHandler, Request, Response } from 'express'
import type { Log } from '../../../lib/log.ts'
import { html } from '../docs/html.ts'
import { errorStatus, logFault, toAppError } from '../middleware/error-handler.ts'
import { cardPage } from './browser-page.ts'

const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Shows browsers what went wrong. Programs get the error of the API. */
export function errorPage(log: Log): ErrorRequestHandler {
  return (thrown: unknown, request: Request, response: Response, next) => {
    const error = toAppError(thrown)
    if (response.headersSent || request.accepts(['json', 'html']) !== 'html') return next(error)
    logFault(log, error, response.locals.requestId)
    for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value)
    if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(error.retryAfterSeconds))
    response.setHeader('Content-Security-Policy', policy)
    response
      .status(errorStatus(error.code))
      .type('html')
      .send(cardPage('Signing in did not work', html`<p>${error.message}</p><p>Error: <code>${error.code}</code></p>`))
  }
}
