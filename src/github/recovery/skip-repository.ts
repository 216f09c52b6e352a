import type { GithubResponse } from '../github-response.ts'
import type { AppRequest } from '../installation/app-client.ts'

export type AppResponse = Extract<GithubResponse, { kind: 'response' }>

/** Asks GitHub for the repository's installation; throws `Unanswered` where it gives no answer. */
export type RequestAsInstallation = (question: AppRequest) => Promise<AppResponse>

/** Why a repository can't be compared now. */
export class SkipRepository extends Error {
  readonly reason: 'failed' | 'not_visible' | 'resting' | 'stopped'
  constructor(reason: SkipRepository['reason'], message: string) {
    super(message)
    this.name = 'Unanswered'
    this.reason = reason
  }
}

export function requireFound({ status }: AppResponse): void {
  if (status === 200) return
  const isHidden = [403, 404, 451].includes(status)
  throw new SkipRepository(isHidden ? 'not_visible' : 'failed', `status ${status}`)
}
