import { createNodeMiddleware } from '@octokit/webhooks'
import express, { type RequestHandler } from 'express'
import type { Probot } from 'probot'
import { AppError } from '../../../core/errors.ts'
import { webhookDeliveries } from '../../metrics.ts'
import { silent } from '../octokit.ts'
import { webhookPath } from './webhook-path.ts'

const megabyte = 1024 * 1024
/** Of bodies before their signature is checked: in bytes, and in milliseconds. GitHub sends none that is larger. */
const most = { body: 25 * megabyte, together: 100 * megabyte, ms: 10_000 }
/** Longer than GitHub waits: Octokit would answer 202 before, which hides a failure. */
const timeout = 20_000

/** Takes the deliveries of GitHub: Octokit's middleware checks the signature, and answers 500 where handling failed. */
export function webhookHandlers(probot: Probot): RequestHandler[] {
  const middleware = createNodeMiddleware(probot.webhooks, { path: webhookPath, timeout, log: silent })
  const answered: RequestHandler = async (request, response) => {
    await middleware(request, response)
  }
  return [counted, boundedText(most), answered]
}

/** The name of an event is anybody's word until the signature is checked. */
const counted: RequestHandler = (request, response, next) => {
  response.locals.route = 'webhook'
  response.once('close', () => {
    const outcome = { 200: 'handled', 500: 'failed' }[response.statusCode] ?? 'refused'
    const event = outcome === 'refused' ? 'unknown' : String(request.get('x-github-event'))
    webhookDeliveries.inc({ event, outcome })
  })
  next()
}

/** Whoever sends these bodies is not known yet. What is turned away, GitHub lists as failed, and it is asked for again. */
export function boundedText(most: { body: number; together: number; ms: number }): RequestHandler {
  // A compressed one would be larger than it says. GitHub compresses none.
  const readText = express.text({ type: 'application/json', limit: most.body, inflate: false })
  let together = 0
  return (request, response, next) => {
    const bytes = Math.min(Number(request.get('content-length') ?? most.body), most.body)
    if (together + bytes > most.together) throw new AppError('unavailable', 'Too many deliveries at once.')
    together += bytes
    response.once('close', () => {
      together -= bytes
    })
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      response.set('Connection', 'close')
      next(new AppError('unavailable', 'The body took too long.'))
    }, most.ms)
    readText(request, response, (error: unknown) => {
      clearTimeout(timer)
      if (!isLate) next(error)
    })
  }
}
