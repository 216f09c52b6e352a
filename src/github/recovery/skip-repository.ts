import type { GithubAnswer } from '../github-request.ts'
import type { AppQuestion } from '../installation/app-client.ts'

export type Response = Extract<GithubAnswer, { kind: 'response' }>

/** Asks GitHub for the repository's installation; throws `Unanswered` where it gives no answer. */
export type AskInstallation = (question: AppQuestion) => Promise<Response>

/** Why a repository can't be compared now. */
export class Unanswered extends Error {
  readonly reason: 'failed' | 'not_visible' | 'resting' | 'stopped'
  constructor(reason: Unanswered['reason'], message: string) {
    super(message)
    this.name = 'Unanswered'
    this.reason = reason
  }
}

export function mustBeFound({ status }: Response): void {
  if (status === 200) return
  const isHidden = [403, 404, 451].includes(status)
  throw new Unanswered(isHidden ? 'not_visible' : 'failed', `status ${status}`)
}
