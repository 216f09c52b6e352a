import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { expectAccessible } from '../support/browser/axe.ts'
import { useBrowser } from '../support/browser/browser.ts'
import { describeInBrowser } from '../support/browser/chromium.ts'
import { fillScene, handOver, newScene, openAs, type Scene } from '../support/browser/scene.ts'
import { saveScreenshots } from '../support/browser/screenshots.ts'
import { useBuiltService } from '../support/browser/service.ts'
import { faults } from '../support/github/faults.ts'

/** The browser's log lines about refusals that a test expects. */
const refused = (status: number) => [new RegExp(`status of ${status} `)]
const offline = [/ERR_INTERNET_DISCONNECTED/]

/** Runs in the page: ends its animations at once, and returns after how many ms they would have begun. */
const endAnimations = `document.getAnimations().map((animation) => {
  animation.finish()
  return animation.effect.getTiming().delay
})`

/** Answers each stream of the page with a snapshot of these lists as they are then, and ends it. */
async function sendSnapshots(page: Page, lists: () => object): Promise<void> {
  const truncated = { activities: false, notables: false, collisions: false, scopes: false }
  await page.route('**/events', async (route) => {
    const data = JSON.stringify({ notables: [], truncated, access: 'write', ...lists() })
    await route.fulfill({ contentType: 'text/event-stream', body: `event: snapshot\ndata: ${data}\n\n` })
  })
}

