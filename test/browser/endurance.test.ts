import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible } from '../support/browser/axe.ts'
import { type ContextOptions, useBrowser } from '../support/browser/browser.ts'
import { describeInBrowser } from '../support/browser/chromium.ts'
import { cutOff } from '../support/browser/layout.ts'
import { newScene, openAs, type Scene } from '../support/browser/scene.ts'
import { saveScreenshots } from '../support/browser/screenshots.ts'
import { useBuiltService } from '../support/browser/service.ts'

const phone = { width: 390, height: 844 }

describeInBrowser('the page of a repository, with what it was not made for', () => {
  const service = useBuiltService()
  const browser = useBrowser()
  let scenes = 0

  const newRepository = () => newScene(service, `endurance-${++scenes}`)

  async function open(scene: Scene, options?: ContextOptions): Promise<Page> {
    const page = await openAs(browser, service, scene.writer, scene.url, options)
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).waitFor()
    return page
  }

  it('shows markup and bidirectional characters in every field as text, and cuts off none of it', async () => {
    const scene = newRepository()
    const markup = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
    const hidden = 'safe\u202Egnp.exe \u200Bend'
    const long = 'w'.repeat(180)
    const work = { summary: `${markup} ${long}`, actor: `<b>${'e'.repeat(80)}</b>`, agent: '<i>agent</i>' }
    const paths = [`src/${long}/**`, 'src/<b>/\u202Ea.ts']
    await scene.post('/activity', { ...work, title: `${markup} ${hidden}`, branch: `x/${long}`, scope: { paths } })
    await scene.post('/activity', {
      ...work,
      title: long,
      branch: 'a"onmouseover="x',
      scope: { paths, areas: ['<u>'] },
    })
    await scene.post('/notables', {
      ...{
        title: `${markup} ${long}`.slice(0, 200),
        summary: `${hidden} ${long}`,
        importance: 'critical',
        category: 'warning',
      },
      ...{ scope: { paths, areas: ['<u>'] }, decision_url: "https://example.com/?'onclick=x" },
    })
    const page = await open(scene)
    const collision = page.getByRole('region', { name: 'Collides' }).getByRole('listitem')
    await collision.locator('.advice summary').first().click()
    await page
      .getByRole('region', { name: 'Who works on what' })
      .getByRole('button', { name: long, exact: true })
      .click()
    await page.getByRole('button', { name: 'Only this work and its collisions' }).waitFor()
    expect(await page.locator('main :is(img, script, b, i, u), [onmouseover]').count()).toBe(0)
    expect(await page.title()).toMatch(/^\(1\) acme\/endurance-1: Two works of yours .* · Headsup$/)
    const text = String(await page.evaluate('document.body.textContent'))
    expect(text).toContain(markup)
    expect(text).not.toMatch(/[\u202E\u200B]/)
    expect(text).toContain('U+202E')
    await saveScreenshots(page, 'hostile', { fullPage: true })
    await expectAccessible(page)
    for (const size of [
      { width: 320, height: 640 },
      phone,
      { width: 768, height: 800 },
      { width: 1024, height: 768 },
    ]) {
      await page.setViewportSize(size)
      expect(await cutOff(page), `at ${size.width} px`).toEqual([])
    }
  })

  it('shows where the keyboard is at every step, and comes back to it from a dialog', async () => {
    const scene = newRepository()
    await scene.post('/activity', {
      ...{
        title: 'Rework the login',
        summary: 'x',
        actor: 'Ana',
        branch: 'feat/login',
        scope: { paths: ['src/auth/**'] },
      },
    })
    const page = await open(scene)
    const steps: string[] = []
    for (let step = 0; step < 30; step++) {
      await page.keyboard.press('Tab')
      const focus = String(await page.evaluate(describeFocus))
      if (focus === 'the page') break
      steps.push(focus)
    }
    const missing = ['Sign out', 'Raise', 'src', 'search', 'select', 'Rework the login'].filter(
      (name) => !steps.some((step) => step.includes(name)),
    )
    expect(missing).toEqual([])
    expect(steps.filter((step) => step.endsWith('not seen'))).toEqual([])

    await page.getByRole('button', { name: 'Raise' }).press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await page.evaluate(describeFocus)).toContain('Raise')
  })

  it('does not change while the service restarts, allows no edits, and then shows what happened since', async () => {
    const scene = newRepository()
    await scene.post('/activity', { title: 'Before', summary: 'x', actor: 'Ana' })
    const page = await open(scene, { expected: [/ERR_|status of 503/] })
    const work = page.getByRole('region', { name: 'Who works on what' })
    await work.getByRole('button', { name: 'Before', exact: true }).waitFor()
    await page.evaluate('document.body.dataset.mark = "kept"')
    await service.stop()
    await page.getByText('The connection is lost.').first().waitFor()
    expect(await work.getByRole('button', { name: 'Before', exact: true }).isVisible()).toBe(true)
    expect(await page.getByRole('button', { name: 'Raise' }).count()).toBe(0)
    await service.start()
    await scene.post('/activity', { title: 'After', summary: 'x', actor: 'Ben' })
    await work.getByRole('button', { name: '1 new' }).click({ timeout: 30_000 })
    await work.getByRole('button', { name: 'After', exact: true }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    expect(await page.evaluate('document.body.dataset.mark')).toBe('kept')
  })

  it('ends in every tab when one of them signs out', async () => {
    const scene = newRepository()
    const first = await open(scene, { expected: [/status of 40[01]/] })
    const second = await first.context().newPage()
    await second.goto(scene.url)
    await second.getByText('Live', { exact: true }).waitFor()
    await second.getByRole('button', { name: 'Sign out' }).click()
    await second.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
    await first.getByText('Your session is over.').first().waitFor()
    expect(await first.getByRole('button', { name: 'Raise' }).count()).toBe(0)
  })
})

/** Runs in the page: what has the focus, and whether a person sees that. */
const describeFocus = `(() => {
  const element = document.activeElement
  if (element === document.body) return 'the page'
  const marked = [element, element.closest('label')].filter(Boolean).map((one) => getComputedStyle(one))
  const isSeen = marked.some(({ outlineStyle, boxShadow }) => outlineStyle !== 'none' || boxShadow !== 'none')
  const name = element.getAttribute('aria-label') ?? element.textContent.slice(0, 40)
  return [element.localName, element.type, name, isSeen ? '' : 'not seen'].join(' ')
})()`
