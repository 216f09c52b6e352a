import type { EmitterWebhookEvent, EmitterWebhookEventName } from '@octokit/webhooks'
import examples from '@octokit/webhooks-examples' with { type: 'json' }
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { pullRequestFacts, pullRequestState } from '../../../../src/service/github/pulls/pull-request-payload.ts'
import {
  DeleteEvent,
  InstallationEvent,
  isSettingsOfOwner,
  namesOf,
  PullRequestEvent,
  PushEvent,
  RepositoryEvent,
  RepositoryPayload,
} from '../../../../src/service/github/webhooks/webhook-payloads.ts'
import { headBranchIn } from '../../../../src/service/observed/pull-requests/pull-request.ts'
import { latestCreatedAt } from '../../../../src/service/records/activity/events/event-time.ts'

const Examples = z.array(z.object({ name: z.string(), examples: z.array(z.looseObject({})) }))

type Payload<Name extends EmitterWebhookEventName> = EmitterWebhookEvent<Name>['payload']

/** GitHub's own examples of an event, taken at the word of GitHub's own types. */
function payloads<Name extends EmitterWebhookEventName>(name: Name): Payload<Name>[] {
  const [event, action] = name.split('.')
  const isOne = (payload: unknown): payload is Payload<Name> =>
    action === undefined || z.object({ action: z.literal(action) }).safeParse(payload).success
  const found: unknown[] = Examples.parse(examples).find((one) => one.name === event)?.examples ?? []
  const chosen = found.filter(isOne)
  expect(chosen).not.toHaveLength(0)
  return chosen
}

/** What is read of a repository, by GitHub's types: a field that is misnamed on either side is found here. */
function repositoryFacts(repository: {
  id: number
  name: string
  full_name: string
  owner: { login?: string } | null
  default_branch: string
  private: boolean
}) {
  const { id, name, full_name, owner, default_branch, private: isPrivate } = repository
  return { id: BigInt(id), name, full_name, owner: { login: owner?.login }, default_branch, private: isPrivate }
}

const instant = (text: string | null | undefined) => (text ? new Date(text) : null)

describe('what is read of GitHub’s own examples is what GitHub’s types call it', () => {
  const pullRequests = [
    'pull_request.opened',
    'pull_request.reopened',
    'pull_request.closed',
    'pull_request.ready_for_review',
    'pull_request.converted_to_draft',
  ] as const

  it.each(pullRequests)('%s', (name) => {
    for (const payload of payloads(name)) {
      const { number, state, draft, merged, merged_at, updated_at, head, base } = payload.pull_request
      const { repo } = head
      const event = PullRequestEvent.parse(payload)
      expect(event).toMatchObject({
        action: payload.action,
        repository: {
          ...repositoryFacts(payload.repository),
          pushed_at: new Date(String(payload.repository.pushed_at)),
        },
        pull_request: {
          number,
          state,
          draft,
          merged,
          merged_at: instant(merged_at),
          updated_at: new Date(updated_at),
          head: { ref: head.ref, repo: repo && { id: BigInt(repo.id), full_name: repo.full_name } },
          base: { ref: base.ref },
        },
      })
      const id = BigInt(payload.repository.id)
      const of = { id, payload: event.repository }
      const own = repo?.id === payload.repository.id ? head.ref : null
      expect(headBranchIn(pullRequestState(event.pull_request, of), id)).toBe(own)
      expect(pullRequestFacts(event.pull_request, of)).toMatchObject({ number, headSha: head.sha, baseRef: base.ref })
    }
  })

  it('delete', () => {
    for (const payload of payloads('delete')) {
      const { ref, ref_type, repository } = payload
      const pushed_at = new Date(String(repository.pushed_at))
      expect(DeleteEvent.parse(payload)).toEqual({
        ref,
        ref_type,
        repository: { ...repositoryFacts(repository), pushed_at },
      })
    }
  })

  it('push, where an instant is in seconds', () => {
    for (const payload of payloads('push')) {
      const { ref, deleted, forced, repository, commits } = payload
      const touched = commits.map(({ added, modified, removed }) => ({ added, modified, removed }))
      expect(PushEvent.parse(payload)).toEqual({
        ref,
        deleted,
        forced,
        commits: touched,
        repository: { ...repositoryFacts(repository), pushed_at: new Date(Number(repository.pushed_at) * 1000) },
      })
    }
  })

  it('repository renamed and transferred', () => {
    for (const payload of payloads('repository.renamed')) {
      const { changes } = RepositoryEvent.parse(payload)
      expect(changes?.repository?.name.from).toBe(payload.changes.repository.name.from)
    }
    for (const payload of payloads('repository.transferred')) {
      const { user, organization } = payload.changes.owner.from
      const from = RepositoryEvent.parse(payload).changes?.owner?.from
      expect([from?.user?.login, from?.organization?.login]).toEqual([user?.login, organization?.login])
    }
  })

  it('installation and installation_repositories', () => {
    for (const { action, installation } of [...payloads('installation'), ...payloads('installation_repositories')]) {
      const account = installation.account
      const login = account && 'login' in account ? account.login : undefined
      expect(login).toEqual(expect.any(String))
      expect(InstallationEvent.parse({ action, installation })).toEqual({
        action,
        installation: {
          account: { login },
          permissions: installation.permissions,
          html_url: installation.html_url,
        },
      })
    }
  })
})

