import { existsSync, readFileSync } from 'node:fs'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest'

// The shell has no window, and needs a fifth of the processor time.
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const { CHROMIUM } = process.env
const executablePath = (CHROMIUM ? [CHROMIUM] : places).find((path) => existsSync(path))
const isBuilt = existsSync(new URL('../../../dist/page/files.json', import.meta.url))

if (!executablePath) console.log('Skipped: tests in a browser. They need chromium-headless-shell, or CHROMIUM.')
else if (!isBuilt) console.log('Skipped: tests in a browser. They need `npm run build`.')

/** Chromium calls nobody: neither its maker nor a name server. */
const args = [
  ...['--disable-background-networking', '--disable-component-update', '--disable-domain-reliability'],
  ...['--no-first-run', '--no-pings', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'],
]

/** Skipped where there is no Chromium. */
export const describeInBrowser = describe.skipIf(!executablePath || !isBuilt)

export interface ContextOptions extends BrowserContextOptions {
  /** Errors in the console that the test expects. Any other one, and any violation of the policy, fails it. */
  expected?: RegExp[]
}

const reportViolations = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
  console.error('CSP violation: ' + violatedDirective + ' ' + blockedURI)
})`

/** A browser for the tests of a `describe`. `newContext`: a person with a browser of their own, until the test ends. */
export function useBrowser() {
  let browser: Browser
  beforeAll(async () => {
    // Its sandbox does not work as root. It is not needed: all pages are our own.
    browser = await chromium.launch({ executablePath: executablePath ?? '', chromiumSandbox: false, args })
  })
  afterAll(() => browser.close())
  return {
    async newContext({ expected = [], ...options }: ContextOptions = {}): Promise<BrowserContext> {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
      context.setDefaultTimeout(30_000)
      const problems: string[] = []
      await context.addInitScript({ content: reportViolations })
      context.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text())
      })
      context.on('weberror', (error) => void problems.push(`Uncaught ${error.error().stack}`))
      onTestFinished(async () => {
        await context.close()
        expect(problems.filter((one) => !expected.some((pattern) => pattern.test(one)))).toEqual([])
      })
      return context
    },
  }
}

/** Signs a browser in, by the request that the page sends for a pasted token. */
export async function signIn(context: BrowserContext, url: string, token: string): Promise<void> {
  const headers = { 'sec-fetch-site': 'same-origin' }
  const response = await context.request.post(`${url}/-/session`, { headers, data: { token } })
  expect(response.status(), await response.text()).toBe(200)
}

const axe = readFileSync(new URL('../../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

const findViolations = (options: object) =>
  `axe.run('html', ${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' +
    nodes.slice(0, 3).map(({ html, failureSummary }) => html + ' ' + failureSummary).join(' | ')))`

/** Expects that axe finds nothing, light and dark. It runs in a world of its own, which the page's policy does not concern. */
export async function expectAccessible(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { frameTree } = await session.send('Page.getFrameTree')
  const world = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id, worldName: 'axe' })
  const contextId = world.executionContextId
  await session.send('Runtime.evaluate', { contextId, expression: axe })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    // The dark page differs in its colours alone.
    const expression = findViolations(colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : {})
    const asked = { contextId, expression, awaitPromise: true, returnByValue: true }
    const { result } = await session.send('Runtime.evaluate', asked)
    expect(result.value, `axe, ${colorScheme}`).toEqual([])
  }
  await session.detach()
}

/** Runs in the page: what reaches out of the window, or out of a box that hides it. */
const findCutOff = `(() => {
  const wide = document.documentElement.scrollWidth > innerWidth ? ['the page'] : []
  const found = [...document.body.querySelectorAll('*')].filter((element) => {
    if (!element.checkVisibility() || element.closest('svg, option')) return false
    const { right, left } = element.getBoundingClientRect()
    const hides = getComputedStyle(element).overflowX !== 'visible'
    return right > innerWidth + 1 || left < -1 || (hides && element.scrollWidth > element.clientWidth + 1)
  })
  // What opens has its name beside its arrow.
  const isBelow = (one) => one.firstElementChild.getBoundingClientRect().top > one.getBoundingClientRect().top + 9
  found.push(...[...document.querySelectorAll('summary')].filter(isBelow))
  return [...wide, ...found.map((one) => one.localName + ' ' + one.className + ' ' + one.textContent.trim().slice(0, 40))]
})()`

export const widths = [390, 768, 1280, 1920] as const
const { SCREENSHOTS } = process.env

/** Expects that nothing is cut off at any width. With the variable SCREENSHOTS it saves how each looks, light and dark. */
export async function expectWhole(page: Page, name: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 1000 })
    expect(await page.evaluate(findCutOff), `cut off at ${width} px`).toEqual([])
    for (const colorScheme of SCREENSHOTS ? (['light', 'dark'] as const) : []) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${SCREENSHOTS}/${name}-${width}-${colorScheme}.png`, fullPage: true })
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 })
}
