import type { GithubApp } from '../../../src/github/installation/app-client.ts'
import { githubAppOf } from '../../support/github-app.ts'
import type { TestRepository, TestService } from '../../support/service.ts'

/** The stand-in's App, as an instance of the service is it. */
export function appOf({ github, clock }: TestService, timeLimitMs?: number): GithubApp {
  return githubAppOf(github, clock.now, timeLimitMs).app
}

/** Delivers to this instance from now on. */
export function hookUp({ github, url }: TestService): void {
  github.data.app.hookUrl = `${url}/api/github/webhooks`
}

export async function record(repository: TestRepository, body: object = {}): Promise<string> {
  const work = { title: 'Work', summary: 'It is.', actor: 'Alice', branch: 'feat' }
  const { activity } = await repository.created('/activity', { ...work, ...body })
  return activity.id
}

export async function see(repository: TestRepository, id: string): Promise<unknown> {
  const { body } = await repository.get(`/activity/${id}`)
  return body
}

/** What was asked since: path and query, without what every test does to get in. */
export function asking({ github }: TestService): () => string[] {
  const before = github.requests.length
  return () => github.requests.slice(before)
}

/** The App, with something that happens once: after GitHub answered this, and before whoever asked hears of it. */
export function meanwhile(app: GithubApp, route: string, work: () => unknown): GithubApp {
  let happened = false
  return {
    ...app,
    async requestForRepository(of, question) {
      const answer = await app.requestForRepository(of, question)
      if (!happened && question.route.includes(route)) {
        happened = true
        await work()
      }
      return answer
    },
  }
}
