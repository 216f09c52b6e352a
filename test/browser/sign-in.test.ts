import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { expectAccessible } from '../support/browser/axe.ts'
import { type ContextOptions, useBrowser } from '../support/browser/browser.ts'
import { describeInBrowser } from '../support/browser/chromium.ts'
import { cutOff } from '../support/browser/layout.ts'
import { newScene, type Scene } from '../support/browser/scene.ts'
import { saveScreenshots } from '../support/browser/screenshots.ts'
import { useBuiltService } from '../support/browser/service.ts'
import { environment, headsup, run } from '../support/command-line.ts'
import { scratch } from '../support/scratch.ts'

/** A token that ended is 401, or 400 where GitHub no longer says whose it is. */
const refused = /status of 40[01]/

describeInBrowser('signing in to the page', () => {
  const service = useBuiltService({ HEADSUP_PERMISSION_CACHE_MS: '1000' }, { githubSignIn: true })
  const browser = useBrowser()
  let scene: Scene
  let login: string

  beforeAll(async () => {
    scene = newScene(service, 'shop')
    login = `writer${scene.id}`
    await scene.post('/activity', { title: 'Rework the login', summary: 'x', actor: 'Ana' })
  })

  /** Opens an address as somebody who is not signed in. Each of its addresses is recorded. */
  async function visit(url: string, options?: ContextOptions): Promise<{ page: Page; addresses: string[] }> {
    const page = await (await browser.newContext(options)).newPage()
    const addresses: string[] = []
    page.on('request', (request) => void addresses.push(request.url()))
    await page.goto(url)
    return { page, addresses }
  }

  const showsRepository = (page: Page) => page.getByRole('region', { name: 'Who works on what' }).waitFor()
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  async function pasteToken(page: Page, token: string) {
    await page.getByText('Another way').click()
    await page.getByLabel('Or paste a GitHub token').fill(token)
    await button(page, 'Sign in').click()
  }

  /** The address that `headsup open src` opens. */
  async function addressOfOpen(GITHUB_TOKEN: string): Promise<string> {
    const directory = await scratch()
    const env = environment(directory, { HEADSUP_URL: service.url, GITHUB_TOKEN })
    const args = [headsup, 'open', 'src', '--print', '--repo', 'acme/shop']
    const { out, err } = await run(process.execPath, args, { cwd: directory, env, input: '' })
    expect(out, err).toMatch(/^http/)
    return out.trim()
  }

  it('works with a pasted token, which appears in no address, and ends with signing out', async () => {
    const { page, addresses } = await visit(scene.url, { expected: [refused] })
    await page.getByRole('heading', { name: `Sign in to see what is going on in acme/shop` }).waitFor()
    await pasteToken(page, 'ghp_unknown')
    await page.getByRole('heading', { name: 'Signing in did not work' }).waitFor()
    await saveScreenshots(page, 'sign-in')
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await cutOff(page)).toEqual([])
    await page.goto(scene.url)
    await pasteToken(page, scene.writer)
    await showsRepository(page)
    expect(await page.getByText(`@${login}`).isVisible()).toBe(true)
    await page.reload()
    await showsRepository(page)
    await button(page, 'Sign out').click()
    await page.waitForURL(`${service.url}/`)
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
    // The names of private repositories went with the session.
    expect(await page.getByRole('link', { name: 'acme/shop' }).count()).toBe(0)
    expect(addresses.filter((address) => address.includes('ghp_'))).toEqual([])
  })

  it('works with GitHub, and comes back to the same filters', async () => {
    service.github.signInAs(login)
    const { page, addresses } = await visit(`${scene.url}?q=login&status=active`)
    await page.getByRole('link', { name: 'Sign in with GitHub' }).click()
    await showsRepository(page)
    expect(page.url()).toBe(`${scene.url}?q=login&status=active`)
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('login')
    expect(addresses.some((address) => address.startsWith(service.github.serverUrl))).toBe(true)
    await button(page, 'Sign out').click()
    await page.waitForURL(`${service.url}/`)
  })

  it('says so if the person refuses at GitHub, and offers to try again', async () => {
    service.github.signInAs(null)
    const { page } = await visit(scene.url, { expected: [/status of 40\d/] })
    await page.getByRole('link', { name: 'Sign in with GitHub' }).click()
    await page.waitForURL(/\/-\/callback/)
    await page.getByRole('heading').first().waitFor()
    await saveScreenshots(page, 'sign-in-refused')
    await expectAccessible(page)
    service.github.signInAs(login)
    await page.getByRole('link').first().click()
    await page.waitForURL((url) => !url.pathname.startsWith('/-/callback'))
  })

  it('works with what `headsup open` opens once, after the person agreed, and shows the path', async () => {
    const url = await addressOfOpen(scene.reader)
    const { page, addresses } = await visit(url)
    await page.getByRole('heading', { name: `Sign in as @reader${scene.id}?` }).waitFor()
    expect(page.url()).toBe(url.replace(/#.*/, ''))
    await button(page, `Sign in as @reader${scene.id}`).click()
    await showsRepository(page)
    expect(page.url()).toBe(`${scene.url}?path=src`)
    const code = new URL(url).hash.slice(1)
    expect(addresses.filter((address) => address.includes(code) && !address.includes('#'))).toEqual([])

    const second = await visit(url, { expected: [refused] })
    await second.page.getByRole('heading', { name: 'This sign-in did not work' }).waitFor()
  })

  it('begins no session until the person agrees', async () => {
    const { page } = await visit(await addressOfOpen(scene.reader))
    await page.getByRole('link', { name: 'No, leave' }).click()
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
    expect(await page.context().cookies()).toEqual([])
  })

  it('keeps its contents, greyed, when the session ends, and continues after signing in again', async () => {
    const token = service.github.addToken('ghp_leaving', login)
    const { page } = await visit(scene.url, { expected: [refused] })
    await pasteToken(page, token)
    await showsRepository(page)
    await scene.post('/activity', { title: 'Seen before the end', summary: 'x', actor: 'Ana' })
    await button(page, '1 new').click()
    await button(page, 'Seen before the end').waitFor()
    service.github.revoke(token)
    await page.getByText('Your session is over.').first().waitFor()
    expect(await button(page, 'Seen before the end').isVisible()).toBe(true)
    expect(await page.getByRole('button', { name: 'Raise' }).count()).toBe(0)
    await button(page, 'Sign in again').click()
    await pasteToken(page, scene.writer)
    await button(page, 'Seen before the end').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
  })
})
