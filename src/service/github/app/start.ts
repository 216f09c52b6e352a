import type { Probot } from 'probot'
import { checkSuiteJob } from '../../check-runs/check-suites.ts'
import { checkRunJob, type WritingParts } from '../../check-runs/write-check-runs.ts'
import { headsup } from './app.ts'
import { type JobParts, readingJobs } from './jobs.ts'
import { type AppConfig, createProbot } from './probot.ts'
import { webhookHandlers } from './webhooks.ts'

/** The App in this process: what its route and its jobs do. Imported where one is configured alone, since Probot loads slowly. */
export async function startGithubApp(
  config: AppConfig,
  {
    githubApiUrl,
    ...parts
  }: Omit<JobParts & WritingParts, 'probot' | 'octokitOf' | 'appId'> & { githubApiUrl: string },
) {
  const probot = createProbot(config, githubApiUrl)
  await probot.load(headsup(parts))
  const octokitOf = (id: number) => probot.auth(id)
  const writing = { octokitOf, appId: config.id, ...parts }
  const jobs = [...readingJobs({ probot, ...parts }), checkRunJob(writing), checkSuiteJob(writing)]
  return { octokitOf, urlOf: (id: number) => pageOf(probot, id), webhooks: webhookHandlers(probot), jobs }
}

/** Asked where a permission is missing alone. */
async function pageOf(probot: Probot, installation_id: number): Promise<string | null> {
  const octokit = await probot.auth()
  const found = await octokit.rest.apps.getInstallation({ installation_id }).catch(() => null)
  return found?.data.html_url ?? null
}
