import { randomBytes } from 'node:crypto'
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import { z } from 'zod'
import { ExistingApp, RegisteredApp, type Variables } from './credentials.ts'
import { type Manifest, registrationUrl } from './manifest.ts'
import type { SetupOptions } from './options.ts'
import { donePage, failurePage, startPage, styleSource } from './pages.ts'
import { type Address, callbackPath, isEqual, refusalOf } from './request-guard.ts'
import type { Attempt } from './server.ts'
import { SetupFailure } from './setup-failure.ts'

export interface SetupDependencies {
  options: SetupOptions
  manifest: Manifest
  /** Trades GitHub's code for the App. Throws an error whose message is for the user. */
  convert(code: string): Promise<unknown>
  /** Writes the variables to `.env`. */
  save(variables: Variables): Promise<void>
  /** Tells the user in the terminal why an attempt failed. */
  report(message: string): void
}

const Callback = z.object({ code: z.string().regex(/^[\w-]{1,200}$/), state: z.string() })

/** The Express application of the set-up page. `exclusive` runs what writes `.env`, one at a time. */
export function createSetupApp(
  { options, manifest, convert, save, report }: SetupDependencies,
  own: Address,
  exclusive: (attempt: Attempt) => RequestHandler,
): Express {
  const base = `/${own.secret}`
  const state = randomBytes(24).toString('hex')
  const start = startPage({
    base,
    manifest,
    redirectUrl: `${own.origin}${base}${callbackPath}`,
    registrationUrl: registrationUrl(options.githubServerUrl, options.org, state),
  })

  const finishRegistration: Attempt = async ({ query }, response) => {
    const { data } = Callback.safeParse(query)
    if (!data || !isEqual(data.state, state))
      throw new SetupFailure(403, 'This answer of GitHub does not belong to this set-up. Nothing was written.')
    const answer = await convert(data.code).catch((error: unknown) => {
      throw new SetupFailure(502, `${messageOf(error)} Nothing was written.`)
    })
    const { data: app, error } = RegisteredApp.safeParse(answer)
    if (error) throw new SetupFailure(502, "GitHub's answer can not be used. Nothing was written.", faultsOf(error))
    await save(app.variables).catch((fault: unknown) => {
      throw new SetupFailure(500, `${notWritten(fault)} The App is registered: ${app.appUrl}. ${newKeyHint}`)
    })
    const outcome = { names: Object.keys(app.variables), installUrl: `${app.appUrl}/installations/new` }
    response.send(donePage(outcome.names, outcome.installUrl))
    return outcome
  }

  const importApp: Attempt = async ({ body }, response) => {
    const { data: variables, error } = ExistingApp.safeParse(body)
    if (error) throw new SetupFailure(422, 'These values can not be used. Nothing was written.', faultsOf(error))
    await save(variables).catch((fault: unknown) => {
      throw new SetupFailure(500, notWritten(fault))
    })
    const outcome = { names: Object.keys(variables), installUrl: undefined }
    response.send(donePage(outcome.names, undefined))
    return outcome
  }

  const answerFailure: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
    const failure = error instanceof SetupFailure ? error : new SetupFailure(400, 'The request could not be handled.')
    report([failure.message, ...failure.faults].join('\n  '))
    response.status(failure.status).send(failurePage(base, failure.message, failure.faults))
  }

  const app = express()
  app.disable('x-powered-by')
  app.use(guard(own, options.githubServerUrl))
  app.get(`${base}/`, (_request, response) => void response.send(start))
  app.get(`${base}${callbackPath}`, exclusive(finishRegistration))
  app.post(`${base}/import`, formOnly, express.urlencoded({ extended: false, limit: '64kb' }), exclusive(importApp))
  app.use(() => {
    throw new SetupFailure(404, 'There is no such page.')
  })
  app.use(answerFailure)
  return app
}

/** Refuses what does not come from the page itself. The pages have no script, and are kept in no cache. */
function guard(own: Address, githubServerUrl: string): RequestHandler {
  const policy = [
    `default-src 'none'; style-src ${styleSource}; base-uri 'none'; frame-ancestors 'none'`,
    // GitHub may lead on to the sign-in page of an organisation.
    `form-action 'self' https: ${new URL(githubServerUrl).origin}`,
  ].join('; ')
  return function guardRequest(request, response, next) {
    response.set({
      'Cache-Control': 'no-store',
      Connection: 'close',
      'Content-Security-Policy': policy,
      // GitHub is told the origin, and not the secret path.
      'Referrer-Policy': 'strict-origin',
      'X-Content-Type-Options': 'nosniff',
    })
    const refusal = refusalOf(request, own)
    if (refusal) response.status(refusal.status).type('text').send(refusal.message)
    else next()
  }
}

/** A page of another origin can send a form as well, but `Origin` then says so. Other types have no business here. */
const formOnly: RequestHandler = (request, _response, next) => {
  if (!request.is('application/x-www-form-urlencoded'))
    throw new SetupFailure(415, 'Only the form of the set-up page is taken.')
  next()
}

const newKeyHint =
  "Mend that, make a new private key and webhook secret in the App's settings on GitHub, and enter them on the set-up page."

function notWritten(fault: unknown): string {
  return `.env could not be written: ${messageOf(fault)}.`
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** A line for each field at fault, without its value. */
function faultsOf(error: z.ZodError): string[] {
  return error.issues.map(({ path, message }) => `${String(path[0] ?? 'The answer')}: ${message}`)
}
