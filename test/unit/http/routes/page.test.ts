import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import express from 'express'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorHandler } from '../../../../src/service/api/http/middleware/error-handler.ts'
import { requestHeaders } from '../../../../src/service/api/http/middleware/request-headers.ts'
import { unknownPath } from '../../../../src/service/api/http/middleware/unknown-path.ts'
import { asksForHtml, notFoundPage, pageRouter } from '../../../../src/service/api/http/routes/browser-page.ts'
import { silentLog } from '../../../support/log.ts'

const directory = mkdtempSync(join(tmpdir(), 'headsup-page-'))
const script = 'page-0123456789abcdef.js'
writeFileSync(join(directory, 'files.json'), JSON.stringify({ 'page.js': script, 'icon.svg': 'icon-1.svg' }))
writeFileSync(join(directory, script), 'export {}')
writeFileSync(join(directory, `${script}.br`), brotliCompressSync('export {}'))
writeFileSync(join(directory, `${script}.gz`), gzipSync('export {}'))
const app = express()
app.use(requestHeaders)
app.use(pageRouter(pathToFileURL(`${directory}/`)))
app.use(notFoundPage(pathToFileURL(`${directory}/`)))
app.use(unknownPath)
app.use(errorHandler(silentLog))
const server = createServer(app)
let url = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  rmSync(directory, { recursive: true })
})

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const get = (path: string, headers: Record<string, string> = html, method = 'GET') =>
  fetch(url + path, { headers, method })

describe('the page for browsers', () => {
  it('is the same bytes on every path, whether the repository exists or not', async () => {
    const paths = ['/', '/acme/shop', '/nobody/nothing?q=1', '/-/r/api/shop', '/-/enter']
    const texts = await Promise.all(paths.map(async (path) => (await get(path)).text()))
    expect(new Set(texts).size).toBe(1)
    expect(texts[0]).toMatch(/^<!DOCTYPE html>/)
    expect(texts[0]).not.toMatch(/acme|<style|style=|onload|<script>/)
  })

  it.each(['/api/shop', '/metrics/x', '/acme', '/acme/shop/', '/acme/shop/pulls', '/acme/..%2f', '/-/other'])(
    'is not at %s',
    async (path) => {
      const response = await get(path)
      expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
      expect(await response.text()).toContain('/OWNER/REPO')
      const asProgram = await get(path, { accept: '*/*' })
      expect(asProgram.headers.get('content-type')).toBe('application/json; charset=utf-8')
    },
  )

  it.each([[{ accept: '*/*' }], [{ accept: 'application/json' }], [{ accept: 'text/html;q=0' }]])(
    'is JSON as before for %j',
    async (headers) => {
      for (const path of ['/', '/acme/shop']) {
        const response = await get(path, headers)
        expect(response.status).toBe(404)
        expect(response.headers.get('vary')).toContain('Accept')
        expect(await response.json()).toMatchObject({ error: { code: 'not_found' } })
      }
    },
  )

  it('accepts only GET and HEAD', async () => {
    expect((await get('/acme/shop', html, 'HEAD')).status).toBe(200)
    expect((await get('/acme/shop', html, 'POST')).status).toBe(404)
  })

  it('lets nothing run or load but its own files', async () => {
    const { headers } = await get('/acme/shop')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    )
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('vary')).toContain('Accept')
  })
})

describe('the files of the page', () => {
  it('are kept for ever, since their names are their contents', async () => {
    const shell = await (await get('/')).text()
    expect(shell).toContain(`/-/page/${script}`)
    const { headers } = await get(`/-/page/${script}`)
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect((await get('/')).headers.get('cache-control')).toContain('no-cache')
  })

  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ])('are sent as %s asks', async (accepted, coding) => {
    const response = await get(`/-/page/${script}`, { 'accept-encoding': accepted })
    expect(response.headers.get('content-encoding')).toBe(coding)
    expect(response.headers.get('vary')).toContain('Accept-Encoding')
    expect(await response.text()).toBe('export {}')
  })

  it('are 404 and not kept where they are unknown, and 405 for other methods', async () => {
    for (const name of ['page.css', 'files.json', `${script}.br`, '..%2fpackage.json']) {
      const response = await get(`/-/page/${name}`, { accept: '*/*' })
      expect([response.status, response.headers.get('cache-control')], name).toEqual([404, 'no-store'])
    }
    expect((await get(`/-/page/${script}`, {}, 'POST')).status).toBe(405)
  })
})

it.each([
  ['text/html', true],
  ['application/json, TEXT/HTML ; q=0.5', true],
  ['text/html;q=0.0', false],
  ['text/*', false],
  ['application/xhtml+xml', false],
  [undefined, false],
])('Accept: %s asks for HTML: %s', (accept, expected) => {
  expect(asksForHtml(accept)).toBe(expected)
})
