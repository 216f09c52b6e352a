import axe from 'axe-core'
import type { CDPSession, Page } from 'playwright-core'
import { expect } from 'vitest'
import { z } from 'zod'

const Violations = z.array(z.object({ id: z.string(), help: z.string(), nodes: z.array(z.string()) }))

/** Runs in the page. A colour that is still changing would not be the one that people see. */
const settle = `settled = Promise.all(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished.catch(() => {})))`

/** Runs in the page. Of all rules only those of contrast depend on the colour scheme. */
const findViolations = (
  within: string,
  rules: string,
) => `settled.then(() => axe.run('${within}', ${rules})).then(({ violations }) => violations.map(({ id, help, nodes }) => (
  { id, help, nodes: nodes.slice(0, 5).map(({ html, failureSummary }) => html + ' ' + failureSummary) }
)))`

/**
 * Expects that axe finds nothing in the page, or in this part of it, as it is now, light and dark. It runs in an isolated world
 * of the page, so the page's CSP stays in force and does not concern it.
 */
export async function expectAccessible(page: Page, within = 'html'): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const contextId = await isolatedWorld(session)
  await session.send('Runtime.evaluate', { contextId, expression: axe.source })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await session.send('Runtime.evaluate', { contextId, expression: settle })
    const expression = findViolations(within, colorScheme === 'light' ? '{}' : '{ runOnly: ["color-contrast"] }')
    const options = { contextId, expression, awaitPromise: true, returnByValue: true }
    const { result } = await session.send('Runtime.evaluate', options)
    expect(Violations.parse(result.value), `axe, ${colorScheme}, ${page.url()}`).toEqual([])
  }
  await page.emulateMedia({ colorScheme: null })
  await session.detach()
}

async function isolatedWorld(session: CDPSession): Promise<number> {
  const { frameTree } = await session.send('Page.getFrameTree')
  const world = { frameId: frameTree.frame.id, worldName: 'axe' }
  return (await session.send('Page.createIsolatedWorld', world)).executionContextId
}
