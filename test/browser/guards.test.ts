import { expect, it } from 'vitest'
import { expectAccessible } from '../support/browser/axe.ts'
import { useBrowser } from '../support/browser/browser.ts'
import { describeInBrowser } from '../support/browser/chromium.ts'

const pageOf = (content: string) => `data:text/html,${encodeURIComponent(content)}`

const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'">`

describeInBrowser('a test in a browser', () => {
  const browser = useBrowser()

  it.fails.each([
    ['logs an error', '<script>console.error("x")</script>'],
    ['throws an error', '<script>throw new Error("x")</script>'],
    ['breaks its policy', `${policy}<p style="color: red">`],
    ['asks for what is not there', '<img src="http://127.0.0.1:9/">'],
  ])('fails if its page %s', async (_, content) => {
    await browser.open(pageOf(content))
  })

  it('fails only on problems that it does not expect', async () => {
    await browser.open(pageOf('<script>console.error("as expected")</script>'), { expected: [/as expected/] })
  })

  it.each(['light', 'dark'])('fails on what axe finds in the %s colour scheme', async (scheme) => {
    const style = `body { background: #fff; color: #000 }
      @media (prefers-color-scheme: ${scheme}) { p { color: #ccc } }`
    const content = `<html lang="en"><title>x</title><style>${style}</style><main><h1>Title</h1><p>Text</p></main>`
    const page = await browser.open(pageOf(`<!DOCTYPE html>${content}`))
    await expect(expectAccessible(page)).rejects.toThrow(`axe, ${scheme}`)
  })
})
