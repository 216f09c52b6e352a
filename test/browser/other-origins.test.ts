import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useBrowser } from '../support/browser/browser.ts'
import { describeInBrowser } from '../support/browser/chromium.ts'
import { handOver, newScene, openAs, type Scene } from '../support/browser/scene.ts'
import { useBuiltService } from '../support/browser/service.ts'
import { call } from '../support/client.ts'

/** What a browser logs when it withholds a response from a foreign page. */
const withheld = [/CORS policy|status of 40[0-9]|ERR_FAILED|ERR_BLOCKED_BY_RESPONSE|frame-ancestors|Framing/]

describeInBrowser('a page of another port of the same host, in a browser that is signed in', () => {
  const service = useBuiltService()
  const browser = useBrowser()
  let scene: Scene
  let api: string
  let foreign: Server
  let attacker: string
  let content = ''

  beforeAll(async () => {
    scene = newScene(service, 'shop')
    api = `${service.url}/api/v1/repos/acme/shop`
    foreign = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end(content))
    await once(foreign.listen(0, '127.0.0.1'), 'listening')
    attacker = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`
  })
  afterAll(() => void foreign.close())

  /** Opens the foreign page with this content. The browser has a session of the writer, whose own page works. */
  async function attack(markup: string): Promise<Page> {
    const page = await openAs(browser, service, scene.writer, scene.url, { expected: withheld })
    await page.getByText('Live', { exact: true }).waitFor()
    content = `<!DOCTYPE html><title>x</title>${markup}`
    await page.goto(attacker)
    return page
  }

  async function recorded(): Promise<unknown[]> {
    const lists = await Promise.all(
      ['activity', 'notables'].map((list) => call(`${api}/${list}`, { token: scene.writer })),
    )
    return lists.flatMap(({ body }) => (body as { items: unknown[] }).items)
  }

  const isSignedIn = (page: Page) => page.getByRole('button', { name: 'Sign out' }).waitFor()

  it('creates nothing and ends no session by fetch or by a form', async () => {
    const page = await attack('')
    const work = JSON.stringify({ title: 'x', summary: 'x', actor: 'x' })
    const results = await page.evaluate(
      async ({ api, url, work }) => {
        const send = (to: string, init: RequestInit) =>
          fetch(to, { credentials: 'include', ...init }).then(
            ({ type, status }) => `${type} ${status}`,
            () => 'withheld',
          )
        const plain = { method: 'POST', mode: 'no-cors', headers: { 'content-type': 'text/plain' } } as const
        const json = { method: 'POST', headers: { 'content-type': 'application/json' } }
        return await Promise.all([
          send(`${api}/activity`, { ...json, body: work }),
          send(`${api}/activity`, { ...plain, body: work }),
          send(`${url}/-/session/end`, { method: 'POST', mode: 'no-cors' }),
          send(`${url}/-/session`, { ...plain, body: JSON.stringify({ token: 'ghp_attacker' }) }),
          send(`${api}/activity`, {}),
          send(`${api}/events`, {}),
          send(`${url}/-/session`, {}),
        ])
      },
      { api, url: service.url, work },
    )
    expect(results).toEqual(['withheld', 'opaque 0', 'opaque 0', 'opaque 0', 'withheld', 'withheld', 'withheld'])
    expect(await recorded()).toEqual([])

    for (const path of ['/api/v1/repos/acme/shop/activity', '/-/session/end', '/-/session']) {
      content = `<form method="post" enctype="text/plain" action="${service.url}${path}"><input name='${work.slice(0, -1)},"z":"' value='"}'></form>
        <script>document.forms[0].submit()</script>`
      await page.goto(attacker)
      await page.waitForURL(`${service.url}${path}`)
    }
    expect(await recorded()).toEqual([])
    await page.goto(scene.url)
    await isSignedIn(page)
  })

  it('can not show the page in a frame, and is no opener of it', async () => {
    const page = await attack(
      `<iframe src="${scene.url}"></iframe><a target="_blank" rel="opener" href="${scene.url}">go</a>`,
    )
    await expect.poll(() => page.frames().at(1)?.url()).toMatch(/^chrome-error:/)
    const [opened] = await Promise.all([page.context().waitForEvent('page'), page.getByRole('link').click()])
    await isSignedIn(opened)
    expect(await opened.evaluate('window.opener')).toBeNull()
  })

  it('can not lead a sign-in to another site', async () => {
    const page = await (await browser.newContext()).newPage()
    for (const to of ['https://evil.example/x', '//evil.example/x', '/\\evil.example/x', '/-/../..//evil.example']) {
      const code = await handOver(service, scene.reader)
      await page.goto(`${service.url}/-/enter?to=${encodeURIComponent(to)}#${code}`)
      await page.getByRole('button', { name: /^Sign in as/ }).click()
      await page.getByRole('button', { name: 'Sign out' }).waitFor()
      expect(page.url(), to).toBe(`${service.url}/`)
    }
  })
})
