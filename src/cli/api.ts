import type { z } from 'zod'
import type {
  Activity,
  ActivityCreate,
  ActivityPage,
  ActivityUpdate,
  Archived,
  RetrievedActivity,
} from '../core/schemas/activity.ts'
import type { Notable, NotableCreate, NotablePage } from '../core/schemas/notable.ts'
import type { CollisionsAnswer, Overlap, OverlapCheck } from '../core/schemas/overlap.ts'
import type { SettingsAnswer } from '../core/schemas/settings.ts'
import { withoutUndefined } from '../core/without-undefined.ts'
import type { RepositoryName } from './git/remote-url.ts'
import { request, requestJson } from './http.ts'
import { ServiceAway } from './terminal.ts'

export type NewActivity = z.input<typeof ActivityCreate>
export type ActivityChange = z.input<typeof ActivityUpdate>
export type Proposal = z.input<typeof OverlapCheck>
export type NewNotable = z.input<typeof NotableCreate>
export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** What a create answers, and a PATCH with `overlap=true`. */
export interface Recorded {
  activity: Activity
  overlap: Overlap
}

export interface ApiOptions {
  /** The address of the service. */
  service: URL
  repository: RepositoryName
  token: string
  /** Where the token is from, for messages. */
  tokenFrom: string
  signal: AbortSignal
  /** False: no check waits for open pull requests to be read. */
  mayWait: boolean
}

interface CallOptions {
  query?: Query
  body?: object
  key?: string
}

/** The API about one repository. Each call throws a `Failure` that says what to do. */
export function createApi(options: ApiOptions) {
  const { service, repository, mayWait } = options
  const base = new URL(`api/v1/repos/${repository.owner}/${repository.name}/`, service)
  const call = <Answer>(method: string, path: string, { query = {}, body, key }: CallOptions = {}) => {
    const url = new URL(path, base)
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
    const headers = withoutUndefined({ prefer: mayWait ? undefined : 'wait=0', 'idempotency-key': key })
    return requestJson<Answer>({ ...options, method, url, body, headers })
  }
  const record = (kind: string, id: string) => `${kind}/${encodeURIComponent(id)}`
  return {
    settings: () => call<SettingsAnswer>('GET', 'settings'),
    check: (body: Proposal) => call<Overlap>('POST', 'activity/check', { body }),
    activities: (query: Query) => call<z.infer<typeof ActivityPage>>('GET', 'activity', { query }),
    activity: (id: string) => call<RetrievedActivity>('GET', record('activity', id)),
    /** The same key and body make one record, however often they are sent. */
    create: (body: NewActivity, key: string) => call<Recorded>('POST', 'activity', { body, key }),
    update: (id: string, body: ActivityChange) =>
      call<Recorded>('PATCH', record('activity', id), { query: { overlap: true }, body }),
    archive: (id: string) => call<z.infer<typeof Archived>>('POST', `${record('activity', id)}/archive`),
    collisions: () => call<CollisionsAnswer>('GET', 'collisions'),
    notables: (query: Query) => call<z.infer<typeof NotablePage>>('GET', 'notables', { query }),
    raise: (body: NewNotable) => call<Notable>('POST', 'notables', { body }),
    archiveNotable: (id: string) => call<z.infer<typeof Archived>>('POST', `${record('notables', id)}/archive`),
    /** The stream of `/events`, as text. Throws `ServiceAway` where it breaks off. */
    async *follow(): AsyncGenerator<string> {
      const { body } = await request({ ...options, method: 'GET', url: new URL('events', base) })
      if (!body) return
      try {
        yield* body.pipeThrough(new TextDecoderStream())
      } catch {
        throw new ServiceAway(`${service.origin} broke off.`)
      }
    },
  }
}

export type Api = ReturnType<typeof createApi>
