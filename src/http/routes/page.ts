import { readFileSync } from 'node:fs'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import { methodNotAllowed } from '../middleware/method-not-allowed.ts'
import { unknownPath } from '../middleware/unknown-path.ts'
import { repositoryOfPath } from '../page-paths.ts'

/** The built page: scripts/bundle-page.mjs writes it. */
const built = new URL('../../page/', import.meta.url)

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const headers = {
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

/** The same bytes for everyone: it holds no data and no name. */
const shell = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Headsup</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/-/page/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/-/page/page.css">
<script type="module" src="/-/page/page.js"></script></head>
<body><div id="app"></div>
<noscript>This page needs JavaScript. The API is described at <a href="/docs">/docs</a>.</noscript></body>
</html>
`

const types = { 'page.js': 'text/javascript', 'page.css': 'text/css', 'icon.svg': 'image/svg+xml' } as const

/** Whether the client asks for HTML by its name. Programs send a range of everything, which is not enough. */
export function asksForHtml(accept: string | undefined): boolean {
  return (accept ?? '').split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return type === 'text/html' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}

function sendShell(request: Request, response: Response, next: () => void): void {
  response.vary('Accept')
  if (asksForHtml(request.headers.accept)) response.set(headers).type('html').send(shell)
  else next()
}

/**
 * The page for browsers (docs/rules.md#pages-for-browsers): the start page, the page of each repository and the end of a
 * sign-in, which are one shell, and the files of the page. 404 for files that were not built.
 */
export function pageRouter(directory = built): Router {
  const router = Router({ caseSensitive: true, strict: true })
  for (const [name, type] of Object.entries(types)) {
    const route = router.route(`/-/page/${name}`)
    route.get(fileHandler(new URL(name, directory), type))
    route.all(methodNotAllowed('GET, HEAD'))
  }
  router.get(['/', '/-/enter'], sendShell)
  router.get(['/:owner/:repo', '/-/r/:owner/:repo'], (request, response, next) => {
    if (repositoryOfPath(request.path)) sendShell(request, response, next)
    else next()
  })
  return router
}

function fileHandler(file: URL, type: string): RequestHandler {
  let content: Buffer | undefined
  return (request, response, next) => {
    try {
      content ??= readFileSync(file)
    } catch {
      unknownPath(request, response, next)
      return
    }
    response.set(headers).type(type).send(content)
  }
}
