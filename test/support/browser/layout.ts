import type { Page } from 'playwright-core'
import { z } from 'zod'

/**
 * Runs in the page. Text that only screen readers are meant to get is clipped to nothing, so it does not count. An ellipsis
 * says itself that there is more.
 */
const findCutOff = `(() => {
  const name = (element) => element.localName + (element.id && '#' + element.id) + ' ' + element.textContent.trim().slice(0, 40)
  const isUnseen = (element) => getComputedStyle(element).clipPath.startsWith('inset') || element.clientWidth <= 1
  const wide = document.documentElement.scrollWidth > innerWidth ? ['the page'] : []
  const found = [...document.body.querySelectorAll('*')].filter((element) => {
    if (!element.checkVisibility() || element.closest('svg') || isUnseen(element)) return false
    const { right, left } = element.getBoundingClientRect()
    const { overflowX, textOverflow } = getComputedStyle(element)
    const hides = overflowX !== 'visible' && textOverflow !== 'ellipsis'
    return right > innerWidth + 1 || left < -1 || (hides && element.scrollWidth > element.clientWidth + 1)
  })
  return [...wide, ...found.map(name)]
})()`

/** What reaches out of the window or out of a box that hides it, as name and text of the elements. */
export async function cutOff(page: Page): Promise<string[]> {
  return z.array(z.string()).parse(await page.evaluate(findCutOff))
}
