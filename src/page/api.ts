import type { Activity } from '../core/schemas/activity.ts'
import type { Notable } from '../core/schemas/notable.ts'
import type { CollisionsAnswer } from '../core/schemas/overlap.ts'

/** Who is signed in, and how one can sign in. */
export interface Session {
  signed_in: boolean
  /** Null also for a token that has no account. */
  login: string | null
  /** Empty: signing in is not safe at this address. */
  ways: ('github' | 'token')[]
}

/** The three lists as they were read last. */
export interface Lists {
  activities: Activity[]
  notables: Notable[]
  collisions: CollisionsAnswer
  /** Whether there is more live work than one page of the list. */
  isCut: boolean
}

/** Why a request failed, in words for people. */
export class Problem extends Error {
  readonly code: string
  /** GitHub's page that authorises the token for single sign-on. */
  readonly link: string | null

  constructor(code: string, message: string, link: string | null = null) {
    super(message)
    this.code = code
    this.link = link
  }
}

const mostMs = 30_000

async function request<T>(method: string, path: string, body?: object): Promise<T> {
  const init: RequestInit = { method, signal: AbortSignal.timeout(mostMs) }
  if (body) Object.assign(init, { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } })
  const response = await fetch(path, init).catch(() => {
    throw new Problem('no_answer', 'The service does not answer.')
  })
  const answer = await response.json().catch(() => null)
  // One that breaks off is a failure too.
  if (response.ok && answer !== null) return answer
  const { code = 'no_answer', message = 'The service gave no usable answer.' } = answer?.error ?? {}
  const [, link = null] = /url=(https:\S+)/.exec(response.headers.get('X-GitHub-SSO') ?? '') ?? []
  throw new Problem(code, message, link)
}

export const readSession = () => request<Session>('GET', '/-/session')
export const signIn = (token: string) => request<Session>('POST', '/-/session', { token })
export const signOut = () => request<Session>('DELETE', '/-/session')

interface Page<T> {
  items: T[]
  next_cursor: string | null
}

/** All pages of a list. */
async function requestAll<T>(path: string, more = ''): Promise<T[]> {
  const { items, next_cursor } = await request<Page<T>>('GET', `${path}?limit=500${more}`)
  if (next_cursor === null) return items
  return [...items, ...(await requestAll<T>(path, `&cursor=${encodeURIComponent(next_cursor)}`))]
}

/** What can be asked of one repository, `OWNER/REPO`. */
export function apiOf(repository: string) {
  const base = `/api/v1/repos/${repository}`
  return {
    events: `${base}/events`,
    async lists(): Promise<Lists> {
      const [activities, notables, collisions] = await Promise.all([
        request<Page<Activity>>('GET', `${base}/activity?limit=500`),
        requestAll<Notable>(`${base}/notables`),
        request<CollisionsAnswer>('GET', `${base}/collisions`),
      ])
      const isCut = activities.next_cursor !== null
      return { activities: activities.items, notables, collisions, isCut }
    },
    archive: (kind: 'activity' | 'notables', id: string) => request('POST', `${base}/${kind}/${id}/archive`),
    raise: (notable: object) => request('POST', `${base}/notables`, notable),
  }
}

export type Api = ReturnType<typeof apiOf>
