import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createStage } from '../../../scripts/demo/stage.ts'
import { createStoryPrinter } from '../../../scripts/demo/story-printer.ts'

const server = createServer((_request, response) => response.end('{"overlap_detected": true}'))
let url: string

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
})
afterAll(() => server.close())

/** Asks for what is not as the story expects, since somebody else has recorded work. */
async function ask(isStrict: boolean) {
  const lines: string[] = []
  const printer = createStoryPrinter((line) => lines.push(line), false)
  const stage = await createStage('/nowhere', printer, isStrict)
  const step = { expect: { status: 200, body: { overlap_detected: false } }, show: ['overlap_detected'] }
  const answer = stage.ask({ method: 'GET', url }, step)
  return { answer, lines }
}

describe('a response that is not as the story expects', () => {
  it('is printed for those who watch, and the story continues', async () => {
    const { answer, lines } = await ask(false)
    expect(await answer).toEqual({ overlap_detected: true })
    expect(lines.join(' ')).toMatch(
      /overlap_detected: true .*body\.overlap_detected is true, and ought to be false\. Somebody has changed something/,
    )
  })

  it('ends a story that runs as a script', async () => {
    const { answer } = await ask(true)
    await expect(answer).rejects.toThrow('body.overlap_detected is true')
  })
})
