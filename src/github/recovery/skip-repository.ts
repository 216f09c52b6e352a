import type { GithubResponse } from '../github-response.ts'
import type { AppRequest } from '../installation/app-client.ts'

export type AppResponse = Extract<GithubResponse, { kind: 'response' }>

/** Sends a request as the repository's installation. Throws `SkipRepository` if there is no usable response. */
export type RequestAsInstallation = (request: AppRequest) => Promise<AppResponse>

/** Thrown if a repository can't be compared in this pass. */
export class SkipRepository extends Error {
  readonly reason: 'failed' | 'not_visible' | 'resting' | 'stopped'
  constructor(reason: SkipRepository['reason'], message: string) {
    super(message)
    this.name = 'SkipRepository'
    this.reason = reason
  }
}

export function requireFound({ status }: AppResponse): void {
  if (status === 200) return
  const isHidden = [403, 404, 451].includes(status)
  throw new SkipRepository(isHidden ? 'not_visible' : 'failed', `status ${status}`)
}
