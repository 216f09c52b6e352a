import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { expectAccessible } from '../support/browser/axe.ts'
import { useBrowser } from '../support/browser/browser.ts'
import { describeInBrowser } from '../support/browser/chromium.ts'
import { cutOff } from '../support/browser/layout.ts'
import { fillScene, fillTable, newScene, openAs, type Scene } from '../support/browser/scene.ts'
import { saveScreenshots } from '../support/browser/screenshots.ts'
import { useBuiltService } from '../support/browser/service.ts'

const collides = (page: Page) => page.getByRole('region', { name: 'Collides' })
const know = (page: Page) => page.getByRole('region', { name: 'Know before you start' })
const where = (page: Page) => page.getByRole('region', { name: 'Where' })
const work = (page: Page) => page.getByRole('region', { name: 'Who works on what' })
const sentence = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 2 })

/** The titles of the rows, top to bottom. */
const titles = (page: Page) => work(page).locator('.row-title').allInnerTexts()

const byActor = (actor: string, title: string, ...paths: string[]) => ({
  ...{ title, summary: 'As discussed.', actor, branch: `feat/${actor}`, base_branch: 'main', scope: { paths } },
})

describeInBrowser('the page of a repository', () => {
  const service = useBuiltService()
  const browser = useBrowser()
  let scene: Scene

  beforeAll(async () => {
    scene = newScene(service, 'shop')
    await fillScene(service, scene)
  })

  const open = (repository: Scene = scene, path = '') =>
    openAs(browser, service, repository.writer, repository.url + path)

  it('says first who changes my lines, and what to do about it', async () => {
    const page = await open()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await sentence(page, 'carla changes the lines you change.').waitFor()
    expect(await page.title()).toBe('(3) acme/shop: carla changes the lines you change. · Headsup')
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toMatch(/icon-dotted-/)
    const lines = page.getByRole('link', { name: 'Open these lines' })
    await expect.poll(() => lines.getAttribute('href')).toMatch(/\/pull\/1\/files#diff-[0-9a-f]{64}L120-L164$/)
    await saveScreenshots(page, 'page')
    await saveScreenshots(page, 'full', { fullPage: true })
    const copied = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).click()
      return await page.evaluate(() => navigator.clipboard.readText())
    }
    expect(await copied('Copy a message')).toBe(
      '@carla we both change src/auth/login.ts, lines 130–133 (feat/login and #1). Who goes first?',
    )
    expect(await copied('Copy the commands')).toBe(
      'git fetch origin pull/1/head && git diff HEAD...FETCH_HEAD -- src/auth/login.ts',
    )
    await expectAccessible(page)
  })

  it('has one card for each file, mine first and open', async () => {
    const page = await open()
    const first = collides(page).locator('.card').first()
    await first.getByText('lines 130–133', { exact: true }).waitFor()
    expect(await first.getByRole('link', { name: '#1' }).getAttribute('href')).toMatch(/\/acme\/shop\/pull\/1\/files$/)
    const other = collides(page).locator('.card').filter({ hasText: 'src/cart/totals.ts' })
    await other.getByRole('button').first().click()
    await other.getByText(/git will not merge both|Talk to each other/).click()
    await other.locator('.advice p').first().waitFor()
    await expectAccessible(page)
  })

  it('has one card for an issue that two works mean to close', async () => {
    const own = newScene(service, 'issues')
    await own.post('/activity', { ...byActor('Ana', 'Mine', 'src/a/**'), issues: [42] })
    await own.post('/activity', { ...byActor('Ben', 'Theirs', 'src/b/**'), issues: [42] }, own.otherWriter)
    const page = await open(own)
    await sentence(page, 'Ben works on issue #42 too.').waitFor()
    const card = collides(page).locator('.card')
    expect(await card.count()).toBe(1)
    await card.getByRole('button', { name: 'issue #42' }).waitFor()
    await card.getByText('Agree who closes the issue before either goes on.').waitFor()
    await expectAccessible(page)
  })

  it('shows in two browsers what one of them changes, without a reload', async () => {
    const own = newScene(service, 'two')
    const [alice, bob] = [await open(own), await open(own)]
    await know(bob).waitFor()
    await know(alice).getByRole('button', { name: 'Raise' }).click()
    const dialog = alice.getByRole('dialog')
    await saveScreenshots(alice, 'raise')
    await expectAccessible(alice)
    await dialog.getByLabel('In one line').fill('Freeze on Monday')
    await dialog.getByLabel('What to do about it').fill('Merge before noon.')
    await dialog.getByLabel('Until when it is true').fill('2030-01-01T12:00')
    await dialog.getByLabel(/^Blocking/).check()
    await dialog.getByRole('button', { name: 'Raise' }).click()
    await sentence(bob, 'Freeze on Monday').waitFor()
    await saveScreenshots(bob, 'freeze')
    await expectAccessible(bob)
    await sentence(alice, 'Freeze on Monday').waitFor()
    await bob.reload()
    await know(bob).getByText('Freeze on Monday').first().click()
    await know(bob).getByText('Archive Freeze on Monday').click()
    await know(bob).getByRole('button', { name: 'Archive it for everybody' }).click()
    await sentence(alice, 'You have no work in flight here.').waitFor()
  })

  it('says what is wrong with a notable', async () => {
    const page = await openAs(browser, service, scene.writer, scene.url, { expected: [/status of 400 /] })
    await know(page).getByRole('button', { name: 'Raise' }).click()
    await page.getByLabel('In one line').fill('x')
    await page.getByLabel('What to do about it').fill('x')
    await page
      .getByRole('dialog')
      .getByLabel(/^Where/)
      .fill('src/{a')
    await page.getByRole('dialog').getByRole('button', { name: 'Raise' }).click()
    await page.getByRole('alert').filter({ hasText: 'scope.paths[0]' }).waitFor()
  })

  it('offers readers nothing that they may not do', async () => {
    const page = await openAs(browser, service, scene.reader, scene.url)
    await sentence(page, 'You have no work in flight here.').waitFor()
    expect(await page.getByRole('button', { name: /^(Raise|Archive|Done|Pause|Copy the command)/ }).count()).toBe(0)
    expect(await page.getByText(/^(Archive|Done|Put aside)/).count()).toBe(0)
  })

  it('changes the sentence, the title and the icon at once, and announces a collision', async () => {
    const own = newScene(service, 'live')
    await own.post('/activity', byActor('Ana', 'Old work', 'src/auth/**'))
    const page = await open(own)
    await sentence(page, 'Nothing collides with you.').waitFor()
    const { activity } = await own.post('/activity', byActor('Ben', 'New work', 'src/auth/login.ts'), own.otherWriter)
    await sentence(page, /^Ben /).waitFor()
    await expect.poll(() => page.title()).toBe('(1) acme/live: Ben may change the files you change. · Headsup')
    await page
      .getByRole('status')
      .filter({ hasText: /New collision of yours.*Ana and Ben/ })
      .waitFor({ state: 'attached' })
    await own.post(`/activity/${activity.id}/archive`, {}, own.otherWriter)
    await sentence(page, 'Nothing collides with you.').waitFor()
    await expect.poll(() => page.title()).toBe('acme/live: Nothing collides with you. · Headsup')
    await expect.poll(() => page.locator('link[rel=icon]').getAttribute('href')).not.toMatch(/dotted/)
  })

  it('pauses and ends my own work', async () => {
    const own = newScene(service, 'mine')
    await own.post('/activity', byActor('Ana', 'Mine', 'src/a/**'))
    await own.post('/activity', byActor('Ben', 'Theirs', 'src/b/**'), own.otherWriter)
    const page = await open(own)
    await work(page).getByRole('button', { name: 'Pause Mine' }).click()
    await work(page).getByRole('button', { name: 'Resume Mine' }).waitFor()
    expect(
      await work(page)
        .getByRole('button', { name: /Theirs$/ })
        .count(),
    ).toBe(1)
    await work(page).getByText('Done Mine').click()
    await work(page).getByRole('button', { name: 'It is done' }).click()
    await work(page).getByText('Ended').waitFor()
    await sentence(page, 'You have no work in flight here.').waitFor()
  })

  it('puts my own pull request aside, and says what becomes of its record', async () => {
    const own = newScene(service, 'aside')
    const author = `writer${own.id}`
    await service.github.openPullRequest(own, {
      head: 'fix/a',
      title: 'Seen',
      author,
      files: [{ path: 'a.ts', lines: [[1, 2]] }],
    })
    await own.pullsAreRead(1)
    await own.post('/activity', byActor('Ben', 'Theirs', 'src/b/**'), own.otherWriter)
    const pr_url = 'https://github.com/acme/aside/pull/1'
    await own.post('/activity', { ...byActor('Ana', 'Recorded', 'a.ts'), branch: 'fix/a', pr_url })
    const page = await open(own)
    await work(page).getByText('Done Recorded').click()
    await work(page).getByRole('button', { name: 'It is done: it counts again as #1' }).click()
    await work(page).getByText('Ended').waitFor()
    // One that names the branch alone covers the pull request too, and its record has no number.
    await own.post('/activity', { ...byActor('Ana', 'Not linked', 'a.ts'), branch: 'fix/a' })
    await page.reload()
    await work(page).getByText('Done Not linked').click()
    await work(page).getByRole('button', { name: 'It is done: what is pushed counts again' }).click()
    await work(page).getByText('Ended').waitFor()
    await page.reload()
    await work(page).getByText('Put aside until its next push Seen').click()
    await work(page).getByRole('button', { name: 'Put it aside: others will not be warned of it' }).click()
    await work(page).getByText('Ended').waitFor()
  })

  it.each([
    ['while nobody points at anything', false],
    ['while somebody points at a row', true],
  ])('moves nothing while 20 changes come, %s, and shows them when the reader asks', async (_, isPointing) => {
    const own = newScene(service, `reading-${isPointing}`)
    const { activity } = await own.post('/activity', byActor('Ana', 'First', 'src/a/**'))
    await own.post('/activity', byActor('Ben', 'Second', 'src/b/**'), own.otherWriter)
    const page = await (await browser.newContext()).newPage()
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        const entries = list.getEntries() as (PerformanceEntry & { value: number })[]
        const { dataset } = document.documentElement
        for (const { value } of entries) dataset.shift = `${Number(dataset.shift ?? 0) + value}`
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await openAs(browser, service, own.writer, own.url, { page })
    await expect.poll(async () => (await titles(page)).length).toBe(2)
    if (isPointing) await work(page).getByRole('button', { name: 'Second' }).hover()
    const before = await titles(page)
    for (let count = 0; count < 18; count++) {
      await own.post('/activity', byActor(`P${count}`, `New ${count}`, 'src/a/x.ts'), own.otherWriter)
    }
    const freeze = { title: 'Freeze', summary: 'Merge nothing.', category: 'release', blocking: true, scope: {} }
    await own.post('/notables', { ...freeze, importance: 'critical' })
    await own.post(`/activity/${activity.id}/archive`)
    await work(page).getByRole('button', { name: '18 new, 1 over' }).waitFor()
    await page.getByRole('alert').filter({ hasText: 'Merge nothing.' }).waitFor()
    if (isPointing) await expectAccessible(page)
    expect(await titles(page)).toEqual(before)
    expect(await page.evaluate(() => Number(document.documentElement.dataset.shift ?? 0))).toBeLessThan(0.05)
    await work(page).getByRole('button', { name: '18 new, 1 over' }).click()
    await expect.poll(async () => (await titles(page)).length).toBe(19)
  })

  it('is sent with less than 40 kB, in files that are named by their content', async () => {
    const page = await open()
    await sentence(page, /carla/).waitFor()
    const files = await page.evaluate(() =>
      [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .map((entry) => entry as PerformanceResourceTiming)
        .filter(({ name }) => !name.includes('/api/') && !name.endsWith('/-/session'))
        .map(({ name, encodedBodySize }) => ({ name: new URL(name).pathname, bytes: encodedBodySize })),
    )
    const own = files.map(({ name }) => name).filter((name) => name.startsWith('/-/page/'))
    expect(own.length).toBeGreaterThanOrEqual(2)
    for (const name of own) expect(name).toMatch(/-[0-9a-f]{16}\.(js|css|svg)$/)
    expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(40_000)
    expect(files.every(({ bytes }) => bytes > 0)).toBe(true)
  })

  it('keeps its filters in the address, and filters everything with them', async () => {
    const page = await open(scene, '?actor=Ben')
    await expect.poll(() => titles(page)).toEqual(['Keep the cart after signing out'])
    await page.getByRole('button', { name: 'Clear' }).click()
    await where(page)
      .getByRole('button', { name: /^src\/auth\/ ?\d/ })
      .click()
    await expect.poll(() => new URL(page.url()).search).toBe('?path=src%2Fauth')
    await expect.poll(() => titles(page)).not.toContain('New price engine')
    expect(await know(page).getByText('The migration tool').count()).toBe(0)
    await page.getByRole('searchbox', { name: 'Search' }).fill('passkeys')
    await expect.poll(() => titles(page)).toEqual(['Passkeys'])
    await page.reload()
    await expect.poll(() => titles(page)).toEqual(['Passkeys'])
    await page.goBack()
    await expect.poll(() => titles(page)).toContain('New price engine')
  })

  it('says of a link to work that is no longer in flight that it may have ended', async () => {
    const page = await open(scene, '?activity=act_00000000000000000000000000')
    await work(page).getByText('It may have ended.').waitFor()
    await page.getByRole('button', { name: 'Show all work' }).click()
    await expect.poll(() => titles(page)).toContain('New price engine')
  })

  it('is used with the keyboard alone', async () => {
    const page = await open()
    await sentence(page, /carla/).waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
    await page.keyboard.press('j')
    expect(await focused()).toContain('src/auth/login.ts')
    await page.keyboard.press('Enter')
    await collides(page).getByText('lines 130–133').waitFor({ state: 'detached' })
    await page.keyboard.press('j')
    expect(await focused()).toContain('src/auth/session.ts')
    await page.keyboard.press('k')
    expect(await focused()).toContain('src/auth/login.ts')
    await page.keyboard.press('m')
    await expect.poll(() => titles(page)).toEqual(['Rework the login'])
    await page.keyboard.press('m')
    await expect.poll(() => titles(page)).toContain('Passkeys')
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('next and previous card').waitFor()
    await expectAccessible(page, 'dialog')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    await page.keyboard.type('m?')
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('m?')
  })

  it('has the search within six Tab stops, and the acts as one of them', async () => {
    const page = await open()
    await sentence(page, /carla/).waitFor()
    const stops: string[] = []
    while (stops.length < 12 && stops.at(-1) !== 'q') {
      await page.keyboard.press('Tab')
      stops.push(await page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent || ''))
    }
    expect(stops.length, stops.join(', ')).toBeLessThanOrEqual(6)
    await page.getByRole('link', { name: 'Open these lines' }).focus()
    await page.keyboard.press('ArrowRight')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Copy a message')
  })

  it('tells of a new collision of mine by a notification, after one click, without title and path', async () => {
    const own = newScene(service, 'told')
    await own.post('/activity', byActor('Ana', 'Mine', 'src/a/**'))
    const page = await (await browser.newContext()).newPage()
    await page.addInitScript(`globalThis.told = []
      globalThis.Notification = class { constructor(title, { body }) { told.push(title + ': ' + body) }
        static permission = 'default'
        static async requestPermission() { return 'granted' } }`)
    await openAs(browser, service, own.writer, own.url, { page })
    await page.getByRole('button', { name: 'Notify me of new ones' }).click()
    await page.getByRole('button', { name: 'Notify me of new ones' }).waitFor({ state: 'detached' })
    await own.post('/activity', byActor('Ben', 'A secret title', 'src/a/x.ts'), own.otherWriter)
    await expect
      .poll(() => page.evaluate('told'))
      .toEqual([expect.stringMatching(/^acme\/told: writer2\d+ may change the files you change\.$/)])
    // At most one a minute.
    await own.post('/activity', byActor('Eve', 'Another title', 'src/a/y.ts'), own.otherWriter)
    await expect.poll(() => page.title()).toMatch(/^\(2\) /)
    expect(await page.evaluate('told.length')).toBe(1)
  })

  it('shows other people’s text as text, and hidden characters by their names', async () => {
    const own = newScene(service, 'hostile')
    const title = '<img src=x onerror=alert(1)> \u202Egnp.exe'
    await service.github.openPullRequest(own, {
      head: 'x',
      title,
      author: 'mallory',
      files: [{ path: '"><script>alert(1)</script>.ts', lines: [[1, 2]] }],
    })
    await own.pullsAreRead(1)
    const page = await open(own)
    await work(page).getByText('U+202E').waitFor()
    expect(await titles(page)).toEqual(['<img src=x onerror=alert(1)> U+202Egnp.exe'])
    expect(await page.locator('main img, main script').count()).toBe(0)
  })

  it('cuts off nothing at any width', async () => {
    const page = await open()
    await work(page).getByText('Docs of the public API').waitFor()
    for (const width of [320, 390, 768, 1024, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await cutOff(page), `at ${width} px`).toEqual([])
      const filters = page.locator('#search input, #search select, #search button').filter({ visible: true })
      expect(await filters.count(), `at ${width} px`).toBe(6)
    }
  })

  it('shows the newest 500 where there are more', async () => {
    const own = newScene(service, 'large')
    await fillTable(service, own, 505)
    const page = await open(own)
    await page.getByText('More than 500').waitFor()
    await expect.poll(async () => (await titles(page)).length).toBe(500)
    await saveScreenshots(page, 'large')
  })

  it('has a page for every unknown address, which names the commonest causes', async () => {
    const page = await browser.open(`${service.url}/acme/shop/pulls`, { expected: [/status of 404/] })
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    await page.getByText('with nothing after it').waitFor()
    await saveScreenshots(page, 'unknown')
    await expectAccessible(page)
  })
})
