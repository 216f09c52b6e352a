import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AppError } from '../../../src/core/errors.ts'
import { OverlapCheck } from '../../../src/core/schemas/overlap.ts'
import { createActivity } from '../../../src/service/api/operations/create-activity.ts'
import { listActivities } from '../../../src/service/api/operations/list-activities.ts'
import { updateActivity } from '../../../src/service/api/operations/update-activity.ts'
import type { Database } from '../../../src/service/db/database.ts'
import type {
  PullRequestEventFacts,
  PullRequestFacts,
} from '../../../src/service/observed/pull-requests/pull-request.ts'
import { saveFiles } from '../../../src/service/observed/pull-requests/save-files.ts'
import { savePullRequest } from '../../../src/service/observed/pull-requests/save-pull-request.ts'
import { checkProposal } from '../../../src/service/overlap/check-proposal.ts'
import { archiveActivity } from '../../../src/service/records/activity/archive.ts'
import { getActivity } from '../../../src/service/records/activity/get.ts'
import { coveringActivity } from '../../../src/service/records/activity/pull-request/covered.sql.ts'
import { type Clock, hour, minute, startClock } from '../../support/clock.ts'
import { testContext } from '../../support/context.ts'
import { createTestDatabase, databaseAt } from '../../support/database.ts'
import { changedFile } from '../../support/observed.ts'
import { pullRequestFacts } from '../../support/pull-request-facts.ts'

let instances: [Database, Database]
let drop: () => Promise<void>
let repositories = 0n

beforeAll(async () => {
  const database = await createTestDatabase()
  drop = database.drop
  const instance = () => databaseAt(database.url, { poolSize: 3 })
  instances = [instance(), instance()]
})
afterAll(async () => {
  for (const instance of instances) await instance.close()
  await drop()
})

const actions = [
  ...(['create on branch', 'create on branch', 'create with link', 'create elsewhere', 'patch to branch'] as const),
  ...(['patch to link', 'patch away', 'done', 'abandon', 'archive', 'expire', 'put aside'] as const),
  ...(['push', 'open', 'close', 'merge', 'read', 'read', 'late read', 'read files'] as const),
]
type Action = (typeof actions)[number]

/** One repository with one pull request, as GitHub has it, and what two instances of the service do about it. */
class World {
  readonly clock: Clock = startClock()
  readonly repository = { id: ++repositories, owner: 'acme', name: 'app', defaultBranch: 'main' }
  readonly url = 'https://github.com/acme/app/pull/12'
  facts: PullRequestFacts
  readonly earlier: PullRequestFacts[] = []
  private pushes = 0

  constructor() {
    this.facts = pullRequestFacts({ headRepositoryId: this.repository.id, updatedAt: this.clock.now() })
  }

  context(db: Database) {
    return testContext(db, this.repository, this.clock.now())
  }

  /** Changes the pull request at GitHub, whose times are whole seconds. */
  change(facts: Partial<PullRequestFacts>) {
    this.clock.advance(minute)
    this.earlier.push(this.facts)
    this.facts = { ...this.facts, ...facts, updatedAt: this.clock.now() }
  }

  save(db: Database, facts: PullRequestFacts, event?: Partial<PullRequestEventFacts>) {
    const whole = event && { reopened: false, pushedAt: null, ...event }
    const repository = { ...this.repository, serverUrl: 'https://github.com' }
    return db.transaction((tx) => savePullRequest(tx, repository, facts, this.clock.now(), whole))
  }

  nextHead(): string {
    return (++this.pushes).toString(16).padStart(40, '0')
  }

  recorded() {
    return instances[0].prisma.activity.findMany({
      where: {
        ...{ repository_id: this.repository.id, source: 'recorded', ended_at: null },
        expires_at: { gt: this.clock.now() },
      },
    })
  }

  pull() {
    return instances[0].prisma.pullRequest.findUnique({
      where: { repository_id_number: { repository_id: this.repository.id, number: 12 } },
    })
  }
}

const input = { title: 'Login', summary: 'Rework it.', actor: 'Bob', scope: undefined, risk: 'low' } as const
const flags = { draft_pr: false, blocking: false }

/** What must happen at GitHub and with the clock before the instances act: these do not run side by side. */
function prepare(world: World, action: Action): void {
  const { facts } = world
  if (action === 'push' && facts.state === 'open') world.change({ headSha: world.nextHead() })
  if (action === 'open' && facts.state === 'closed') world.change({ state: 'open', endedAt: null })
  if (action === 'close' && facts.state === 'open') world.change({ state: 'closed', endedAt: world.clock.now() })
  if (action === 'merge' && facts.state === 'open') world.change({ state: 'merged', endedAt: world.clock.now() })
}

