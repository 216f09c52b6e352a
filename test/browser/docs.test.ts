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
  const searchField = (page: Page) => page.getByRole('searchbox', { name: 'Search the reference' })

  it('keeps the contents in view and marks the section that one reads', async () => {
    const page = await browser.open(`${service.url}/docs`)
    const contents = page.getByRole('navigation', { name: 'Contents' })
    const link = contents.getByRole('link', { name: /Raise a notable/ })
    await link.click()
    await expect.poll(() => link.getAttribute('aria-current')).toBe('true')
    expect(await contents.locator('[aria-current]').count()).toBe(1)
    expect(await isInView(page, '#createNotable')).toBe(true)
    expect(await isInView(page, '#query')).toBe(true)
    await saveScreenshots(page, 'docs-operation')
  })

  it('can be searched with only the keyboard, down to a single field', async () => {
    const page = await browser.open(`${service.url}/docs`)
    await page.keyboard.press('/')
    await page.keyboard.type('expires_at notable')
    await expect.poll(() => page.getByRole('status').textContent()).toBe('1 result')
    await saveScreenshots(page, 'docs-search')
    await expectAccessible(page, '#contents')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).hash).toBe('#schema-Notable.expires_at')
    await expect.poll(() => isInView(page, '[id="schema-Notable.expires_at"]')).toBe(true)
    await page.keyboard.press('/')
    await page.keyboard.press('Escape')
    expect(await searchField(page).inputValue()).toBe('')
    await page.getByRole('navigation').getByRole('link', { name: 'Five calls' }).waitFor()
  })

  it('says how many results there are, also if there are none', async () => {
    const page = await browser.open(`${service.url}/docs`)
    const status = page.getByRole('status')
    await searchField(page).fill('sso_required')
    await expect.poll(() => status.textContent()).toBe('1 result')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).hash).toBe('#error-sso_required')
    await searchField(page).fill('<img src=x onerror=alert(1)>')
    await expect.poll(() => status.textContent()).toBe('0 results')
  })

  it('has its contents behind a button on a phone, which the keyboard reaches', async () => {
    const page = await browser.open(`${service.url}/docs`, phone)
    const contents = page.getByRole('navigation', { name: 'Contents' })
    expect(await contents.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Contents' }).press('Enter')
    await contents.waitFor()
    await expectAccessible(page, '#contents')
    await page.keyboard.press('Escape')
    expect(await contents.isVisible()).toBe(false)
    await page.keyboard.press('/')
    await page.keyboard.type('heartbeat')
    await page.keyboard.press('Enter')
    await expect.poll(() => contents.isVisible()).toBe(false)
    await expect.poll(() => new URL(page.url()).hash).not.toBe('')
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

  it('shows the section of an error that the API returned, with and without scripts', async () => {
    const { documentation_url } = errorOf(await call(`${service.url}/nowhere`))
    for (const javaScriptEnabled of [true, false]) {
      const page = await browser.open(documentation_url, { javaScriptEnabled })
      await heading(page, 'not_found 404').waitFor()
      expect(await isInView(page, '#error-not_found')).toBe(true)
    }
  })

  it('can be read without scripts, and has no search then', async () => {
    const page = await browser.open(`${service.url}/docs`, { javaScriptEnabled: false })
    expect(await searchField(page).isVisible()).toBe(false)
    await page.getByRole('link', { name: 'Check for overlap POST' }).click()
    expect(await isInView(page, '#checkOverlap')).toBe(true)
    await page.setViewportSize(phone.viewport)
    await page.getByRole('button', { name: 'Contents' }).click()
    await page.getByRole('link', { name: 'List the collisions GET' }).click()
    await page.keyboard.press('Escape')
    expect(await isInView(page, '#listCollisions')).toBe(true)
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
