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
import type { RepositoryName } from './git/remote-url.ts'
import { request, requestJson } from './http.ts'

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

/** The API about one repository. Each call throws a `Failure` that says what to do. */
export interface Api {
  settings(): Promise<SettingsAnswer>
  check(proposal: Proposal): Promise<Overlap>
  activities(query: Query): Promise<z.infer<typeof ActivityPage>>
  activity(id: string): Promise<RetrievedActivity>
  /** The same key and activity make one record, however often they are sent. */
  create(activity: NewActivity, key: string): Promise<Recorded>
  update(id: string, change: ActivityChange): Promise<Recorded>
  archive(id: string): Promise<z.infer<typeof Archived>>
  collisions(query?: Query): Promise<CollisionsAnswer>
  notables(query: Query): Promise<z.infer<typeof NotablePage>>
  raise(notable: NewNotable): Promise<Notable>
  archiveNotable(id: string): Promise<z.infer<typeof Archived>>
  /** The stream of `/events`, as text. */
  follow(): Promise<AsyncIterable<string>>
}

export interface ApiOptions {
  /** The address of the service. */
  service: URL
  repository: RepositoryName
  token: string
  /** Where the token is from, for messages. */
  tokenFrom: string
  signal: AbortSignal
  /** How long a check waits for open pull requests to be read, in seconds; the service's own time by default. */
  waitSeconds?: number
}

interface CallOptions {
  query?: Query
  body?: object
  key?: string
}

export function createApi(options: ApiOptions): Api {
  const { service, repository, waitSeconds } = options
  const base = new URL(`api/v1/repos/${repository.owner}/${repository.name}/`, service)
  const call = <Answer>(method: string, path: string, { query = {}, body, key }: CallOptions = {}) => {
    const url = new URL(path, base)
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
    const headers = {
      ...(waitSeconds !== undefined && { prefer: `wait=${waitSeconds}` }),
      ...(key !== undefined && { 'idempotency-key': key }),
    }
    return requestJson<Answer>({ ...options, method, url, body, headers })
  }
  const record = (kind: string, id: string) => `${kind}/${encodeURIComponent(id)}`
  return {
    settings: () => call('GET', 'settings'),
    check: (body) => call('POST', 'activity/check', { body }),
    activities: (query) => call('GET', 'activity', { query }),
    activity: (id) => call('GET', record('activity', id)),
    create: (body, key) => call('POST', 'activity', { body, key }),
    update: (id, body) => call('PATCH', record('activity', id), { query: { overlap: true }, body }),
    archive: (id) => call('POST', `${record('activity', id)}/archive`),
    collisions: (query = {}) => call('GET', 'collisions', { query }),
    notables: (query) => call('GET', 'notables', { query }),
    raise: (body) => call('POST', 'notables', { body }),
    archiveNotable: (id) => call('POST', `${record('notables', id)}/archive`),
    follow: async () => {
      const { body } = await request({ ...options, method: 'GET', url: new URL('events', base), isEndless: true })
      return body === null ? noText() : body.pipeThrough(new TextDecoderStream())
    },
  }
}

async function* noText(): AsyncGenerator<string> {}
