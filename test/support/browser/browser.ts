import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type ConsoleMessage,
  chromium,
  type Page,
} from 'playwright-core'
import { beforeAll, expect, onTestFinished } from 'vitest'
import { chromiumArguments, chromiumPath } from './chromium.ts'

export interface ContextOptions extends BrowserContextOptions {
  /** Problems of a page that the test expects, such as a response with 404. Any other one fails the test. */
  expected?: RegExp[]
}

export interface TestBrowser {
  /** A new user of the browser, without cookies. It is closed when the test ends. */
  newContext(options?: ContextOptions): Promise<BrowserContext>
  /** Opens the address in a new context. */
  open(url: string, options?: ContextOptions): Promise<Page>
}

/** All test files of a worker share it. Playwright ends it with the worker. */
let launched: Promise<Browser> | undefined

function launch(): Promise<Browser> {
  // The sandbox does not work as root and in many containers. It is not needed: all pages are our own.
  const options = { executablePath: chromiumPath ?? '', chromiumSandbox: false, args: chromiumArguments }
  launched ??= chromium.launch(options)
  return launched
}

/** A browser for the tests of a `describe`. A test fails if one of its pages logs an error or breaks its CSP. */
export function useBrowser(): TestBrowser {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
  })

  async function newContext({ expected = [], ...options }: ContextOptions = {}) {
    const context = await browser.newContext({ viewport: { width: 1024, height: 768 }, ...options })
    context.setDefaultTimeout(15_000)
    const problems = await recordProblems(context)
    onTestFinished(async () => {
      await context.close()
      expect(problems.filter((problem) => !expected.some((pattern) => pattern.test(problem)))).toEqual([])
    })
    return context
  }

  return {
    newContext,
    async open(url, options) {
      const page = await (await newContext(options)).newPage()
      await page.goto(url)
      return page
    },
  }
}

/** Runs in every page. */
const reportCspViolations = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
  console.error('CSP violation: ' + violatedDirective + ' ' + blockedURI)
})`

/** Collects what goes wrong in the pages of a context from now on. */
async function recordProblems(context: BrowserContext): Promise<string[]> {
  const problems: string[] = []
  await context.addInitScript({ content: reportCspViolations })
  context.on('console', (message: ConsoleMessage) => {
    if (message.type() === 'error') problems.push(`${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (error) => void problems.push(`Uncaught ${error.error().stack}`))
  return problems
}