describeInBrowser('the page of a repository says what is wrong', () => {
  const service = useBuiltService({ HEADSUP_PERMISSION_CACHE_MS: '1000' })
  const browser = useBrowser()
  let scene: Scene

  beforeAll(async () => {
    scene = newScene(service, 'shop')
    await fillScene(service, scene)
  })

  it('offers the ways to sign in to those who are not', async () => {
    const page = await browser.open(scene.url)
    await page.getByRole('heading', { name: 'Sign in to see what is going on in acme/shop' }).waitFor()
    await saveScreenshots(page, 'signed-out')
    await expectAccessible(page)
    await page.getByLabel('paste a GitHub token').fill(scene.writer)
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Collides' }).waitFor()
  })

  it.each(['js', 'css'])('offers to reload where its file %s is gone, as after an upgrade', async (type) => {
    const page = await (await browser.newContext({ expected: refused(404) })).newPage()
    await page.route(`**/-/page/page-*.${type}`, (route) => route.fulfill({ status: 404 }))
    await page.goto(scene.url)
    // It appears by an animation of the styles, after 5 s without the script. On a very slow machine it has already.
    if (type === 'js') expect(['5000', '']).toContain(String(await page.evaluate(endAnimations)))
    await page.getByText('There may be a new version of it').waitFor()
    // axe takes a page without styles for a white one, also where it is dark.
    if (type === 'js') await expectAccessible(page)
    await page.unroute(`**/-/page/page-*.${type}`)
    await page.getByRole('link', { name: 'Reload' }).click()
    await page.getByRole('heading', { name: /^Sign in to see/ }).waitFor()
    expect(await page.getByText('There may be a new version of it').count()).toBe(0)
  })

  it('refuses a token that GitHub rejects, and says so', async () => {
    const page = await browser.open(scene.url, { expected: refused(401) })
    await page.getByLabel('paste a GitHub token').fill('ghp_nobody')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Signing in did not work' }).waitFor()
  })

  it('asks for a confirmation before it signs in with the code of the command line, and works once', async () => {
    const code = await handOver(service, scene.writer)
    const page = await browser.open(`${service.url}/-/enter?to=/acme/shop#${code}`, { expected: refused(401) })
    await page.getByRole('heading', { name: /Sign in as @/ }).waitFor()
    expect(page.url()).not.toContain(code)
    await saveScreenshots(page, 'enter')
    await expectAccessible(page)
    await page.getByRole('button', { name: /Sign in as @/ }).click()
    await page.getByRole('region', { name: 'Collides' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/acme/shop')
    await page.goto(`${service.url}/-/enter?to=/acme/shop#${code}`)
    await page.getByRole('heading', { name: 'This sign-in did not work' }).waitFor()
    await saveScreenshots(page, 'enter-refused')
    await expectAccessible(page)
  })

  it('teaches how work appears where nothing is in flight', async () => {
    const empty = newScene(service, 'quiet')
    const page = await openAs(browser, service, empty.writer, empty.url)
    await page.getByRole('heading', { name: 'You have no work in flight here.' }).waitFor()
    await page.getByRole('heading', { name: /^Nothing is in flight yet/ }).waitFor()
    await saveScreenshots(page, 'empty')
    await expectAccessible(page)
  })

  it('gives no all-clear until all work is compared', async () => {
    const own = newScene(service, 'comparing')
    const { activity } = await own.post('/activity', { title: 'Login', summary: '.', actor: 'Ana', scope: {} })
    let isComplete = false
    const page = await (await browser.newContext()).newPage()
    await sendSnapshots(page, () => ({ activities: [activity], collisions: [], collisions_complete: isComplete }))
    await openAs(browser, service, own.writer, own.url, { page })
    await page.getByRole('heading', { name: 'Comparing 1 activity, 0 found so far.' }).waitFor()
    isComplete = true
    await page.getByText('Nothing collides.').first().waitFor()
    await page.getByRole('heading', { name: 'Nothing collides with you.' }).waitFor()
  })

  it('shows at once what the first comparison finds, and holds back what comes after it', async () => {
    const own = newScene(service, 'found')
    const record = async (title: string) =>
      (await own.post('/activity', { title, summary: '.', actor: 'Ana', scope: { paths: ['src/**'] } })).activity
    const activities = [await record('Login'), await record('Logout'), await record('Session')]
    const pair = (a: number, b: number, path: string) => ({
      activity_ids: [activities[b]?.id, activities[a]?.id],
      ...{ severity: 'medium', areas: [], issues: [], example_path: path, lines: null, reason: 'Both.' },
      since: new Date().toISOString(),
    })
    let found = { collisions: [] as object[], collisions_complete: false }
    const page = await (await browser.newContext()).newPage()
    await sendSnapshots(page, () => ({ activities, ...found }))
    await openAs(browser, service, own.writer, own.url, { page })
    const cards = page.getByRole('region', { name: 'Collides' }).locator('.card')
    await page.getByText('Comparing 3 activities, 0 found so far').first().waitFor()
    found = { collisions: [pair(0, 1, 'src/a.ts')], collisions_complete: false }
    await page.getByText('Comparing 3 activities, 1 found so far').first().waitFor()
    expect(await cards.count()).toBe(1)
    found = { collisions: [...found.collisions, pair(1, 2, 'src/b.ts')], collisions_complete: true }
    await cards.nth(1).waitFor()
    expect(await page.getByRole('button', { name: /new$/ }).count()).toBe(0)
    found = { ...found, collisions: [...found.collisions, pair(0, 2, 'src/c.ts')] }
    await page.getByRole('button', { name: '1 new' }).waitFor()
    expect(await cards.count()).toBe(2)
  })

  it('marks nothing as yours where the sign-in has no account', async () => {
    const page = await (await browser.newContext({ expected: refused(400) })).newPage()
    const json = { error: { code: 'validation_failed', message: 'GitHub did not say whose token this is.' } }
    await page.route('**/activity?mine=true*', (route) => route.fulfill({ status: 400, json }))
    await openAs(browser, service, scene.writer, scene.url, { page })
    await page.getByRole('heading', { name: /^This sign-in has no account, so nothing is marked as yours/ }).waitFor()
    expect(await page.getByText(/yours$|^You$/).count()).toBe(0)
    expect(await page.title()).toMatch(/^acme\/shop: .* · Headsup$/)
    await saveScreenshots(page, 'no-account')
    await expectAccessible(page)
  })

  it('does not say whether a repository exists that the caller may not see', async () => {
    const page = await openAs(browser, service, scene.stranger, scene.url, { expected: refused(404) })
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    await page.getByText('The name is misspelt').waitFor()
    await saveScreenshots(page, 'not-found')
    await expectAccessible(page)
    expect(await page.locator('.connection').count()).toBe(0)
  })

  it('leads to single sign-on where an organisation asks for it', async () => {
    const guarded = newScene(service, 'guarded')
    service.github.fail(faults.sso(), { path: '/repos/acme/guarded' })
    const page = await openAs(browser, service, guarded.writer, guarded.url, { expected: refused(403) })
    const link = page.getByRole('link', { name: 'Grant at GitHub' })
    expect(await link.getAttribute('href')).toBe('https://github.com/orgs/acme/sso?authorization_request=ABC')
    await saveScreenshots(page, 'sso')
    await expectAccessible(page)
  })

  it('tries again by itself while GitHub is unreachable', async () => {
    const away = newScene(service, 'away')
    const heal = service.github.fail(faults.unicorn(), { path: '/repos/acme/away' })
    const page = await openAs(browser, service, away.writer, away.url, { expected: refused(503) })
    await page.getByRole('heading', { name: 'Not available right now' }).waitFor()
    await saveScreenshots(page, 'unavailable')
    await expectAccessible(page)
    heal()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'You have no work in flight here.' }).waitFor()
  })

  it('says how long a limited token has to wait', async () => {
    const limited = newScene(service, 'limited')
    service.github.fail(faults.secondaryLimit(40), { path: '/repos/acme/limited' })
    const page = await openAs(browser, service, limited.writer, limited.url, { expected: refused(429) })
    await page.getByRole('heading', { name: 'Too many requests' }).waitFor()
    await page.getByText(/Next attempt in \d+ s/).waitFor()
    await saveScreenshots(page, 'limited')
    await expectAccessible(page)
  })

  it('keeps its contents when the connection is lost, with their age, and reconnects by itself', async () => {
    const page = await openAs(browser, service, scene.writer, scene.url, { expected: offline })
    await page.getByText('Live', { exact: true }).waitFor()
    await page.context().setOffline(true)
    await page.getByText('The connection is lost.').first().waitFor()
    await page.getByText(/As of/).waitFor()
    expect(await page.getByText('up to date', { exact: false }).count()).toBe(0)
    await page
      .getByRole('region', { name: 'Collides' })
      .getByText('src/auth/login.ts', { exact: true })
      .first()
      .waitFor()
    await saveScreenshots(page, 'lost')
    await expectAccessible(page)
    await page.context().setOffline(false)
    await page.getByText('Live', { exact: true }).waitFor()
  })

  it('reads lists where a proxy holds back the stream', async () => {
    const page = await (await browser.newContext()).newPage()
    await page.clock.install()
    await page.route('**/events', () => {})
    await openAs(browser, service, scene.writer, scene.url, { page })
    await page.getByText('Connecting …').waitFor()
    await page.clock.fastForward(41_000)
    await page.getByText('Every 15 s').waitFor()
    await page
      .getByRole('region', { name: 'Collides' })
      .getByText('src/auth/login.ts', { exact: true })
      .first()
      .waitFor()
    const { activity } = await scene.post('/activity', {
      title: 'Seen by a poll',
      summary: '.',
      actor: 'Gil',
      scope: {},
    })
    await page.clock.fastForward(16_000)
    await page.getByRole('button', { name: '1 new' }).last().click()
    await page.getByRole('button', { name: 'Seen by a poll', exact: true }).waitFor()
    await scene.post(`/activity/${activity.id}/archive`)
  })

  it('keeps its contents when the session has ended, and offers to sign in again', async () => {
    const { github } = service
    const token = github.addToken('ghp_ends', 'zoe')
    github.allow(scene, token)
    const page = await openAs(browser, service, token, scene.url, {
      // GitHub no longer says whose the token is.
      expected: [...refused(401), ...refused(400)],
    })
    await page.getByText('Live', { exact: true }).waitFor()
    github.revoke(token)
    await page.getByText('Your session is over.').first().waitFor()
    await page
      .getByRole('region', { name: 'Collides' })
      .getByText('src/auth/login.ts', { exact: true })
      .first()
      .waitFor()
    await saveScreenshots(page, 'session-over')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Sign in again' }).click()
    await page.getByRole('dialog').getByRole('heading', { name: 'Sign in again' }).waitFor()
  })

  it('says that signing in needs TLS where the address has none', async () => {
    const page = await (await browser.newContext({ expected: refused(403) })).newPage()
    await page.route('**/-/session', (route) =>
      route.fulfill({ status: 403, json: { error: { code: 'insecure', message: 'Signing in needs HTTPS.' } } }),
    )
    await page.goto(scene.url)
    await page.getByRole('heading', { name: 'Signing in needs TLS' }).waitFor()
    await saveScreenshots(page, 'insecure')
    await expectAccessible(page)
  })
})

