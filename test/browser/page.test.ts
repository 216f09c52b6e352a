import { beforeAll, expect, it } from 'vitest'
import { expectAccessible } from '../support/browser/axe.ts'
import { useBrowser } from '../support/browser/browser.ts'
import { describeInBrowser } from '../support/browser/chromium.ts'
import { fillScene, newScene, openAs, type Scene } from '../support/browser/scene.ts'
import { saveScreenshots } from '../support/browser/screenshots.ts'
import { useBuiltService } from '../support/browser/service.ts'

describeInBrowser('the page of a repository', () => {
  const service = useBuiltService()
  const browser = useBrowser()
  let scene: Scene

  beforeAll(async () => {
    scene = newScene(service, 'shop')
    await fillScene(service, scene)
  })

  it('shows what collides, where, and what to know', async () => {
    const page = await openAs(browser, service, scene.writer, scene.url)
    const collides = page.getByRole('region', { name: 'Collides' })
    await expect.poll(() => collides.getByRole('listitem').count()).toBeGreaterThan(1)
    await saveScreenshots(page, 'full', { fullPage: true })
    await expectAccessible(page)
  })
})
