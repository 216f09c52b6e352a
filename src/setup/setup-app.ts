import { randomBytes } from 'node:crypto'
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express'
import { z } from 'zod'
import { ExistingApp, RegisteredApp, type Variables } from './credentials.ts'
import { type Manifest, registrationUrl } from './manifest.ts'
import type { SetupOptions } from './options.ts'
import { donePage, failurePage, startPage, styleSource } from './pages.ts'
import { type Address, callbackPath, isEqual, refusalOf } from './request-guard.ts'

/** What a finished set-up has written. */
export interface SetupOutcome {
  /** The variables in `.env`. */
  names: string[]
  /** Where to install the new App; undefined if the App existed before. */
  installUrl: string | undefined
}

/** Writes `.env` and sends the response. Throws `SetupFailure`. */
export type Attempt = (request: Request, response: Response) => Promise<SetupOutcome>

/** Why a request of the set-up page failed. The message and the faults are shown to the user. */
export class SetupFailure extends Error {
  override readonly name = 'SetupFailure'
  readonly status: number
  readonly faults: readonly string[]
  constructor(status: number, message: string, faults: readonly string[] = []) {
    super(message)
    this.status = status
    this.faults = faults
  }
}

export interface SetupDependencies {
  options: SetupOptions
  manifest: Manifest
  /** Exchanges GitHub's code for the App's credentials. Throws an error whose message is for the user. */
  convert(code: string): Promise<unknown>
  /** Writes the variables to `.env`. */
  save(variables: Variables): Promise<void>
  /** Shows the user in the terminal why an attempt failed. */
  report(message: string): void
}

const Callback = z.object({ code: z.string().regex(/^[\w-]{1,200}$/), state: z.string() })

/** Creates the Express application of the set-up page. `exclusive` lets one attempt run at a time. */
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
      throw new SetupFailure(403, 'This response of GitHub does not belong to this set-up. Nothing was written.')
    const converted = await convert(data.code).catch((error: unknown) => {
      throw new SetupFailure(502, `${messageOf(error)} Nothing was written.`)
    })
    const { data: app, error } = RegisteredApp.safeParse(converted)
    if (error) throw new SetupFailure(502, "GitHub's response can not be used. Nothing was written.", faultsOf(error))
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

  const sendFailure: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
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
  app.use(sendFailure)
  return app
}

/** Refuses requests that do not come from the page itself. The pages have no scripts and are not cached. */
function guard(own: Address, githubServerUrl: string): RequestHandler {
  const policy = [
    `default-src 'none'; style-src ${styleSource}; base-uri 'none'; frame-ancestors 'none'`,
    // GitHub may redirect to the sign-in page of an organisation.
    `form-action 'self' https: ${new URL(githubServerUrl).origin}`,
  ].join('; ')
  return function guardRequest(request, response, next) {
    response.set({
      'Cache-Control': 'no-store',
      Connection: 'close',
      'Content-Security-Policy': policy,
      // GitHub gets the origin without the secret path.
      'Referrer-Policy': 'strict-origin',
      'X-Content-Type-Options': 'nosniff',
    })
    const refusal = refusalOf(request, own)
    if (refusal) response.status(refusal.status).type('text').send(refusal.message)
    else next()
  }
}

/** Accepts only the body type that the page's form sends. */
const formOnly: RequestHandler = (request, _response, next) => {
  if (!request.is('application/x-www-form-urlencoded'))
    throw new SetupFailure(415, 'Only the form of the set-up page is accepted.')
  next()
}

const newKeyHint =
  "Correct that, make a new private key and webhook secret in the App's settings on GitHub, and enter them on the set-up page."

function notWritten(fault: unknown): string {
  return `.env could not be written: ${messageOf(fault)}.`
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** One line for each invalid field, without its value, which may be a secret. */
function faultsOf(error: z.ZodError): string[] {
  return error.issues.map(({ path, message }) => `${String(path[0] ?? 'The response')}: ${message}`)
}
