import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { CDPSession, Page } from 'playwright-core'
import { expect } from 'vitest'
import { z } from 'zod'

const require = createRequire(import.meta.url)
/** The minified one: every page parses it anew. */
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

const Violations = z.array(z.object({ id: z.string(), help: z.string(), nodes: z.array(z.string()) }))

/** Runs in the page. A colour that is still changing would not be the one that people see. */
const settle = `settled = Promise.all(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished.catch(() => {})))`

/**
 * Runs in the isolated world. axe reads the colour of a text from `-webkit-text-fill-color`. Its value in Chromium is not the colour
 * that is painted where colours are forced; that of `color` is.
 */
const readPaintedColour = `;(({ prototype }) => {
  const { getPropertyValue } = prototype
  prototype.getPropertyValue = function (name) {
    return getPropertyValue.call(this, name === '-webkit-text-fill-color' ? 'color' : name)
  }
})(CSSStyleDeclaration)`

/** Of all rules only those of contrast depend on the colours. */
const contrast = '{ runOnly: ["color-contrast"] }'

const schemes: { colorScheme: 'light' | 'dark'; forcedColors?: 'active'; rules?: string }[] = [
  { colorScheme: 'light', rules: '{}' },
  { colorScheme: 'dark' },
  { colorScheme: 'light', forcedColors: 'active' },
  { colorScheme: 'dark', forcedColors: 'active' },
]

/** Runs in the page. */
const findViolations = (
  within: string,
  rules: string,
) => `settled.then(() => axe.run('${within}', ${rules})).then(({ violations }) => violations.map(({ id, help, nodes }) => (
  { id, help, nodes: nodes.slice(0, 5).map(({ html, failureSummary }) => html + ' ' + failureSummary) }
)))`

/**
 * Expects that axe finds nothing in the page, or in this part of it, as it is now: light, dark and in forced colours. It runs in an isolated world
 * of the page, so the page's CSP stays in force and does not concern it.
 */
export async function expectAccessible(page: Page, within = 'html'): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const contextId = await isolatedWorld(session)
  await session.send('Runtime.evaluate', { contextId, expression: axe + readPaintedColour })
  for (const { rules = contrast, ...media } of schemes) {
    await page.emulateMedia(media)
    await session.send('Runtime.evaluate', { contextId, expression: settle })
    const expression = findViolations(within, rules)
    const options = { contextId, expression, awaitPromise: true, returnByValue: true }
    const { result } = await session.send('Runtime.evaluate', options)
    const name = Object.values(media).join(', ')
    expect(Violations.parse(result.value), `axe, ${name}, ${page.url()}`).toEqual([])
  }
  await page.emulateMedia({ colorScheme: null, forcedColors: null })
  await session.detach()
}

async function isolatedWorld(session: CDPSession): Promise<number> {
  const { frameTree } = await session.send('Page.getFrameTree')
  const world = { frameId: frameTree.frame.id, worldName: 'axe' }
  return (await session.send('Page.createIsolatedWorld', world)).executionContextId
}
