import type { Activity } from '../../activity/schema.ts'
import type { Observed } from '../../core/observation.ts'
import type { RepositoryOfPage } from '../../http/page-paths.ts'
import type { ListedCollisions } from '../../live/schema.ts'
import type { Notable } from '../../notable/schema.ts'
import { freezesOf } from '../../sentence/sentence.ts'
import type { Snapshot } from '../model/live-state.ts'
import type { Refusal } from '../model/problem.ts'
import { apiPath, send } from './requests.ts'

/** The viewer's own work, and how far open pull requests are known. */
export interface Mine {
  /** Null where the sign-in has no account. */
  ids: ReadonlySet<string> | null
  activities: readonly Activity[]
  collisions: Pick<ListedCollisions, 'items' | 'truncated'>
  observed: Observed
}

interface Listed {
  items: Activity[]
  observed: Observed
}

/** Asks which work is the viewer's, and what collides with it. The status of a refusal, 0 where nothing answered. */
export async function askMine({ owner, repo }: RepositoryOfPage): Promise<Mine | number> {
  const ask = <Body>(path: string) => send<Body>('GET', apiPath(owner, repo, path))
  const own = await ask<Listed>('/activity?mine=true&limit=100')
  if (!own.ok && own.refusal?.status === 400) {
    const newest = await ask<Listed>('/activity?limit=1')
    if (!newest.ok) return newest.refusal?.status ?? 0
    const none = { items: [], truncated: false }
    return { ids: null, activities: [], collisions: none, observed: newest.body.observed }
  }
  if (!own.ok) return own.refusal?.status ?? 0
  const { items, observed } = own.body
  const ids = new Set(items.map(({ id }) => id))
  if (ids.size === 0) return { ids, activities: [], collisions: { items: [], truncated: false }, observed }
  const collisions = await ask<ListedCollisions>('/collisions?mine=true')
  if (!collisions.ok) return collisions.refusal?.status ?? 0
  return { ids, activities: items, collisions: collisions.body, observed }
}

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

export async function figuresOf({ owner, repo }: RepositoryOfPage): Promise<string> {
  const ask = <Body>(path: string) => send<Body>('GET', apiPath(owner, repo, path))
  const all = await ask<ListedCollisions>('/collisions')
  if (!all.ok) return all.refusal?.status === 404 ? 'not found' : 'not known now'
  const { items, truncated } = all.body
  const own = items.length > 0 ? await ask<ListedCollisions>('/collisions?mine=true') : undefined
  const notables = await ask<{ items: Notable[] }>('/notables?limit=100')
  const yours = own?.ok ? own.body.items.length : 0
  const hasFreeze = notables.ok && freezesOf(notables.body.items).length > 0
  const collide =
    items.length === 0 && truncated ? 'not compared yet' : `${items.length}${truncated ? '+' : ''} collide`
  return [collide, ...(yours > 0 ? [`${yours} yours`] : []), ...(hasFreeze ? ['freeze'] : [])].join(' · ')
}
