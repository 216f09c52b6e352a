import { existsSync, readFileSync } from 'node:fs'
import { type RequestHandler, Router } from 'express'
import { repositoryOfPath } from '../../../../core/page-paths.ts'
import { type Html, html } from '../docs/html.ts'
import { errorStatus } from '../middleware/error-handler.ts'
import { methodNotAllowed } from '../middleware/method-not-allowed.ts'
import { unknownPath } from '../middleware/unknown-path.ts'

/** The built page: scripts/bundle-page.mjs writes it. */
const built = new URL('../../../../page/', import.meta.url)

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

/** The name at `/-/page/` of each file of the page, by its plain name, such as `page.css`. Empty where none are built. */
type Files = Readonly<Record<string, string>>

function readFiles(directory: URL): Files {
  try {
    const names: Files = JSON.parse(readFileSync(new URL('files.json', directory), 'utf8'))
    return names
  } catch {
    return {}
  }
}

/** The address of a file of the page. */
function fileAddress(files: Files, name: string): string {
  return `/-/page/${files[name] ?? name}`
}

function document(files: Files, title: string, body: Html): string {
  const [icon, dotted] = [fileAddress(files, 'icon.svg'), fileAddress(files, 'icon-dotted.svg')]
  return html`<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${icon}" data-plain="${icon}" data-dotted="${dotted}" type="image/svg+xml">
<link rel="stylesheet" href="${fileAddress(files, 'page.css')}">
${body}
</html>
`.markup
}

/** The same bytes for everyone: it holds no data and no name. Its script replaces what it says where a file is gone. */
function shell(files: Files): string {
  const script = fileAddress(files, 'page.js')
  const notLoaded = html`<main class="single not-loaded"><section class="box stack"><h1>This page has not loaded</h1>
<p>There may be a new version of it.</p><p><a class="button button-main" href="">Reload</a></p></section></main>`
  const noScript = html`This page needs JavaScript. The API is described at <a href="/docs">/docs</a>.`
  return document(
    files,
    'Headsup',
    html`<script type="module" src="${script}"></script></head>
<body><div id="app">${notLoaded}</div>
<noscript><p class="single">${noScript}</p></noscript></body>`,
  )
}

/** A page of one card, which needs no script: an error that a browser meets by its address. */
export function cardPage(title: string, contents: Html, directory = built): string {
  return document(
    readFiles(directory),
    title,
    html`</head>
<body><main class="single"><section class="box stack"><h1>${title}</h1>${contents}
<p class="flow"><a class="button button-main" href="/">Start page</a> <a href="/docs">API reference</a></p></section></main></body>`,
  )
}

const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' }

/** Whether the client asks for HTML by its name. Programs send a range of everything, which is not enough. */
export function asksForHtml(accept: string | undefined): boolean {
  return (accept ?? '').split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return type === 'text/html' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}

/**
 * The page for browsers (docs/rules.md#pages-for-browsers): the start page, the page of each repository and the end of a
 * sign-in, which are one shell, and the files of the page, which are named by their content. 404 for any other file.
 */
export function pageRouter(directory = built): Router {
  const router = Router({ caseSensitive: true, strict: true })
  const files = readFiles(directory)
  const markup = shell(files)
  const sendShell: RequestHandler = (request, response, next) => {
    response.vary('Accept')
    if (asksForHtml(request.headers.accept)) response.set(headers).type('html').send(markup)
    else next()
  }
  const route = router.route('/-/page/:name')
  route.get(fileHandler(directory, files))
  route.all(methodNotAllowed('GET, HEAD'))
  router.get(['/', '/-/enter'], sendShell)
  router.get(['/:owner/:repo', '/-/r/:owner/:repo'], (request, response, next) => {
    if (repositoryOfPath(request.path)) sendShell(request, response, next)
    else next()
  })
  return router
}

/** A file never changes, since its name has the hash of its content. Other pages name `icon.svg`, which is the current one. */
function fileHandler(directory: URL, files: Files): RequestHandler {
  const known = new Set(Object.values(files))
  return (request, response, next) => {
    const asked = String(request.params.name)
    const name = asked === 'icon.svg' ? (files[asked] ?? asked) : asked
    const isBuilt = known.has(name)
    // The icon is there as its source too, where nothing was built.
    if (!isBuilt && !(asked === 'icon.svg' && existsSync(new URL(name, directory)))) {
      response.setHeader('Cache-Control', 'no-store')
      unknownPath(request, response, next)
      return
    }
    const coding = isBuilt && request.acceptsEncodings(['br', 'gzip', 'identity'])
    const suffix = coding === 'br' ? '.br' : coding === 'gzip' ? '.gz' : ''
    if (suffix !== '') response.setHeader('Content-Encoding', coding || '')
    response.vary('Accept-Encoding')
    response.set(headers)
    if (name === asked) response.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
    response
      .type(types[name.slice(name.lastIndexOf('.') + 1)] ?? 'bin')
      .send(readFileSync(new URL(name + suffix, directory)))
  }
}

/** A page that says why a browser finds nothing at its address. Programs get the error of the API. */
export function notFoundPage(directory = built): RequestHandler {
  return (request, response, next) => {
    response.vary('Accept')
    if (!asksForHtml(request.headers.accept) || (request.method !== 'GET' && request.method !== 'HEAD')) return next()
    const causes = html`
<p>There is no page at this address. Mostly it is one of these:</p>
<ul class="marked"><li>The page of a repository is <code>/OWNER/REPO</code>, with nothing after it.</li>
<li>The page of an owner called api, docs, mcp, metrics, healthz or readyz is <code>/-/r/OWNER/REPO</code>.</li>
<li>Paths of the API begin with <code>/api/v1</code>, and some need a setting of this service.</li></ul>`
    response.status(errorStatus('not_found')).set(headers).setHeader('Cache-Control', 'no-store')
    response.type('html').send(cardPage('Not found', causes, directory))
  }
}
