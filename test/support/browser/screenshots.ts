import { join } from 'node:path'
import type { Page } from 'playwright-core'

const { SCREENSHOTS } = process.env

/**
 * Saves how the page looks now, light and dark and at four widths, as `NAME-WIDTH-SCHEME.png` in the directory that the
 * variable SCREENSHOTS names. Without it does nothing.
 */
export async function saveScreenshots(page: Page, name: string, { fullPage = false } = {}): Promise<void> {
  if (!SCREENSHOTS) return
  const before = page.viewportSize()
  for (const width of [390, 768, 1280, 1920]) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 1080 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({
        path: join(SCREENSHOTS, `${name}-${width}-${colorScheme}.png`),
        fullPage,
        animations: 'disabled',
      })
    }
  }
  await page.emulateMedia({ colorScheme: null })
  if (before) await page.setViewportSize(before)
}