describeInBrowser('the pages of a service that watches no pull requests', () => {
  const service = useBuiltService({ HEADSUP_OBSERVE_WITH_CALLERS: 'false' })
  const browser = useBrowser()

  it('say so, where there is no App either', async () => {
    const scene = newScene(service, 'unwatched')
    const page = await openAs(browser, service, scene.writer, scene.url)
    await page.getByText('Open pull requests are not watched').first().waitFor()
    await saveScreenshots(page, 'unwatched')
    await expectAccessible(page)
  })

  it('open a repository from the start page, and remember it', async () => {
    const scene = newScene(service, 'web')
    const page = await browser.open(service.url)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByRole('textbox', { name: 'Repository' }).fill('https://github.com/acme/web.git')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.waitForURL(scene.url)
    await page.getByRole('heading', { name: /^Sign in to see/ }).waitFor()
    // A name is kept only once an answer came.
    await page.goto(service.url)
    expect(await page.getByRole('link', { name: 'acme/web' }).count()).toBe(0)
    await openAs(browser, service, scene.writer, scene.url, { page })
    await page.getByRole('heading', { name: 'You have no work in flight here.' }).waitFor()
    await page.goto(service.url)
    await page.getByRole('listitem').filter({ hasText: 'acme/web' }).getByText('0 collide').waitFor()
    await saveScreenshots(page, 'start')
    await expectAccessible(page)
  })

  it('ask on the start page about the first five repositories, one at a time', async () => {
    const scene = newScene(service, 'first')
    const page = await (await browser.newContext()).newPage()
    const names = ['one', 'two', 'three', 'four', 'five', 'six'].map((name) => `acme/${name}`)
    await page.addInitScript((value) => localStorage.setItem('headsup.recent', value), JSON.stringify(names))
    const asked: string[] = []
    let waiting = 0
    let mostWaiting = 0
    await page.route('**/api/v1/repos/**', async (route) => {
      asked.push(new URL(route.request().url()).pathname)
      mostWaiting = Math.max(mostWaiting, ++waiting)
      await page.waitForTimeout(20)
      waiting--
      await route.fulfill({ json: { items: [], truncated: false } })
    })
    await openAs(browser, service, scene.writer, service.url, { page })
    const listed = page.getByRole('listitem')
    await listed.filter({ hasText: 'acme/five' }).getByText('0 collide').waitFor()
    expect(await listed.allInnerTexts()).toEqual([
      ...names.slice(0, 5).map((name) => expect.stringMatching(`^${name}\\s+0 collide$`)),
      'acme/six',
    ])
    expect([...new Set(asked.map((path) => path.split('/').slice(4, 6).join('/')))]).toEqual(names.slice(0, 5))
    expect(mostWaiting).toBe(1)
  })
})
