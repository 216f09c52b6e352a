import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { call } from '../../support/client.ts'
import { viewOfLists } from '../history/stream-view.ts'

const Page = z.object({ items: z.array(z.unknown()), next_cursor: z.string().nullable() })

/** Reads the lists of a repository from one instance. `url` ends with the name of the repository. */
export async function readLists(url: string, token: string) {
  const all = async (list: string) => {
    const items: unknown[] = []
    for (let cursor = ''; ; ) {
      const page = Page.parse(await get(`${url}/${list}?limit=100${cursor}`, token))
      items.push(...page.items)
      if (page.next_cursor === null) return items
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`
    }
  }
  const [activities, notables] = [await all('activity'), await all('notables')]
  const { items: collisions } = Page.omit({ next_cursor: true }).parse(await get(`${url}/collisions`, token))
  return viewOfLists({ activities, notables, collisions })
}

/** A busy machine may answer a reading with 503, which says nothing of the lists: it is repeated for a minute. */
async function get(url: string, token: string): Promise<unknown> {
  for (let left = 60; ; left--) {
    const { status, body } = await call(url, { token })
    if (status === 200) return body
    if (status !== 503 || left === 0) throw new Error(`${url}: ${status}`)
    await sleep(1_000)
  }
}
