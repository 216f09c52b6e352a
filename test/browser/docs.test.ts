import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible } from '../support/browser/axe.ts'
import { useBrowser } from '../support/browser/browser.ts'
import { describeInBrowser } from '../support/browser/chromium.ts'
import { cutOff } from '../support/browser/layout.ts'
import { saveScreenshots } from '../support/browser/screenshots.ts'
import { useBuiltService } from '../support/browser/service.ts'
import { call, errorOf } from '../support/client.ts'

const phone = { viewport: { width: 390, height: 844 } }

describeInBrowser('the page /docs', () => {
  const service = useBuiltService()
  const browser = useBrowser()

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
  const contentsOf = (page: Page) => page.getByRole('navigation', { name: 'Contents' })

  it('keeps the contents in view beside the section that one reads, which the keyboard reaches too', async () => {
    const page = await browser.open(`${service.url}/docs`)
    await contentsOf(page)
      .getByRole('link', { name: /Raise a notable/ })
      .click()
    await expect.poll(() => isInView(page, '#createNotable')).toBe(true)
    expect(await isInView(page, '#contents a[href="#start"]')).toBe(true)
    await saveScreenshots(page, 'docs-operation')
    await page.reload()
    await page.getByRole('link', { name: 'Contents', exact: true }).press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).hash).toBe('#start')
  })

  it('has its contents below the text on a phone, one link away', async () => {
    const page = await browser.open(`${service.url}/docs`, phone)
    expect(await isInView(page, '#contents a[href="#start"]')).toBe(false)
    await page.getByRole('link', { name: 'Contents', exact: true }).press('Enter')
    await expect.poll(() => isInView(page, '#contents a[href="#start"]')).toBe(true)
    await expectAccessible(page, '#contents')
    await contentsOf(page).getByRole('link', { name: 'List the collisions GET' }).click()
    await expect.poll(() => isInView(page, '#listCollisions')).toBe(true)
  })

  it('cuts nothing off from 320 pixels on', async () => {
    const page = await browser.open(`${service.url}/docs`)
    for (const width of [320, 385, 390, 1024]) {
      await page.setViewportSize({ width, height: 844 })
      await page.locator('details').evaluateAll('all => all.forEach((details) => { details.open = true })')
      expect(await cutOff(page), `at ${width} px`).toEqual([])
    }
    await expectAccessible(page)
  })

  it('shows the section of an error that the API returned', async () => {
    const { documentation_url } = errorOf(await call(`${service.url}/nowhere`))
    const page = await browser.open(documentation_url)
    await heading(page, 'not_found 404').waitFor()
    expect(await isInView(page, '#error-not_found')).toBe(true)
  })
})

/** Whether the user sees the element: it is in the window, and nothing covers it. */
async function isInView(page: Page, selector: string): Promise<boolean> {
  return await page.locator(selector).evaluate((element) => {
    const { left, top, height } = element.getBoundingClientRect()
    const { ownerDocument } = element
    return element.contains(ownerDocument.elementFromPoint(left + 4, top + height / 2))
  })
}
