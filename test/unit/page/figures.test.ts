import { afterEach, expect, it, vi } from 'vitest'
import { figuresOf } from '../../../src/page/client/lists.ts'
import { notable, pair } from './records.ts'

afterEach(() => void vi.unstubAllGlobals())

/** What is said of a repository whose API answers so. */
async function figures(answers: Record<string, object | number>): Promise<string> {
  vi.stubGlobal('fetch', async (url: string) => {
    const answer = answers[url.replace('/api/v1/repos/acme/shop', '')] ?? 503
    return typeof answer === 'number' ? Response.json({}, { status: answer }) : Response.json(answer)
  })
  return await figuresOf({ owner: 'acme', repo: 'shop' })
}

const pairs = (count: number, truncated = false) => ({ items: Array.from({ length: count }, () => pair()), truncated })
const freeze = { items: [notable({ blocking: true })] }

it.each([
  [
    { '/collisions': pairs(3), '/collisions?mine=true': pairs(1), '/notables?limit=100': freeze },
    '3 collide · 1 yours · freeze',
  ],
  [{ '/collisions': pairs(3, true), '/collisions?mine=true': pairs(0) }, '3+ collide'],
  [{ '/collisions': pairs(2), '/collisions?mine=true': 400, '/notables?limit=100': { items: [] } }, '2 collide'],
  [{ '/collisions': pairs(0) }, '0 collide'],
  [{ '/collisions': pairs(0, true) }, 'not compared yet'],
  [{ '/collisions': 404 }, 'not found'],
  [{ '/collisions': 429 }, 'not known now'],
])('the start page says of a repository with %j: %s', async (answers, text) => {
  expect(await figures(answers)).toBe(text)
})
