import type { RequestHandler } from 'express'
import type { ProbotOctokit } from 'probot'
import { checkRunJob, type WritingParts } from '../../checks/write-check-runs.ts'
import type { Job } from '../../jobs.ts'
import { headsup } from './app.ts'
import { type JobParts, readingJobs } from './jobs.ts'
import { type AppConfig, createProbot } from './probot.ts'
import { webhookHandlers } from './webhooks.ts'

export interface GithubApp {
  octokitOf(installationId: number): Promise<ProbotOctokit>
  webhooks: RequestHandler[]
  jobs: Job[]
}

/** The App in this process: what its route and its jobs do. Imported where one is configured alone, since Probot loads slowly. */
export async function startGithubApp(
  config: AppConfig,
  { githubApiUrl, ...parts }: Omit<JobParts & WritingParts, 'probot' | 'appId'> & { githubApiUrl: string },
): Promise<GithubApp> {
  const probot = createProbot(config, githubApiUrl)
  await probot.load(headsup(parts))
  const jobs = [...readingJobs({ probot, ...parts }), checkRunJob({ probot, appId: config.id, ...parts })]
  return { octokitOf: (id) => probot.auth(id), webhooks: webhookHandlers(probot), jobs }
}
