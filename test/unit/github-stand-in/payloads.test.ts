import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as app from '../../support/github/app-payloads.ts'
import { addAccount, addPull } from '../../support/github/build-data.ts'
import { checkRunEvent, checkSuiteEvent } from '../../support/github/check-actions.ts'
import { addRun, addSuite } from '../../support/github/check-data.ts'
import { repositoryOf } from '../../support/github/data.ts'
import { describedEvents, eventFaults } from '../../support/github/description.ts'
import {
  createEvent,
  deleteEvent,
  type PullRequestAction,
  type PullRequestDetails,
  pullRequestEvent,
  pushEvent,
} from '../../support/github/payloads.ts'
import { type Github, startGithub } from '../../support/github/start.ts'

let github: Github
beforeAll(async () => {
  github = await startGithub()
})
afterAll(() => github.stop())

const sha = '1'.repeat(40)

function scene() {
  const repository = repositoryOf(github.data, Number(github.addRepository(`of-event-${Math.random()}`).id))
  const installation = github.install('acme')
  return { github, repository, installation, pull: addPull(github.data, repository, { head: 'feat' }) }
}

function pullRequest(action: PullRequestAction, details?: PullRequestDetails): () => object {
  return () => {
    const { repository, pull } = scene()
    if (action === 'closed') Object.assign(pull, { state: 'closed', closedAt: new Date(), mergedAt: new Date() })
    return pullRequestEvent(github, repository, pull, action, details)
  }
}

function installation(action: app.InstallationAction): () => object {
  return () => app.installationEvent(github, scene().installation, action)
}

const events: Record<string, () => object> = {
  'check-run-rerequested': () => {
    const { repository } = scene()
    const suite = addSuite(github.data, repository, sha)
    return checkRunEvent(github, repository, addRun(github.data, repository, { suite, name: 'Headsup' }), suite)
  },
  'check-suite-rerequested': () => {
    const { repository } = scene()
    return checkSuiteEvent(github, repository, addSuite(github.data, repository, sha))
  },
  create: () => createEvent(github, scene().repository, 'feat'),
  delete: () => deleteEvent(github, scene().repository, 'v1', 'tag'),
  push: () =>
    pushEvent(github, scene().repository, {
      branch: 'feat',
      before: null,
      after: sha,
      commits: [{ id: sha, added: ['a'] }],
    }),
  'installation-created': installation('created'),
  'installation-deleted': installation('deleted'),
  'installation-suspend': () => {
    const { installation: suspended } = scene()
    suspended.suspendedAt = new Date()
    return app.installationEvent(github, suspended, 'suspend')
  },
  'installation-unsuspend': installation('unsuspend'),
  'installation-new-permissions-accepted': installation('new_permissions_accepted'),
  'installation-repositories-added': () => {
    const { installation: chosen, repository } = scene()
    return app.installationRepositoriesEvent(github, chosen, { added: [repository.id] })
  },
  'installation-repositories-removed': () => {
    const { installation: chosen, repository } = scene()
    return app.installationRepositoriesEvent(github, chosen, { removed: [repository.id] })
  },
  'repository-renamed': () => app.renamedEvent(github, scene().repository, 'former'),
  'repository-transferred': () => app.transferredEvent(github, scene().repository, 'acme'),
  'repository-privatized': () => app.visibilityEvent(github, scene().repository),
  'repository-publicized': () => app.visibilityEvent(github, Object.assign(scene().repository, { private: false })),
  'repository-edited': () => app.defaultBranchEvent(github, scene().repository, 'master'),
  'pull-request-opened': pullRequest('opened'),
  'pull-request-closed': pullRequest('closed'),
  'pull-request-reopened': pullRequest('reopened'),
  'pull-request-ready-for-review': pullRequest('ready_for_review'),
  'pull-request-converted-to-draft': pullRequest('converted_to_draft'),
  'pull-request-edited': pullRequest('edited', { changes: { title: { from: 'Former' } } }),
  'pull-request-synchronize': pullRequest('synchronize', { before: sha, after: sha }),
}

describe('an event of the stand-in matches GitHub’s own description', () => {
  it('pull-request-edited with another base', () => {
    const changes = { base: { ref: { from: 'main' }, sha: { from: sha } }, body: { from: 'Former' } }
    expect(eventFaults('pull-request-edited', pullRequest('edited', { changes })())).toEqual([])
  })

  it('pull-request-opened by a bot', () => {
    const { repository } = scene()
    const pull = addPull(github.data, repository, {
      head: 'feat',
      author: 'dependabot[bot]',
      authorAssociation: 'NONE',
    })
    const event = pullRequestEvent(github, repository, pull, 'opened')
    expect(eventFaults('pull-request-opened', event)).toEqual([])
    expect(event.sender).toMatchObject({ type: 'Bot', html_url: 'https://github.com/apps/dependabot' })
  })

  it.each(Object.keys(events))('%s', (name) => {
    expect(eventFaults(name, events[name]?.())).toEqual([])
  })

  it('repository-transferred by a user', () => {
    addAccount(github.data, 'carol')
    expect(eventFaults('repository-transferred', app.transferredEvent(github, scene().repository, 'carol'))).toEqual([])
  })

  it('every response with a description is covered', () => {
    expect(Object.keys(events).sort()).toEqual([...describedEvents].sort())
  })
})

it('an event without a required field is detected', () => {
  const { repository: _, ...rest } = deleteEvent(github, scene().repository, 'feat')
  expect(eventFaults('delete', rest)).toEqual([": must have required property 'repository'"])
})
