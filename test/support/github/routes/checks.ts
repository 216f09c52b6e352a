import { z } from 'zod'
import { addRun, addSuite } from '../check-data.ts'
import type { Repository } from '../data.ts'
import { mayUse } from '../permissions.ts'
import { type Call, invalid, notAccessible, notFound, type Reply, type RepositoryRoute } from '../route.ts'
import { checkRunShape, checkSuiteShape } from '../shapes/check.ts'
import { repositoryShape } from '../shapes/repository.ts'

export const checkRoutes: readonly RepositoryRoute[] = [
  { method: 'POST', path: '/check-runs', handle: writable(createRun) },
  { method: 'PATCH', path: '/check-runs/{check_run_id}', handle: writable(changeRun) },
  { method: 'GET', path: '/commits/{+ref}/check-runs', handle: readable(listRuns) },
  { method: 'POST', path: '/check-suites', handle: writable(createSuite) },
  { method: 'PATCH', path: '/check-suites/preferences', handle: writable(setPreferences) },
]

/** Only an App with `checks: write` may. */
function writable(handle: RepositoryRoute['handle']): RepositoryRoute['handle'] {
  return (call, repository) => {
    const isApp = call.token?.installationId != null
    if (!isApp || !mayUse(call.data, call.token, repository, 'checks', 'write')) return notAccessible(call.token)
    return handle(call, repository)
  }
}

function readable(handle: RepositoryRoute['handle']): RepositoryRoute['handle'] {
  return (call, repository) =>
    mayUse(call.data, call.token, repository, 'checks', 'read') ? handle(call, repository) : notAccessible(call.token)
}

const Content = z.object({
  status: z.enum(['queued', 'in_progress', 'completed']).default('queued'),
  conclusion: z.enum(['success', 'neutral', 'failure']).optional(),
  completed_at: z.iso.datetime().optional(),
  details_url: z.url().optional(),
  output: z.object({ title: z.string(), summary: z.string().max(65_535) }).optional(),
})
const NewRun = Content.extend({
  name: z.string().min(1),
  head_sha: z.string().regex(/^[0-9a-f]{40}$/),
  external_id: z.string().default(''),
})

function contentOf({ status, conclusion, completed_at, details_url, output }: z.infer<typeof Content>) {
  return {
    status,
    conclusion: conclusion ?? null,
    completedAt: completed_at === undefined ? null : new Date(completed_at),
    detailsUrl: details_url ?? null,
    title: output?.title ?? null,
    summary: output?.summary ?? null,
  }
}

/** Without a suite the run is refused, unless GitHub makes suites of this App by itself. */
function createRun({ data, links, body }: Call, repository: Repository): Reply {
  const parsed = NewRun.safeParse(body)
  if (!parsed.success) return invalid('Invalid request.')
  const { name, head_sha: headSha, external_id: externalId } = parsed.data
  const known = repository.checkSuites.find((suite) => suite.headSha === headSha)
  if (known === undefined && !repository.autoTriggersChecks) return invalid('No check suite exists for this commit.')
  const suite = known ?? addSuite(data, repository, headSha)
  suite.isRerequested = false
  const run = addRun(data, repository, { suite, name, externalId, ...contentOf(parsed.data) })
  return { status: 201, body: checkRunShape(data, repository, run, links) }
}

function changeRun({ data, links, body, params }: Call, repository: Repository): Reply {
  const run = repository.checkRuns.find(({ id }) => String(id) === params.check_run_id)
  if (run === undefined) return notFound()
  const parsed = Content.safeParse(body)
  if (!parsed.success) return invalid('Invalid request.')
  Object.assign(run, contentOf(parsed.data))
  return { status: 200, body: checkRunShape(data, repository, run, links) }
}

function listRuns({ data, links, params, url }: Call, repository: Repository): Reply {
  const name = url.searchParams.get('check_name')
  const { ref = '' } = params
  const sha = repository.branches.get(ref.replace(/^heads\//, '')) ?? ref
  const runs = repository.checkRuns.filter((run) => run.headSha === sha && (name === null || run.name === name))
  const body = { total_count: runs.length, check_runs: runs.map((run) => checkRunShape(data, repository, run, links)) }
  return { status: 200, body }
}

const NewSuite = z.object({ head_sha: z.string().regex(/^[0-9a-f]{40}$/) })

function createSuite({ data, links, body }: Call, repository: Repository): Reply {
  const parsed = NewSuite.safeParse(body)
  if (!parsed.success) return invalid('Invalid request.')
  const known = repository.checkSuites.find(({ headSha }) => headSha === parsed.data.head_sha)
  const suite = known ?? addSuite(data, repository, parsed.data.head_sha)
  return { status: known ? 200 : 201, body: checkSuiteShape(data, repository, suite, links) }
}

const Preferences = z.object({ auto_trigger_checks: z.array(z.object({ app_id: z.int(), setting: z.boolean() })) })

function setPreferences({ data, links, body }: Call, repository: Repository): Reply {
  const parsed = Preferences.safeParse(body)
  if (!parsed.success) return invalid('Invalid request.')
  for (const { app_id, setting } of parsed.data.auto_trigger_checks) {
    if (app_id === data.app.id) repository.autoTriggersChecks = setting
  }
  const auto_trigger_checks = [{ app_id: data.app.id, setting: repository.autoTriggersChecks }]
  return {
    status: 200,
    body: { preferences: { auto_trigger_checks }, repository: repositoryShape(data, repository, links) },
  }
}
