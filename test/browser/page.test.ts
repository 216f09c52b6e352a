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
const places = (page: Page) => page.getByRole('region', { name: 'Places' })
const work = (page: Page) => page.getByRole('region', { name: 'Who works on what' })

/** The titles in the table, top to bottom. */
const titles = (page: Page) => work(page).locator('.work-title').allInnerTexts()

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

  it('shows what collides, on which lines, and leads to the pull request', async () => {
    const page = await open()
    const item = collides(page).getByRole('listitem').filter({ hasText: 'carla' })
    await item.getByText('lines 130–133', { exact: true }).waitFor()
    await item.getByText('High', { exact: true }).waitFor()
    expect(await item.getByRole('link', { name: '#1 diff' }).getAttribute('href')).toBe(
      'https://github.com/acme/shop/pull/1/files',
    )
    expect(await item.locator('.reason').isVisible()).toBe(false)
    await item.getByRole('button', { name: /^Why\?/ }).click()
    await item.getByText(/“carla” has pull request #1/).waitFor()
    await saveScreenshots(page, 'full', { fullPage: true })
    await expectAccessible(page)
  })

  it('copies a branch', async () => {
    const page = await open()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await collides(page).getByRole('button', { name: 'Copy the branch fix/login-limit' }).click()
    await collides(page).getByText('Copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('fix/login-limit')
  })

  it('shows in two browsers what one of them changes, without a reload', async () => {
    const [alice, bob] = [await open(), await open()]
    await know(bob).getByText('Session tokens become opaque').waitFor()
    await know(alice).getByRole('button', { name: 'Raise' }).click()
    const dialog = alice.getByRole('dialog')
    await saveScreenshots(alice, 'raise')
    await expectAccessible(alice)
    await dialog.getByLabel('In one line').fill('Freeze on Monday')
    await dialog.getByLabel('What to do about it').fill('Merge before noon.')
    await dialog.getByLabel(/^Where/).fill('src/**\ndocs/**')
    await dialog.getByRole('button', { name: 'Raise' }).click()
    await know(bob).getByText('Freeze on Monday').waitFor()
    await know(bob).getByRole('button', { name: 'Archive Freeze on Monday' }).click()
    await know(bob).getByRole('button', { name: 'Archive it for everybody' }).click()
    await know(alice).getByText('Freeze on Monday').waitFor({ state: 'detached' })
  })

  it('says what is wrong with a notable', async () => {
    const expected = [/status of 400 /]
    const page = await openAs(browser, service, scene.writer, scene.url, { expected })
    await know(page).getByRole('button', { name: 'Raise' }).click()
    await page.getByLabel('In one line').fill('x')
    await page.getByLabel('What to do about it').fill('x')
    await page.getByLabel(/^Where/).fill('src/{a')
    await page.getByRole('dialog').getByRole('button', { name: 'Raise' }).click()
    await page.getByRole('alert').filter({ hasText: 'scope.paths[0]' }).waitFor()
  })

  it('offers readers nothing that they may not do', async () => {
    const page = await openAs(browser, service, scene.reader, scene.url)
    await know(page).getByText('Session tokens become opaque').waitFor()
    expect(await page.getByRole('button', { name: /Raise|Archive/ }).count()).toBe(0)
  })

  it('shows a collision as soon as it begins, and announces it to screen readers', async () => {
    const own = newScene(service, 'live')
    const first = await own.post('/activity', byActor('Ana', 'Old work', 'src/auth/**'))
    const page = await open(own)
    await collides(page).getByText('Nothing collides.').waitFor()
    const second = await own.post('/activity', byActor('Ben', 'New work', 'src/auth/login.ts'))
    await collides(page).getByText('src/auth/login.ts').first().waitFor()
    await page
      .getByRole('status')
      .filter({ hasText: /New collision.*Ben, New work and Ana, Old work/ })
      .waitFor()
    await own.post(`/activity/${first.activity.id}/archive`)
    await collides(page).getByText('Nothing collides.').waitFor()
    await expect.poll(() => titles(page)).toEqual(['New work'])
    await own.post(`/activity/${second.activity.id}/archive`)
    await work(page).getByText('Nothing is in flight.').waitFor()
  })

  it('keeps its rows where they are while somebody reads them', async () => {
    const own = newScene(service, 'reading')
    const { activity } = await own.post('/activity', byActor('Ana', 'First', 'src/a/**'))
    await own.post('/activity', byActor('Ben', 'Second', 'src/b/**'))
    const page = await open(own)
    await expect.poll(() => titles(page)).toEqual(['Second', 'First'])
    await work(page).getByRole('button', { name: 'First' }).hover()
    await own.post('/activity', byActor('Cleo', 'Third', 'src/c/**'))
    await own.post(`/activity/${activity.id}/archive`)
    const button = work(page).getByRole('button', { name: 'Show 2 changes' })
    await button.waitFor()
    expect(await titles(page)).toEqual(['Second', 'First'])
    await work(page).getByText('Ended').waitFor()
    await button.click()
    await expect.poll(() => titles(page)).toEqual(['Third', 'Second'])
    await own.post('/activity', byActor('Dan', 'Fourth', 'src/d/**'))
    await work(page).getByRole('button', { name: 'Show 1 change' }).waitFor()
    await page.mouse.move(0, 0)
    await expect.poll(() => titles(page)).toEqual(['Fourth', 'Third', 'Second'])
  })

  it('keeps its filters in the address', async () => {
    const page = await open(scene, '?actor=Ben')
    await expect.poll(() => titles(page)).toEqual(['Keep the cart after signing out'])
    await work(page).getByRole('button', { name: 'Clear' }).click()
    await places(page)
      .getByRole('button', { name: /^auth\// })
      .click()
    await expect.poll(() => new URL(page.url()).search).toBe('?path=src%2Fauth%2F')
    await expect.poll(() => titles(page)).not.toContain('New price engine')
    await work(page).getByRole('searchbox', { name: 'Search' }).fill('passkeys')
    await expect.poll(() => titles(page)).toEqual(['Passkeys'])
    await page.reload()
    await expect.poll(() => titles(page)).toEqual(['Passkeys'])
    await page.goBack()
    await expect.poll(() => titles(page)).toContain('New price engine')
  })

  it('shows the places of the work that passes the filters, and a file that both globs match', async () => {
    const page = await open()
    const place = (name: RegExp) => places(page).getByRole('button', { name })
    await place(/^session\.ts ?: 2 at work, 1 collision$/).waitFor()
    await place(/^docs\//).waitFor()
    await work(page).getByLabel('Person').selectOption('Ben')
    await place(/^docs\//).waitFor({ state: 'detached' })
    await place(/^cart\//).click()
    await expect.poll(() => new URL(page.url()).search).toBe('?actor=Ben&path=src%2Fcart%2F')
    await place(/^cart\//).waitFor()
    expect(await place(/session\.ts/).count()).toBe(2)
    await work(page).getByRole('searchbox', { name: 'Search' }).fill('nothing like this')
    await places(page).getByText('No place passes the filters.').waitFor()
    await expectAccessible(page)
  })

  it('shows only one side of a collision, with its details', async () => {
    const page = await open()
    await collides(page).getByRole('button', { name: 'Rework the login' }).first().click()
    await work(page).getByText('New form, and a second factor.').waitFor()
    await expect.poll(() => titles(page)).toEqual(['Rework the login'])
    await expect.poll(() => new URL(page.url()).search).toMatch(/^\?activity=act_/)
    await work(page).getByRole('button', { name: 'Show all work' }).first().click()
    await expect.poll(() => titles(page)).toContain('New price engine')
  })

  it('says of a link to work that is no longer in flight that it may have ended', async () => {
    const page = await open(scene, '?activity=act_00000000000000000000000000')
    await work(page).getByText('It may have ended.').waitFor()
    await work(page).getByRole('button', { name: 'Show all work' }).click()
    await expect.poll(() => titles(page)).toContain('New price engine')
  })

  it('opens the details of work with only the keyboard', async () => {
    const page = await open()
    const title = work(page).getByRole('button', { name: 'Limit the attempts to log in' })
    await title.focus()
    await page.keyboard.press('Enter')
    await work(page).getByText('lines 120–164').waitFor()
    expect(await title.getAttribute('aria-expanded')).toBe('true')
    const outline = await title.evaluate((element) => getComputedStyle(element).outlineStyle)
    expect(outline).toBe('solid')
    await saveScreenshots(page, 'detail', { fullPage: true })
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await work(page).getByText('lines 120–164').waitFor({ state: 'detached' })
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

  it('draws both sides of a collision alike at every width, however long their texts are', async () => {
    const own = newScene(service, 'alike')
    const long = 'a-branch-with-a-name-that-goes-on-and-on-for-longer-than-any-line-has-room'
    await own.post('/activity', { ...byActor('Ana', 'Old', 'src/a.ts'), branch: long })
    await own.post('/activity', {
      ...byActor('Ben', `New work ${'and more of it '.repeat(9)}`, 'src/a.ts'),
      branch: 'b',
    })
    await own.post('/activity', { ...byActor('Cleo', 'Work without a branch', 'src/a.ts'), branch: null })
    const page = await open(own)
    await collides(page).getByRole('listitem').nth(2).waitFor()
    for (const width of [390, 641, 900, 1024, 1280, 1600, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      const sides = await collides(page)
        .locator('.side')
        .evaluateAll((all) =>
          all.map((side) => {
            const { top, height } = side.getBoundingClientRect()
            return [height, ...[...side.children].map((line) => line.getBoundingClientRect().top - top)].map(Math.round)
          }),
        )
      expect(sides).toHaveLength(6)
      for (const side of sides) expect(side, `${width} pixels`).toEqual(sides[0])
      expect(await cutOff(page)).toEqual([])
    }
  })

  it('needs no sideways scrolling at 390 pixels, in no panel', async () => {
    const page = await open()
    await page.setViewportSize({ width: 390, height: 844 })
    await work(page).getByText('Docs of the public API').waitFor()
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBe(390)
  })

  it('shows the newest 500 where there are more, and nothing shifts while they arrive', async () => {
    const own = newScene(service, 'large')
    await fillTable(service, own, 505)
    const page = await browser.newContext().then((context) => context.newPage())
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) document.title += ` shift:${JSON.stringify(entry)}`
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await openAs(browser, service, own.writer, own.url, { page })
    await page.getByText('More than 500').waitFor()
    expect(await titles(page)).toHaveLength(500)
    await page.getByText('Open pull requests are').waitFor()
    expect(await page.title()).toBe('acme/large · Headsup')
    await saveScreenshots(page, 'large')
  })
})
