import { z } from 'zod'
import { type GithubResponse, nextPage } from '../github-response.ts'

/** A request for the pull requests of one repository: a route as GitHub documents it, and its parameters. */
export interface RouteRequest {
  route: string
  parameters: Readonly<Record<string, unknown>>
  /** Makes the request conditional: GitHub answers 304 where it has not changed. */
  etag?: string | null
}

/**
 * Sends a request to GitHub with a token of the App or of a caller. It observes rate limits and time limits, and may
 * throw to end the reading.
 */
export type SendRequest = (request: RouteRequest) => Promise<GithubResponse>

/** A repository as GitHub's routes name it, and the id that it has to have. */
export interface RepositoryToRead {
  id: bigint
  owner: string
  name: string
}

/** The failure where GitHub answers about a repository with another id. */
export const otherRepository = { kind: 'failure', reason: 'its name belongs to another repository' } as const

/** The parameters of a route that name the repository. */
export function routeParameters({ owner, name }: RepositoryToRead) {
  return { owner, repo: name }
}

/** Thrown where GitHub's response is not what was asked for. */
export class UnusableResponse extends Error {
  readonly response: GithubResponse
  constructor(response: GithubResponse, message?: string) {
    super(message ?? (response.kind === 'failure' ? response.reason : `status ${response.status}`))
    this.name = 'UnusableResponse'
    this.response = response
  }
}

/** Whether GitHub answered with 404. */
export function isNotFound(error: unknown): boolean {
  return hasStatus(error, 404)
}

/** Whether GitHub answered with 403: the token may not read pull requests there. */
export function isForbidden(error: unknown): boolean {
  return hasStatus(error, 403)
}

/** Whether the repository or what was asked for is hidden from the token, or the name belongs to another repository. */
export function isHidden(error: unknown): boolean {
  return [403, 404, 451].some((status) => hasStatus(error, status))
}

function hasStatus(error: unknown, status: number): boolean {
  return error instanceof UnusableResponse && error.response.kind === 'response' && error.response.status === status
}

/** Parses a response of status 200. Throws `UnusableResponse`, also for a body of another shape than GitHub's. */
export function readBody<Read>(response: GithubResponse, parse: (body: unknown) => Read): Read {
  if (response.kind === 'failure' || response.status !== 200) throw new UnusableResponse(response)
  try {
    return parse(response.body)
  } catch (error) {
    if (error instanceof z.ZodError) throw new UnusableResponse(response, 'a response of another shape than GitHub’s')
    throw error
  }
}

/** Reads pages until one is the last, or `isEnough` says so after a page. Throws `UnusableResponse`. */
export async function readPages<Item>(
  request: SendRequest,
  { route, parameters }: RouteRequest,
  { parse, isEnough }: { parse: (body: unknown) => Item[]; isEnough?: (items: readonly Item[]) => boolean },
): Promise<Item[]> {
  const items: Item[] = []
  for (let page = 1; ; page++) {
    const response = await request({ route, parameters: { ...parameters, page } })
    items.push(...readBody(response, parse))
    if (nextPage(response) === null || isEnough?.(items)) return items
  }
}
