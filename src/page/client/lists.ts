import type { RepositoryOfPage } from '../../core/page-paths.ts'
import type { Activity } from '../../core/schemas/activity.ts'
import type { ListedCollisions } from '../../core/schemas/live.ts'
import type { Notable } from '../../core/schemas/notable.ts'
import type { Observed } from '../../core/schemas/observation.ts'
import { freezesOf } from '../../core/texts/sentence/sentence.ts'
import type { Snapshot } from '../model/live-state.ts'
import type { Problem } from '../model/problem.ts'
import { type ApiResponse, apiPath, send } from './requests.ts'

/** An answer that is a refusal, or none at all. */
export class Refused extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.message)
    this.problem = problem
  }
}

function bodyOf<Body>(response: ApiResponse<Body>): Body {
  if (response.ok) return response.body
  throw new Refused(response.problem)
}

const ask = <Body>(repository: RepositoryOfPage, path: string) => send<Body>('GET', apiPath(repository, path))

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

/** Asks which work is the viewer's, and what collides with it. Throws `Refused`. */
export async function askMine(repository: RepositoryOfPage): Promise<Mine> {
  const own = await ask<Listed>(repository, '/activity?mine=true&limit=100')
  const none = { activities: [], collisions: { items: [], truncated: false } }
  if (!own.ok && own.problem.status === 400) {
    const { observed } = bodyOf(await ask<Listed>(repository, '/activity?limit=1'))
    return { ...none, ids: null, observed }
  }
  const { items: activities, observed } = bodyOf(own)
  if (activities.length === 0) return { ...none, ids: new Set(), observed }
  const collisions = bodyOf(await ask<ListedCollisions>(repository, '/collisions?mine=true'))
  return { ids: new Set(activities.map(({ id }) => id)), activities, collisions, observed }
}

const mostPages = 5

/**
 * Reads with lists what the stream would send, where a proxy blocks streams. Unchanged lists are answered with 304. Throws
 * `Refused`.
 */
export function createPoll(repository: RepositoryOfPage): (signal: AbortSignal) => Promise<Omit<Snapshot, 'access'>> {
  const known = new Map<string, { etag: string; body: unknown }>()

  async function read<Body>(path: string, signal: AbortSignal): Promise<Body> {
    const before = known.get(path)
    const headers = before ? { 'if-none-match': before.etag } : {}
    const reply = await send<Body>('GET', apiPath(repository, path), { signal, headers })
    if (reply.ok && reply.status === 304 && before) return before.body as Body
    if (reply.ok && reply.etag !== null) known.set(path, { etag: reply.etag, body: reply.body })
    return bodyOf(reply)
  }

  async function readAll<Item>(path: string, signal: AbortSignal): Promise<{ items: Item[]; isCut: boolean }> {
    const items: Item[] = []
    let cursor: string | null = ''
    for (let page = 0; cursor !== null && page < mostPages; page++) {
      const next: string = cursor && `&cursor=${encodeURIComponent(cursor)}`
      const found = await read<{ items: Item[]; next_cursor: string | null }>(`${path}?limit=100${next}`, signal)
      items.push(...found.items)
      cursor = found.next_cursor
    }
    return { items, isCut: cursor !== null }
  }

  return async (signal) => {
    const [activities, notables, { items, truncated }] = await Promise.all([
      readAll<Activity>('/activity', signal),
      readAll<Notable>('/notables', signal),
      read<ListedCollisions>('/collisions', signal),
    ])
    return {
      activities: activities.items,
      notables: notables.items,
      collisions: items,
      collisions_complete: !truncated,
      truncated: { activities: activities.isCut, notables: notables.isCut, collisions: truncated, scopes: false },
    }
  }
}

/** What the start page says of a repository: `3 collide · 1 yours · freeze`. */
export async function figuresOf(repository: RepositoryOfPage): Promise<string> {
  const all = await ask<ListedCollisions>(repository, '/collisions')
  if (!all.ok) return all.problem.kind === 'not-found' ? 'not found' : 'not known now'
  const { items, truncated } = all.body
  const own = items.length > 0 ? await ask<ListedCollisions>(repository, '/collisions?mine=true') : undefined
  const notables = await ask<{ items: Notable[] }>(repository, '/notables?limit=100')
  const yours = own?.ok ? own.body.items.length : 0
  const hasFreeze = notables.ok && freezesOf(notables.body.items).length > 0
  const collide =
    items.length === 0 && truncated ? 'not compared yet' : `${items.length}${truncated ? '+' : ''} collide`
  return [collide, ...(yours > 0 ? [`${yours} yours`] : []), ...(hasFreeze ? ['freeze'] : [])].join(' · ')
}
