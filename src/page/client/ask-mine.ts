import type { Activity } from '../../activity/schema.ts'
import type { RepositoryOfPage } from '../../http/page-paths.ts'
import type { ListedCollisions } from '../../live/schema.ts'
import type { Observed } from '../../observed/state.ts'
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
    const any = await ask<Listed>('/activity?limit=1')
    if (!any.ok) return any.refusal?.status ?? 0
    const none = { items: [], truncated: false }
    return { ids: null, activities: [], collisions: none, observed: any.body.observed }
  }
  if (!own.ok) return own.refusal?.status ?? 0
  const { items, observed } = own.body
  const ids = new Set(items.map(({ id }) => id))
  if (ids.size === 0) return { ids, activities: [], collisions: { items: [], truncated: false }, observed }
  const collisions = await ask<ListedCollisions>('/collisions?mine=true')
  if (!collisions.ok) return collisions.refusal?.status ?? 0
  return { ids, activities: items, collisions: collisions.body, observed }
}
