import type { GithubApp } from '../../../src/service/github/installation/app-client.ts'
import { githubAppOf } from '../../support/github-app.ts'
import type { TestRepository, TestService } from '../../support/service.ts'

/** The App of the stand-in for GitHub, as one instance of the service. */
export function appOf({ github, clock }: TestService, timeLimitMs?: number): GithubApp {
  return githubAppOf(github, clock.now, timeLimitMs).app
}

/** Makes the stand-in deliver webhooks to this instance. */
export function hookUp({ github, url }: TestService): void {
  github.data.app.hookUrl = `${url}/api/github/webhooks`
}

export async function record(repository: TestRepository, body: object = {}): Promise<string> {
  const work = { title: 'Work', summary: 'It is.', actor: 'Alice', branch: 'feat' }
  const { activity } = await repository.created('/activity', { ...work, ...body })
  return activity.id
}

export async function read(repository: TestRepository, id: string): Promise<Record<string, unknown>> {
  return (await repository.get(`/activity/${id}`)).body as Record<string, unknown>
}

/** Returns the path and query of every request to GitHub since this call. */
export function recordRequests({ github }: TestService): () => string[] {
  const before = github.requests.length
  return () => github.requests.slice(before)
}

/** An App that runs the work once: after GitHub responds to this route, and before the caller gets the response. */
export function meanwhile(app: GithubApp, route: string, work: () => unknown): GithubApp {
  let happened = false
  return {
    ...app,
    async requestForRepository(of, question) {
      const response = await app.requestForRepository(of, question)
      if (!happened && question.route.includes(route)) {
        happened = true
        await work()
      }
      return response
    },
  }
}