async function act(world: World, db: Database, action: Action, pick: number): Promise<unknown> {
  const context = world.context(db)
  const create = (fields: object) => createActivity(context, { ...input, ...flags, issues: [], ...fields }, undefined)
  const onOne = async (work: (id: string) => Promise<unknown>) => {
    const recorded = await world.recorded()
    const chosen = recorded[pick % Math.max(1, recorded.length)]
    return chosen && (await work(chosen.id))
  }
  const { facts, earlier } = world
  const event = { pushedAt: action === 'push' ? world.clock.now() : null, reopened: action === 'open' }
  switch (action) {
    case 'create on branch':
      return create({ branch: 'login' })
    case 'create with link':
      return create({ pr_url: world.url, branch: 'other' })
    case 'create elsewhere':
      return create({ branch: 'login', pr_url: 'https://github.com/acme/other/pull/12' })
    case 'patch to branch':
      return onOne((id) => updateActivity(context, id, { branch: 'login', pr_url: null }))
    case 'patch to link':
      return onOne((id) => updateActivity(context, id, { pr_url: world.url }))
    case 'patch away':
      return onOne((id) => updateActivity(context, id, { branch: 'other', pr_url: null }))
    case 'done':
      return onOne((id) => updateActivity(context, id, { status: 'merged' }))
    case 'abandon':
      return onOne((id) => updateActivity(context, id, { status: 'abandoned' }))
    case 'archive':
      return onOne((id) => archiveActivity(context, id))
    case 'put aside': {
      const observed = (await world.pull())?.activity_id
      return observed && archiveActivity(context, observed)
    }
    case 'late read': {
      const late = earlier[pick % Math.max(1, earlier.length)]
      return late && world.save(db, late)
    }
    case 'read files': {
      const { headSha } = facts
      const files = [changedFile('src/a.ts', { lines: [[10, 20]] })]
      const read = { headSha, files, filesTotal: 1, isPartlyListed: false, commits: [headSha], committedAt: null }
      return db.transaction((tx) => saveFiles(tx, world.repository, 12, read, context.now))
    }
    case 'expire':
    case 'read':
      return world.save(db, facts)
    default:
      return world.save(db, facts, event)
  }
}

/** Two actions may choose the same activity; then the later one may be refused. */
async function attempt(world: World, db: Database, action: Action, pick: number): Promise<void> {
  try {
    await act(world, db, action, pick)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'invalid_transition')) throw error
  }
}

/** An open pull request is found once, unless somebody put it aside: as itself, or as the activity that covers it. */
async function expectFoundOnce(world: World, db: Database): Promise<void> {
  const context = world.context(db)
  const pull = await world.pull()
  if (!pull) return
  const isOpen = world.facts.state === 'open'
  const isAside = pull.put_aside_head_sha === pull.head_sha
  const covering = coveringActivity(pull, await world.recorded())
  const { items } = await listActivities(context, { filters: {}, limit: 100, after: undefined })
  const observed = items.filter(({ source }) => source === 'pull_request')
  expect({ state: pull.state, head: pull.head_sha }).toEqual({ state: world.facts.state, head: world.facts.headSha })
  expect(observed).toHaveLength(isOpen && !isAside && !covering ? 1 : 0)
  expect(items).toHaveLength(observed.length + (await world.recorded()).length)
  if (!isOpen || isAside) {
    expect(pull.activity_id).toBeNull()
    return
  }
  const found = observed[0]?.id ?? covering?.id
  const record = await getActivity(context, pull.activity_id ?? expect.fail('an open pull request has no record'))
  expect(record).toMatchObject({ covered_by: covering?.id ?? null, archived_at: null })
  if (record.changes === null) return
  expect(items.find(({ id }) => id === found)?.changes).toMatchObject({ by: 'github', files_total: 1 })
  const proposal = OverlapCheck.parse({ branch: 'mine', changes: { files: [{ path: 'src/a.ts', lines: [[12, 12]] }] } })
  const { overlap_detected, related_activity_ids } = await checkProposal(context, proposal)
  expect({ overlap_detected, related_activity_ids }).toEqual({ overlap_detected: true, related_activity_ids: [found] })
}

const step = fc.record({
  action: fc.constantFrom(...actions),
  /** What another instance does at the same time; null for nothing. */
  beside: fc.option(fc.constantFrom(...actions)),
  instance: fc.nat(1),
  pick: fc.nat(5),
})

it('an open pull request is always found once, whatever two instances do in whatever order', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
      const world = new World()
      await act(world, instances[0], 'read', 0)
      await act(world, instances[0], 'read files', 0)
      for (const { action, beside, instance, pick } of steps) {
        const [one, other] = instance === 0 ? instances : [instances[1], instances[0]]
        prepare(world, action)
        if (action === 'expire') {
          await act(world, one, 'read', pick)
          world.clock.advance(25 * hour)
        }
        await Promise.all([attempt(world, one, action, pick), beside && attempt(world, other, beside, pick + 1)])
        await expectFoundOnce(world, other)
      }
    }),
    { numRuns: 20 },
  )
})
