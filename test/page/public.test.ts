import { afterAll, beforeAll, expect, it } from 'vitest'
import { errorCodes } from '../../src/core/errors.ts'
import { describeInBrowser, expectAccessible, expectWhole, useBrowser } from '../support/browser/browser.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(service.url + path, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

it('§12 the page is the same bytes for everybody, with its policy', async () => {
  const pages = await Promise.all(['/', '/acme/shop', '/some-body/else.js'].map((path) => get(path, { cookie: 'a=b' })))
  for (const { status, text, headers } of pages) {
    expect(status).toBe(200)
    expect(text).toBe(pages[0]?.text)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; script-src 'self'; " +
        "connect-src 'self'; form-action 'self'; require-trusted-types-for 'script'; trusted-types 'none'",
    )
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(text).not.toMatch(/<script>|<style|style=|onload/)
  }
})

it.each([
  '/api/v2',
  '/API/v2',
  '/docs/x',
  '/mcp/x',
  '/healthz/x',
  '/readyz/x',
  '/-/x',
  '/a/b/',
  '/a/b/c',
  '/a/..%2f',
  '/a b/c',
])('§12 %s is no repository', async (path) => expect((await get(path)).status).toBe(404))

it('§12 a browser gets a page where there is none, a program the error of the API', async () => {
  const page = await get('/a/b/c', { accept: 'text/html,*/*;q=0.8' })
  expect(page.headers.get('content-type')).toMatch('text/html')
  expect(page.headers.get('content-security-policy')).toMatch("default-src 'none'")
  expect(JSON.parse((await get('/a/b/c')).text).error.code).toBe('not_found')
  expect(JSON.parse((await get('/api/v1/x', { accept: 'text/html' })).text).error.code).toBe('not_found')
})

it('§15 a page that says to come later says when, as the API does', async () => {
  const html = { accept: 'text/html' }
  for (let attempt = 0; attempt < 30; attempt++) await get('/-/sign-in', html)
  const { status, headers } = await get('/-/sign-in', html)
  expect([status, headers.get('content-type')]).toEqual([429, expect.stringMatching('text/html')])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})

it('§12 script and style are under 30 kB compressed, never change under their name, and no other file is served', async () => {
  const files = [...(await get('/')).text.matchAll(/\/-\/page\/[\w.-]+\.(?:js|css)/g)].map(([path]) => path)
  expect(files).toHaveLength(2)
  let total = 0
  for (const path of files) {
    const response = await fetch(service.url + path, { headers: { 'accept-encoding': 'gzip' } })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    total += Number(response.headers.get('content-length'))
  }
  expect(total).toBeLessThan(30_000)
  expect((await get('/-/page/files.json')).status).toBe(404)
  expect((await get('/-/page/..%2f..%2fpackage.json')).status).toBe(404)
})

it('§12 /docs has an anchor for each operation and each error, the limits of fields, and no script', async () => {
  const { text, headers } = await get('/docs')
  const { paths } = JSON.parse((await get('/api/v1/openapi.json')).text)
  const ids = Object.values<Record<string, { operationId: string }>>(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  expect(ids.length).toBeGreaterThan(10)
  const anchors = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  const wanted = [...ids, ...Object.keys(errorCodes).map((code) => `error-${code}`)]
  const linked = [...text.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target)
  expect([...wanted, ...linked].filter((id) => !anchors.has(id))).toEqual([])
  expect(text).toMatch(/id="listActivities\.limit">.*\n.*\n<dd>How many; 50 by default\. At most 500\./)
  expect(text).toMatch(
    /id="createActivity\.scope\.areas">.*\n.*\n<dd>Area labels; case does not matter\. At most 100\./,
  )
  expect(text).toMatch(/id="schema-UpdatedActivity">.*\n<p><a href="#schema-Activity">Activity<\/a> or /)
  expect(text).not.toContain('<script')
  expect(headers.get('content-security-policy')).not.toContain('script-src')
})

it('§12 /llms.txt says in 80 lines what a model with curl needs', async () => {
  const { text, headers } = await get('/llms.txt')
  expect(headers.get('content-type')).toMatch('text/plain')
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(80)
  const bodies = [...text.matchAll(/-d '([^']+)'/g)].map(([, body]) => JSON.parse(body ?? ''))
  expect(bodies).toHaveLength(3)
  for (const code of Object.keys(errorCodes)) expect(text).toContain(code)
})

describeInBrowser('§12 the API for people', () => {
  const browser = useBrowser()
  it('is whole at every width, axe finds nothing in it, and each error has its address', async () => {
    const page = await (await browser.newContext()).newPage()
    await page.goto(`${service.url}/docs#error-rate_limited`)
    expect(await page.locator(':target').textContent()).toContain('429')
    await expectAccessible(page)
    await expectWhole(page, 'docs')
  })
})