describe('the head of a pull request', () => {
  const head = (repository: object, repo: unknown) => {
    const pull_request = { number: 1, head: { ref: 'feat', repo } }
    const event = PullRequestEvent.parse({ action: 'x', repository, pull_request })
    return headBranchIn(pullRequestState(event.pull_request, { id: 7n, payload: event.repository }), 7n)
  }
  const own = { id: 7, full_name: 'acme/web' }

  it.each<[string, object, unknown, string | null]>([
    ['with the id of the repository is in it, whatever its name', own, { id: 7, full_name: 'old/name' }, 'feat'],
    ['with another id is elsewhere, whatever its name', own, { id: 8, full_name: 'acme/web' }, null],
    ['of a deleted fork is elsewhere', own, null, null],
    ['that says nothing of a repository is in it', own, undefined, 'feat'],
    ['without an id goes by the name, in any case', own, { full_name: 'ACME/Web' }, 'feat'],
    ['without an id in a repository of another name is elsewhere', own, { full_name: 'fork/web' }, null],
    ['beside a repository without an id goes by the name', { full_name: 'acme/web' }, own, 'feat'],
    ['without id and name is elsewhere', own, {}, null],
    ['without id and name, as the repository, is elsewhere', {}, {}, null],
  ])('%s', (_, repository, repo, expected) => {
    expect(head(repository, repo)).toBe(expected)
  })
})

describe('a repository', () => {
  it('has its names from owner and name, else from the full name, else none', () => {
    const names = (facts: object) => namesOf(RepositoryPayload.parse(facts))
    const full_name = 'old/older'
    expect(names({ name: 'web', owner: { login: 'acme' }, full_name })).toEqual({ owner: 'acme', name: 'web' })
    expect(names({ full_name: 'acme/web' })).toEqual({ owner: 'acme', name: 'web' })
    expect(names({ name: 'web' })).toBeUndefined()
    expect(names({ owner: { login: 'acme' } })).toBeUndefined()
  })

  it('is identified by a valid id, or by none', () => {
    for (const id of [undefined, null]) expect(RepositoryPayload.parse({ id }).id).toBeUndefined()
    expect(RepositoryPayload.parse({ id: 9_007_199_254_740_991 }).id).toBe(9_007_199_254_740_991n)
    for (const id of [0, -1, 1.5, '7', {}, 2 ** 53]) expect(RepositoryPayload.safeParse({ id }).success).toBe(false)
  })

  it('keeps the settings of its owner where it is called .github, in any case', () => {
    expect(['.github', '.GitHub', 'github', '.github2'].map((name) => isSettingsOfOwner({ owner: 'a', name }))).toEqual(
      [true, true, false, false],
    )
  })
})

it('an invalid time, or one that can’t be saved, counts as absent', () => {
  const readings = [null, undefined, '', 'soon', {}, true, 8.64e12, '+275760-09-13T00:00:00.000Z', -1e13, Number.NaN]
  for (const pushed_at of readings) expect(RepositoryPayload.parse({ pushed_at }).pushed_at).toBeNull()
})

describe('names that the database can’t hold', () => {
  const deletion = (ref: string) => DeleteEvent.safeParse({ ref, ref_type: 'branch', repository: {} }).success
  it.each([
    ['of a branch are refused', () => [deletion('feat\0'), deletion('')], [false, false]],
    ['of a repository are none', () => RepositoryPayload.parse({ name: 'a\0b' }).name, undefined],
    [
      'as numbers of a pull request are refused',
      () =>
        [2_147_483_647, 2_147_483_648].map(
          (number) =>
            PullRequestEvent.safeParse({ action: 'x', repository: {}, pull_request: { number, head: { ref: 'a' } } })
              .success,
        ),
      [true, false],
    ],
  ])('%s', (_, reading, expected) => {
    expect(reading()).toEqual(expected)
  })
})

describe('the bound by an event’s time', () => {
  const now = new Date('2026-11-20T12:00:00Z')
  const day = 86_400_000

  it('is half a minute after it, unless that is over 8 days ago', () => {
    fc.assert(
      fc.property(fc.integer({ min: -60_000, max: 30 * day }), (age) => {
        const eventAt = new Date(now.getTime() - age)
        const bound = latestCreatedAt(eventAt, now)
        expect(bound?.getTime() ?? null).toBe(age > 8 * day ? null : eventAt.getTime() + 30_000)
      }),
      { examples: [[8 * day], [8 * day + 1]] },
    )
    expect(latestCreatedAt(null, now)).toBeNull()
  })
})

it('no payload whatever makes the reading throw anything but a fault of shape', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (payload) => {
      for (const event of [PullRequestEvent, DeleteEvent, PushEvent, RepositoryEvent, InstallationEvent])
        event.safeParse(payload)
    }),
  )
})
