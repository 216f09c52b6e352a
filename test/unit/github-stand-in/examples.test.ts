import examples from '@octokit/webhooks-examples' with { type: 'json' }
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as app from '../../support/github/app-payloads.ts'
import { addAccount, addPull } from '../../support/github/build-data.ts'
import { repositoryOf } from '../../support/github/data.ts'
import { createEvent, deleteEvent, pullRequestEvent, pushEvent } from '../../support/github/payloads.ts'
import { type Github, startGithub } from '../../support/github/start.ts'

type Json = z.infer<typeof Json>
const Json = z.json()
const Examples = z.array(z.object({ name: z.string(), examples: z.array(Json) })).parse(examples)

let github: Github
beforeAll(async () => {
  github = await startGithub()
})
afterAll(() => github.stop())

const sha = '1'.repeat(40)
const pullActions = ['opened', 'closed', 'reopened', 'ready_for_review', 'converted_to_draft'] as const
const installationActions = ['created', 'deleted', 'suspend', 'unsuspend', 'new_permissions_accepted'] as const

function events(): Record<string, object> {
  const repository = repositoryOf(github.data, Number(github.addRepository('exemplary').id))
  const pull = addPull(github.data, repository, { head: 'feat' })
  const installation = github.install('acme')
  addAccount(github.data, 'carol')
  return {
    create: createEvent(github, repository, 'v1', 'tag'),
    delete: deleteEvent(github, repository, 'v1', 'tag'),
    push: pushEvent(github, repository, { branch: 'feat', before: null, after: sha, commits: [{ id: sha }] }),
    'repository renamed': app.renamedEvent(github, repository, 'former'),
    'repository transferred': app.transferredEvent(github, repository, 'carol'),
    'repository edited': app.defaultBranchEvent(github, repository, 'master'),
    'repository privatized': app.visibilityEvent(github, repository),
    'repository publicized': { ...app.visibilityEvent(github, repository), action: 'publicized' },
    'installation_repositories added': app.installationRepositoriesEvent(github, installation, {
      added: [repository.id],
    }),
    'installation_repositories removed': app.installationRepositoriesEvent(github, installation, {
      removed: [repository.id],
    }),
    'pull_request synchronize': pullRequestEvent(github, repository, pull, 'synchronize', { before: sha, after: sha }),
    ...Object.fromEntries(
      pullActions.map((action) => [`pull_request ${action}`, pullRequestEvent(github, repository, pull, action)]),
    ),
    ...Object.fromEntries(
      installationActions.map((action) => [
        `installation ${action}`,
        app.installationEvent(github, installation, action),
      ]),
    ),
  }
}

// What an App is granted and what somebody edited differ from one to the next; some examples are of organizations, some
// not; how pull requests are merged is shown to administrators alone; and the times of an installation are numbers in
// some and text in others.
const differ =
  /permissions\.|^changes\.|^installation\.(created|updated)_at$|(allow_\w+|delete_branch_on_merge|use_squash_pr_title_as_default|custom_properties|squash_merge_\w+|merge_commit_\w+)$/

/** The fields of GitHub's example that are not in ours, or hold another type there. */
function lacking(example: Json, ours: Json, at = ''): string[] {
  const [wanted, given] = [typeOf(example), typeOf(ours)]
  if (wanted === 'null' || given === 'null') return []
  if (wanted !== given) return [`${at} is no ${wanted}`]
  const [theirs, own] = [fieldsOf(example), fieldsOf(ours)]
  return Object.entries(theirs).flatMap(([name, value]) => {
    const path = at === '' ? name : `${at}.${name}`
    if (differ.test(path)) return []
    const field = own[name]
    return field === undefined ? [path] : lacking(value, field, path)
  })
}

function typeOf(value: Json): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

function fieldsOf(value: Json): Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}

describe('an event has every field of GitHub’s own examples', () => {
  let made: Record<string, object>
  beforeAll(() => {
    made = events()
  })

  const cases = Examples.flatMap(({ name, examples: payloads }) =>
    payloads.map((payload, n) => ({ event: [name, fieldsOf(payload).action].filter(Boolean).join(' '), n, payload })),
  )
  const known = /^(create|delete|push|installation|installation_repositories|repository|pull_request)\b/
  const others = /created$|assigned|label|lock|review_request/
  const ours = cases.filter(
    ({ event }) => known.test(event) && (event === 'installation created' || !others.test(event)),
  )

  it.each(ours)('$event $n', ({ event, payload }) => {
    expect(lacking(payload, Json.parse(JSON.parse(JSON.stringify(made[event]))))).toEqual([])
  })
})
