import { type CheckRun, type CheckSuite, suiteStatus } from '../check-data.ts'
import type { GithubData, Repository } from '../data.ts'
import { instant, instantOrNull, type Links, nodeId } from './account.ts'
import { appShape } from './installation.ts'
import { repositoryShape } from './repository.ts'

function urlOf({ owner, name }: Repository, links: Links): string {
  return `${links.api}/repos/${owner}/${name}`
}

export function checkRunShape(data: GithubData, repository: Repository, run: CheckRun, links: Links) {
  const url = `${urlOf(repository, links)}/check-runs/${run.id}`
  const html_url = `${links.web}/${repository.owner}/${repository.name}/runs/${run.id}`
  return {
    id: run.id,
    node_id: nodeId('CR', run.id),
    head_sha: run.headSha,
    name: run.name,
    url,
    html_url,
    details_url: run.detailsUrl ?? html_url,
    status: run.status,
    conclusion: run.conclusion,
    started_at: instant(run.startedAt),
    completed_at: instantOrNull(run.completedAt),
    external_id: run.externalId,
    check_suite: { id: run.suiteId },
    output: {
      title: run.title,
      summary: run.summary,
      text: null,
      annotations_count: 0,
      annotations_url: `${url}/annotations`,
    },
    app: appShape(data, links),
    pull_requests: [],
  }
}

/** The suite as an event shows it. */
export function simpleSuiteShape(data: GithubData, repository: Repository, suite: CheckSuite, links: Links) {
  const url = `${urlOf(repository, links)}/check-suites/${suite.id}`
  const runs = repository.checkRuns.filter(({ suiteId }) => suiteId === suite.id)
  const status = suiteStatus(repository, suite)
  return {
    id: suite.id,
    node_id: nodeId('CS', suite.id),
    head_branch: null,
    head_sha: suite.headSha,
    status,
    conclusion: status === 'completed' ? (runs.at(-1)?.conclusion ?? null) : null,
    url,
    before: null,
    after: suite.headSha,
    pull_requests: [],
    app: appShape(data, links),
    created_at: instant(suite.createdAt),
    updated_at: instant(suite.createdAt),
    repository: repositoryShape(data, repository, links),
  }
}

/** GitHub shows a commit here too, which nobody reads. */
export function checkSuiteShape(data: GithubData, repository: Repository, suite: CheckSuite, links: Links) {
  const shape = simpleSuiteShape(data, repository, suite, links)
  const runs = repository.checkRuns.filter(({ suiteId }) => suiteId === suite.id)
  const person = { name: 'Somebody', email: 'somebody@example.com' }
  return {
    ...shape,
    head_commit: {
      id: suite.headSha,
      tree_id: suite.headSha,
      message: 'Work',
      timestamp: instant(suite.createdAt),
      author: person,
      committer: person,
    },
    latest_check_runs_count: runs.length,
    check_runs_url: `${shape.url}/check-runs`,
  }
}
