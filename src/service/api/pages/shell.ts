import { readFileSync } from 'node:fs'
import type { RequestHandler } from 'express'
import { type Html, html } from './html.ts'

/** Where scripts/bundle-page.mjs writes the page: the same from `src` and from `dist`. */
const built = new URL('../../../../dist/page/', import.meta.url)

/** The name of each built file, which has a hash of its content, by its plain name; empty where nothing is built. */
function readFiles(): Readonly<Record<string, string>> {
  try {
    return JSON.parse(readFileSync(new URL('files.json', built), 'utf8'))
  } catch {
    return {}
  }
}

/** Nothing is loaded from elsewhere, nothing inline runs, and only the page itself has a script. */
function contentPolicy(has: Scripts): string {
  const own = ["default-src 'none'", "style-src 'self'", "img-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"]
  if (has === 'no script') return [...own, "form-action 'none'"].join('; ')
  const types = ["require-trusted-types-for 'script'", "trusted-types 'none'"]
  return [...own, "script-src 'self'", "connect-src 'self'", "form-action 'self'", ...types].join('; ')
}

export type Scripts = 'script' | 'no script'

export function securityHeaders(has: Scripts) {
  return {
    'Content-Security-Policy': contentPolicy(has),
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
  }
}

/** The address of a file by its plain name. */
export function fileAddress(name: string): string {
  return `/-/page/${readFiles()[name] ?? name}`
}

const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' }

/** A file never changes, since its name has a hash of its content. */
export function builtFile(): RequestHandler {
  const known = new Set(Object.values(readFiles()))
  return (request, response, next) => {
    const name = String(request.params.name)
    if (!known.has(name)) return next('router')
    const coding = request.acceptsEncodings(['br', 'gzip', 'identity'])
    const suffix = coding === 'br' ? '.br' : coding === 'gzip' ? '.gz' : ''
    if (suffix !== '') response.set('Content-Encoding', String(coding))
    response.set(securityHeaders('no script')).set('Vary', 'Accept-Encoding')
    response.set('Cache-Control', 'public, max-age=31536000, immutable')
    response
      .type(types[name.slice(name.lastIndexOf('.') + 1)] ?? 'bin')
      .send(readFileSync(new URL(name + suffix, built)))
  }
}

export function pageDocument(title: string, body: Html, has: Scripts = 'no script'): string {
  const code = has === 'script' ? html`<script type="module" src="${fileAddress('page.js')}"></script>` : ''
  return html`<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${fileAddress('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${fileAddress('page.css')}">
${code}</head>
<body>${body}</body>
</html>
`.markup
}

/** The same bytes for everybody: no data and no name stand in it. */
export function shell(): string {
  const noScript = html`This page needs JavaScript. The API is described at <a href="/docs">/docs</a>.`
  const body = html`<div id="app"></div><noscript><main class="narrow"><p>${noScript}</p></main></noscript>`
  return pageDocument('Headsup', body, 'script')
}

/** What a browser meets where there is no page, or where signing in failed. */
export function errorPage(title: string, message: string): string {
  const body = html`<main class="narrow"><section class="panel pad stack"><h1>${title}</h1><p>${message}</p>
<p class="row"><a class="button main" href="/">Start page</a> <a href="/docs">API</a></p></section></main>`
  return pageDocument(title, body)
}
