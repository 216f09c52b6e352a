import { existsSync, readFileSync } from 'node:fs'
import { type ErrorRequestHandler, Router } from 'express'
import { notFound } from '../../core/errors.ts'
import { isRepositoryName } from '../../core/names.ts'
import type { Log } from '../log.ts'
import { asAppError, headersOf, logFailure } from './errors.ts'
import { docsPage } from './pages/docs-page.ts'
import type { ApiDocument } from './pages/document.ts'
import { llmsTxt } from './pages/llms-txt.ts'
import { builtFile, errorPage, type Scripts, securityHeaders, shell } from './pages/shell.ts'
import { only } from './router.ts'

/** These names are no owners. */
const reserved = new Set(['api', 'docs', 'mcp', 'healthz', 'readyz', '-'])
const commandLine = new URL('../../../dist/headsup.mjs', import.meta.url)

/** What everybody may read without a token: the page, its files, the pages about the API, and the command line as one file. */
export function publicPages(openApi: ApiDocument): Router {
  const router = Router({ caseSensitive: true, strict: true })
  const text = (path: string, type: string, make: () => string, has: Scripts = 'no script') => {
    // Made at the first request: that of the API takes 60 ms, which no start needs to wait for.
    let made: string | undefined
    router.get(path, (_request, response) => {
      response.set(securityHeaders(has)).set('Cache-Control', 'no-cache').removeHeader('Vary')
      made ??= make()
      response.type(type).send(made)
    })
  }
  text('/', 'html', shell, 'script')
  text('/docs', 'html', () => docsPage(openApi))
  text('/llms.txt', 'text/plain', () => llmsTxt(openApi))
  router.get('/-/page/:name', builtFile())
  router.get('/-/headsup.mjs', (_request, response) => {
    if (!existsSync(commandLine)) throw notFound()
    response.type('text/javascript').send(readFileSync(commandLine))
  })
  router.all(['/', '/docs', '/llms.txt', '/-/page/:name', '/-/headsup.mjs'], only(['GET', 'HEAD']))
  const repository = '/:owner/:repo'
  router.all(repository, ({ params: { owner, repo } }, _response, next) => {
    next(reserved.has(owner.toLowerCase()) || !isRepositoryName(owner, repo) ? 'router' : undefined)
  })
  text(repository, 'html', shell, 'script')
  router.all(repository, only(['GET', 'HEAD']))
  return router
}

/** Outside of the API a browser gets a page where programs get JSON. */
export function htmlErrors(log: Log): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const isOfPage = !/^\/(api|mcp)(\/|$)/.test(request.path)
    if (response.headersSent || !isOfPage || request.accepts(['json', 'html']) !== 'html') return next(error)
    const answer = asAppError(error)
    logFailure(log, answer, { request_id: response.locals.requestId })
    const title = answer.code === 'not_found' ? 'There is no such page' : 'That did not work'
    const message =
      answer.code === 'not_found' ? 'The page of a repository is /OWNER/REPO, with nothing after it.' : answer.message
    response.set(headersOf(answer)).set(securityHeaders('no script'))
    response.status(answer.status).type('html').send(errorPage(title, message))
  }
}
