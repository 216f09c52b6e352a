import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser, signIn, useBrowser } from '../support/browser/browser.ts'
import { clientOf, startTestService, type TestService, work } from '../support/service.ts'

const certificate = (name: string) => readFileSync(new URL(`../fixtures/certificates/${name}`, import.meta.url))

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

describeInBrowser('§12 the page, attacked', () => {
  const browser = useBrowser()
  let [service, proxied]: [TestService, TestService] = [] as never
  /** Another program of this machine: the same site for a browser, and another origin. */
  let sentToEvil: string | undefined
  const evil = createServer(({ headers: { cookie } }, response) => {
    sentToEvil = cookie
    response.setHeader('Content-Type', 'text/html').end('<p>Evil')
  })
  const proxy = createTlsServer({ key: certificate('valid.key'), cert: certificate('valid.pem') }, (asked, answer) => {
    const { port } = new URL(proxied.url)
    const headers = { ...asked.headers, 'x-forwarded-proto': 'https' }
    const options = { host: '127.0.0.1', port, path: asked.url, method: asked.method, headers }
    asked.pipe(
      request(options, (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(answer)
      }).once('error', () => answer.destroy()),
    )
  })
  let [evilUrl, publicUrl] = ['', '']
  beforeAll(async () => {
    evilUrl = `http://${await listen(evil)}`
    publicUrl = `https://${await listen(proxy)}`
    service = await startTestService()
    const environment = { HEADSUP_PUBLIC_URL: publicUrl, HEADSUP_TRUSTED_PROXIES: '127.0.0.1' }
    proxied = await startTestService({ ...environment, DATABASE_URL: service.databaseUrl })
  })
  afterAll(async () => {
    for (const server of [evil, proxy]) {
      server.close()
      server.closeAllConnections()
    }
    await proxied.stop()
    await service.stop()
  })

  it('stands in no frame of another page', async () => {
    const page = await (await browser.newContext({ expected: [/frame-ancestors/] })).newPage()
    await page.goto(evilUrl)
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
    await page.evaluate(`document.body.innerHTML = '<iframe src="${service.url}/acme/shop"></iframe>'`)
    await refused
    expect(page.frames().map((frame) => frame.url())).not.toContain(`${service.url}/acme/shop`)
  })

  it('lends its cookie to no page on another port, though the browser sends it', async () => {
    const { repository, token, get } = clientOf(service)
    const context = await browser.newContext({ expected: [/40[13]|CORS|ERR_FAILED/] })
    await signIn(context, service.url, token)
    const page = await context.newPage()
    const list = `${service.url}/api/v1/repos/${repository.owner}/${repository.name}/activity`
    const ask = async (url: string, method: string, body?: object) => {
      const answered = page.waitForResponse((response) => response.url() === url)
      // What a form can send too, so nobody asks the service before.
      const init = { method, credentials: 'include', mode: 'no-cors', body: body && JSON.stringify(body) }
      await page.evaluate(`void fetch('${url}', ${JSON.stringify(init)}).catch(() => null)`)
      return (await answered).status()
    }
    await page.goto(`${service.url}/${repository.owner}/${repository.name}`)
    expect(await ask(list, 'GET')).toBe(200)
    await page.goto(evilUrl)
    // The cookie of a host goes to each of its ports, so it is sent back with what this page asks too.
    expect(sentToEvil).toContain(`headsup-${new URL(service.url).port}=`)
    expect(await ask(list, 'GET')).toBe(401)
    expect(await ask(list, 'POST', work)).toBe(401)
    expect(await ask(`${service.url}/-/session`, 'POST', { token: 'ghp_of_the_attacker' })).toBe(403)
    expect((await get('/activity')).body.items).toEqual([])
    // The session of the person is still there.
    await page.goto(`${service.url}/${repository.owner}/${repository.name}`)
    expect(await ask(list, 'GET')).toBe(200)
  })

  it('over TLS sets a cookie that belongs to this host alone, and that no script reads', async () => {
    const { repository, token } = clientOf(proxied)
    const context = await browser.newContext({ ignoreHTTPSErrors: true })
    const page = await context.newPage()
    await page.goto(`${publicUrl}/${repository.owner}/${repository.name}`)
    await page.getByLabel(/gh auth token/).fill(token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'You have no work in flight here.' }).waitFor()
    const cookies = await context.cookies()
    expect(cookies).toMatchObject([
      { name: '__Host-headsup', secure: true, httpOnly: true, sameSite: 'Strict', path: '/' },
    ])
    expect(await page.evaluate('document.cookie')).toBe('')
  })
})
