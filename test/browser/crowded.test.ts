import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { expectAccessible } from '../support/browser/axe.ts'
import { useBrowser } from '../support/browser/browser.ts'
import { describeInBrowser } from '../support/browser/chromium.ts'
import { cutOff } from '../support/browser/layout.ts'
import { fillCrowd, newScene, openAs, type Scene } from '../support/browser/scene.ts'
import { saveScreenshots } from '../support/browser/screenshots.ts'
import { useBuiltService } from '../support/browser/service.ts'

/** What has the focus: its id, else its text. */
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent?.trim() || '')

/** The left edges of the elements, in their order. */
const leftEdges = (page: Page, selector: string) =>
  page.evaluate(
    (all) => [...document.querySelectorAll(all)].map((element) => element.getBoundingClientRect().left),
    selector,
  )

describeInBrowser('the page of a repository in which 29 pairs collide', () => {
  const service = useBuiltService()
  const browser = useBrowser()
  let scene: Scene

  beforeAll(async () => {
    scene = newScene(service, 'crowded')
    await fillCrowd(scene, 29)
  })

  async function open(): Promise<Page> {
    const page = await openAs(browser, service, scene.writer, scene.url)
    await page.getByRole('heading', { name: /^\S+ works on the file you work on\.$/ }).waitFor()
    await page.getByText('29', { exact: true }).first().waitFor()
    return page
  }

  it('has the search within six Tab stops, and folds all but five cards of others', async () => {
    const page = await open()
    const stops: string[] = []
    while (stops.length < 12 && stops.at(-1) !== 'q') {
      await page.keyboard.press('Tab')
      stops.push(await focused(page))
    }
    expect(stops.length, stops.join(', ')).toBeLessThanOrEqual(6)
    const cards = page.getByRole('region', { name: 'Collides' }).locator('.card').filter({ visible: true })
    expect(await cards.count()).toBe(7)
    await page.keyboard.press('Escape')
    for (let step = 0; step < 30; step++) await page.keyboard.press('j')
    expect(await focused(page)).toContain((await cards.allInnerTexts()).at(-1)?.match(/\S+\.tsx/)?.[0])
    expect(await cards.locator('.card-toggle[aria-expanded=true]').count()).toBe(2)
    await page.getByRole('button', { name: 'Show 22 more of others' }).click()
    expect(await cards.count()).toBe(29)
    await saveScreenshots(page, 'crowded')
    await expectAccessible(page)
  })

  it('cuts off no text at 1,280 pixels, and none at 1,920', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Show 22 more of others' }).click()
    for (const width of [1280, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await cutOff(page), `at ${width} px`).toEqual([])
    }
  })

  it('leads past its head by the keyboard: to the search, or to what collides', async () => {
    const page = await open()
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('To the search')
    await page.keyboard.press('Enter')
    expect(await focused(page)).toBe('q')
    await page.reload()
    await page.getByRole('region', { name: 'Collides' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('To what collides')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('section')?.id)).toBe('collides')
  })

  it('prints the sentence, all cards and all rows, dark on light, without what can only be pressed', async () => {
    const page = await open()
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    for (const name of ['Search', 'Mine 2', 'Copy a message', 'Raise', 'Sign out']) {
      expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(0)
    }
    expect(await page.getByRole('searchbox').count()).toBe(0)
    expect(await page.locator('.card').filter({ visible: true }).count()).toBe(29)
    expect(
      await page
        .getByText(/^Show \d+ more/)
        .filter({ visible: true })
        .count(),
    ).toBe(0)
    expect(await page.locator('.row').last().isVisible()).toBe(true)
    const colours = await page.evaluate(() => {
      const { color, backgroundColor } = getComputedStyle(document.body)
      const skipped = [...document.querySelectorAll('.row')].filter(
        (row) => getComputedStyle(row).contentVisibility !== 'visible',
      )
      return { color, backgroundColor, skipped: skipped.length }
    })
    expect(colours).toEqual({ color: 'rgb(26, 32, 48)', backgroundColor: 'rgb(245, 246, 248)', skipped: 0 })
    expect(await cutOff(page)).toEqual([])
    expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(10_000)
  })

  it('shows in forced colours what is chosen, what is worst and where the keyboard is', async () => {
    const page = await open()
    await page.emulateMedia({ forcedColors: 'active' })
    const outline = () =>
      page.getByRole('button', { name: /^Mine/ }).evaluate((chip) => getComputedStyle(chip).outlineStyle)
    expect(await outline()).toBe('none')
    await page.getByRole('button', { name: /^Mine/ }).click()
    await page.getByRole('heading', { level: 1 }).click()
    expect(await outline()).toBe('solid')
    await page.locator('.card').first().getByText('▲').waitFor()
    await page.keyboard.press('/')
    expect(await page.locator('#q').evaluate((field) => getComputedStyle(field).outlineStyle)).toBe('solid')
    await expectAccessible(page)
  })

  it('moves nothing by itself, so that those who ask for less motion see the same', async () => {
    const page = await open()
    const moving = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('*')]
          .map((element) => getComputedStyle(element))
          .filter((style) => parseFloat(style.transitionDuration) > 0 || parseFloat(style.animationDuration) > 0)
          .map(({ transitionProperty }) => transitionProperty),
      )
    for (const reducedMotion of ['reduce', 'no-preference'] as const) {
      await page.emulateMedia({ reducedMotion })
      expect(await moving(), reducedMotion).toEqual([])
    }
  })

  it('reads names of right-to-left scripts where they stand, and moves nothing beside them', async () => {
    const own = newScene(service, 'bidi')
    const [actor, title] = ['מרים (2)', 'תיקון הכניסה #7']
    const paths = ['src/auth/כניסה.ts']
    await own.post('/activity', { title: 'Mine', summary: '.', actor: 'Ana', branch: 'feat/a', scope: { paths } })
    await own.post('/activity', { title, summary: '.', actor, branch: 'feat/b', scope: { paths } }, own.otherWriter)
    const page = await openAs(browser, service, own.writer, own.url)
    const head = page.getByRole('heading', { name: `${actor} works on the file you work on.` })
    await head.waitFor()
    const ends = await head.evaluate((heading) => {
      const range = document.createRange()
      const [name, rest] = [heading.querySelector('bdi'), heading.lastChild]
      if (!name || !rest) return []
      range.selectNode(rest)
      return [name.getBoundingClientRect().right, range.getBoundingClientRect().left]
    })
    expect(ends[0]).toBeLessThanOrEqual((ends[1] ?? 0) + 1)
    const edges = await leftEdges(page, '.person:last-child > *')
    expect(edges.length).toBeGreaterThan(2)
    expect(edges).toEqual(edges.toSorted((a, b) => a - b))
    await saveScreenshots(page, 'bidi')
    await expectAccessible(page)
  })
})
