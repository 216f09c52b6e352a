import nock from 'nock'
import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser, expectAccessible, expectWhole, signIn, useBrowser } from '../support/browser/browser.ts'
import { fillScene } from '../support/browser/scene.ts'
import { githubApiUrl, newRepository } from '../support/github.ts'
import { type Client, clientOf, startTestService, type TestService } from '../support/service.ts'

describeInBrowser('§12 the page of a repository, in each of its states', () => {
  const browser = useBrowser()
  let service: TestService
  beforeAll(async () => {
    service = await startTestService()
  })
  afterAll(() => service.stop())

  const pageOf = ({ repository }: Client) => `${service.url}/${repository.owner}/${repository.name}`

  async function openAs(client: Client, context: BrowserContext) {
    await signIn(context, service.url, client.token)
    const page = await context.newPage()
    await page.goto(pageOf(client))
    return page
  }

  it('signed out: says what it is, and offers to sign in', async () => {
    const page = await (await browser.newContext()).newPage()
    await page.goto(service.url)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await expectAccessible(page)
    await expectWhole(page, 'start')
    const { owner, name } = clientOf(service).repository
    await page.getByLabel('Repository, as OWNER/REPO').fill(`${owner}/${name}`)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: `Sign in to see ${owner}/${name}` }).waitFor()
    await expectAccessible(page)
    await expectWhole(page, 'signed-out')
  })

  it('nothing in flight: teaches three commands', async () => {
    const page = await openAs(clientOf(service), await browser.newContext())
    await page.getByRole('heading', { name: 'You have no work in flight here.' }).waitFor()
    expect(await page.locator('dt').count()).toBe(3)
    await expectAccessible(page)
    await expectWhole(page, 'nothing')
  })

  it('work in flight: one sentence, cards, rows and notables', async () => {
    const ana = clientOf(service, { login: 'ana', repository: newRepository({ name: 'shop' }) })
    await fillScene(ana, (login) => clientOf(service, { login, repository: ana.repository }))
    const page = await openAs(ana, await browser.newContext())
    await page.getByRole('heading', { name: 'carla changes the lines you change.' }).waitFor()
    expect(await page.title()).toMatch(/^\([1-9]\) acme\/shop · Headsup$/)
    const link = page.getByRole('link', { name: 'Open the file' })
    await expect.poll(() => link.getAttribute('href')).toMatch(/\/acme\/shop\/pull\/41\/files#diff-[0-9a-f]{64}$/)
    expect(await page.getByRole('link', { name: /41$/ }).allTextContents()).toEqual(['#41', 'acme/site#41', '#41'])
    const parts = await page
      .locator('main :is([role=note], h1, [type=search], .panel > header > h2)')
      .evaluateAll((all) => {
        return all.map(({ role, localName, textContent }) => role ?? (localName === 'h2' ? textContent : localName))
      })
    expect(parts).toEqual([
      ...['note', 'h1', 'input', expect.stringMatching(/^Collides/)],
      ...[expect.stringMatching(/^Who works on what/), expect.stringMatching(/^Know before you start/)],
    ])
    const cards = await page.locator('[aria-labelledby=collides] .list > li').evaluateAll((all) => {
      return all.map((card) => [card.classList.contains('is-mine'), card.querySelector('details')?.open])
    })
    expect(cards.slice(0, 1)).toEqual([[true, true]])
    expect(cards.slice(-1)).toEqual([[false, false]])
    await expectAccessible(page)
    await expectWhole(page, 'work')
  })

  it('comparing: says so until all is read, and what is not compared, but never that nothing collides', async () => {
    const client = clientOf(service)
    await client.post('/activity', { title: 'Mine', summary: 'x', actor: 'Ana', scope: { paths: ['src/a.ts'] } })
    const context = await browser.newContext()
    const page = await context.newPage()
    const { body } = await client.get('/collisions')
    let answer = () => {}
    const asked = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/collisions', async (route) => {
      await asked
      await route.fulfill({ json: { ...body, truncated: true } })
    })
    await signIn(context, service.url, client.token)
    await page.goto(pageOf(client))
    await page.getByRole('heading', { name: 'Comparing the work in flight …' }).waitFor()
    await expectAccessible(page)
    await expectWhole(page, 'comparing')
    answer()
    await page.getByRole('heading', { name: 'It is not known whether something collides with you.' }).waitFor()
    await page.getByText('Not all works were compared').waitFor()
    expect(await page.getByText('Nothing collides').count()).toBe(0)
    await expectAccessible(page)
    await expectWhole(page, 'cut')
  })

  it('an error: says what happened and what to do', async () => {
    const client = clientOf(service)
    nock(githubApiUrl).persist().get('/repos/acme/other').reply(404, { message: 'Not Found' })
    const context = await browser.newContext({ expected: [/404/] })
    const page = await openAs({ ...client, repository: { ...client.repository, name: 'other' } }, context)
    await page.getByRole('heading', { name: 'This repository cannot be shown' }).waitFor()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await expectAccessible(page)
    await expectWhole(page, 'error')
  })

  it('an error: an answer that breaks off is none', async () => {
    const context = await browser.newContext()
    await context.route('**/collisions', (route) => route.fulfill({ body: '{"items": [' }))
    const page = await openAs(clientOf(service), context)
    await page.getByText('The service gave no usable answer.').waitFor()
  })

  it('an error: says what was not done; a double click raises once, and what is over is not said again', async () => {
    const ana = clientOf(service, { login: 'ana' })
    const context = await browser.newContext({ expected: [/ERR_FAILED/, /401/] })
    const page = await openAs(ana, context)
    let sent = 0
    page.on('request', (request) => {
      if (request.method() === 'POST') sent += 1
    })
    await page.getByRole('button', { name: 'Raise' }).click()
    await page.getByLabel('Title').fill('Freeze')
    await page.getByLabel('In a sentence or two').fill('Wait.')
    const raise = page.getByRole('dialog').getByRole('button', { name: 'Raise' })
    await context.route('**/notables', (route) => route.abort())
    await raise.click()
    await page.getByText('The service does not answer.', { exact: true }).waitFor()
    await context.unroute('**/notables')
    await raise.dblclick()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(sent).toBe(2)

    await context.route('**/-/session', (route) => route.abort())
    const told = page.waitForEvent('dialog')
    const signOut = page.getByRole('button', { name: 'Sign out' })
    await Promise.all([signOut.click(), told.then((dialog) => dialog.accept())])
    expect((await told).message()).toBe('The service does not answer.')
    await context.unroute('**/-/session')

    const error = { code: 'unauthenticated', message: 'It is over.' }
    await context.route('**/api/v1/**', (route) => route.fulfill({ status: 401, json: { error } }))
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await page.getByText('It is over.').waitFor()
    await context.unroute('**/api/v1/**')
    await page.getByLabel(/gh auth token/).fill(ana.token)
    await page.keyboard.press('Enter')
    await signOut.click()
    await page.getByRole('heading', { name: /^Sign in to see/ }).waitFor()
    expect(await page.getByText('It is over.').count()).toBe(0)
  })

  it('out of date: shows what was read, with its age', async () => {
    const ana = clientOf(service, { login: 'ana' })
    await fillScene(ana, (login) => clientOf(service, { login, repository: ana.repository }))
    const context = await browser.newContext({ expected: [/503/] })
    const page = await openAs(ana, context)
    await page.getByRole('heading', { name: /carla/ }).waitFor()
    const error = { code: 'github_unavailable', message: 'GitHub does not answer as it should.' }
    await page.route('**/api/v1/**', (route) => route.fulfill({ status: 503, json: { error } }))
    await ana.post('/notables', { title: 'x', summary: 'x', importance: 'low', category: 'process' })
    await page.getByText('As of just now.').waitFor()
    await page.getByRole('heading', { name: /carla/ }).waitFor()
    await expectAccessible(page)
    await expectWhole(page, 'late')
    await page.unroute('**/api/v1/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('As of just now.').waitFor({ state: 'detached' })
  })
})
