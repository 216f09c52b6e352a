import type { GithubData, Repository } from './data.ts'
import { nextId } from './ids.ts'
import { installationOf } from './installation-of.ts'

/** The checks of the App on one commit. */
export interface CheckSuite {
  id: number
  headSha: string
  createdAt: Date
  /** Whether its checks were requested again since they were completed. */
  isRerequested: boolean
}

export interface CheckRun {
  id: number
  suiteId: number
  headSha: string
  name: string
  externalId: string
  status: 'queued' | 'in_progress' | 'completed'
  conclusion: 'success' | 'neutral' | 'failure' | null
  detailsUrl: string | null
  title: string | null
  summary: string | null
  startedAt: Date
  completedAt: Date | null
}

export function addSuite(data: GithubData, repository: Repository, headSha: string): CheckSuite {
  const suite = { id: nextId(), headSha, createdAt: new Date(data.now()), isRerequested: false }
  repository.checkSuites.push(suite)
  return suite
}

export function addRun(
  data: GithubData,
  repository: Repository,
  { suite, ...facts }: Partial<Omit<CheckRun, 'suiteId' | 'headSha'>> & { suite: CheckSuite; name: string },
): CheckRun {
  const run: CheckRun = {
    ...{ id: nextId(), suiteId: suite.id, headSha: suite.headSha, externalId: '', status: 'queued', conclusion: null },
    ...{ detailsUrl: null, title: null, summary: null, startedAt: new Date(data.now()), completedAt: null },
    ...facts,
  }
  repository.checkRuns.push(run)
  return run
}

/** GitHub makes a suite of each App with `checks: write` on every push, unless the App has ended that. It stays queued. */
export function addAutomaticSuite(data: GithubData, repository: Repository, headSha: string): void {
  const isGranted = installationOf(data, repository)?.permissions.checks === 'write'
  const isKnown = repository.checkSuites.some((suite) => suite.headSha === headSha)
  if (isGranted && repository.autoTriggersChecks && !isKnown) addSuite(data, repository, headSha)
}

/** A suite without runs is queued for ever. */
export function suiteStatus({ checkRuns }: Repository, { id, isRerequested }: CheckSuite): 'queued' | 'completed' {
  const runs = checkRuns.filter(({ suiteId }) => suiteId === id)
  const isDone = runs.length > 0 && !isRerequested && runs.every(({ status }) => status === 'completed')
  return isDone ? 'completed' : 'queued'
}
