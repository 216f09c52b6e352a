import type { Activity } from '../../activity/schema.ts'
import type { ListedCollisions } from '../../live/schema.ts'
import type { Notable } from '../../notable/schema.ts'
import type { Snapshot } from '../model/live-state.ts'
import type { Refusal } from '../model/problem.ts'
import { apiPath, send } from './requests.ts'

interface Page<Item> {
  items: readonly Item[]
  next_cursor: string | null
}

export type PollResult = { ok: true; snapshot: Omit<Snapshot, 'access'> } | { ok: false; refusal: Refusal | undefined }

const mostPages = 5

class Refused extends Error {
  readonly refusal: Refusal | undefined
  constructor(refusal: Refusal | undefined) {
    super('refused')
    this.refusal = refusal
  }
}

/** Reads with lists what the stream would send, where a proxy blocks streams. Unchanged lists are answered with 304. */
export function createPoll(owner: string, repo: string): (signal: AbortSignal) => Promise<PollResult> {
  const known = new Map<string, { etag: string; body: unknown }>()

  async function read<Body>(path: string, signal: AbortSignal): Promise<Body> {
    const before = known.get(path)
    const headers = before ? { 'if-none-match': before.etag } : undefined
    const reply = await send<Body>('GET', apiPath(owner, repo, path), { signal, ...(headers && { headers }) })
    if (!reply.ok) throw new Refused(reply.refusal)
    if (reply.status === 304 && before) return before.body as Body
    if (reply.etag !== null) known.set(path, { etag: reply.etag, body: reply.body })
    return reply.body
  }

  async function readAll<Item>(path: string, signal: AbortSignal): Promise<{ items: Item[]; isCut: boolean }> {
    const items: Item[] = []
    let cursor: string | null = null
    for (let page = 0; page < mostPages; page++) {
      const next = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const found: Page<Item> = await read(`${path}?limit=100${next}`, signal)
      items.push(...found.items)
      cursor = found.next_cursor
      if (cursor === null) break
    }
    return { items, isCut: cursor !== null }
  }

  return async (signal) => {
    try {
      const [activities, notables, collisions] = await Promise.all([
        readAll<Activity>('/activity', signal),
        readAll<Notable>('/notables', signal),
        read<ListedCollisions>('/collisions', signal),
      ])
      const { items, truncated } = collisions
      return {
        ok: true,
        snapshot: {
          activities: activities.items,
          notables: notables.items,
          collisions: items,
          collisions_complete: !truncated,
          truncated: { activities: activities.isCut, notables: notables.isCut, collisions: truncated, scopes: false },
        },
      }
    } catch (error) {
      return { ok: false, refusal: error instanceof Refused ? error.refusal : undefined }
    }
  }
}
