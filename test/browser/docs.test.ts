import { it } from 'vitest'
import { expectAccessible } from '../support/browser/axe.ts'
import { useBrowser } from '../support/browser/browser.ts'
import { describeInBrowser } from '../support/browser/chromium.ts'
import { saveScreenshots } from '../support/browser/screenshots.ts'
import { useBuiltService } from '../support/browser/service.ts'

describeInBrowser('the page /docs', () => {
  const service = useBuiltService()
  const browser = useBrowser()

  it('has no violation of accessibility rules', async () => {
    const page = await browser.open(`${service.url}/docs`)
    await saveScreenshots(page, 'docs')
    await expectAccessible(page)
  })
})
