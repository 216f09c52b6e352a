import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { signIn, visit } from '../../integration/session/visitor.ts'
import type { Repository } from '../../support/github/data.ts'
import type { PrivateRepository } from '../../support/github/start.ts'
import { query } from '../../support/query.ts'
import { checkRunViolations, observedViolations } from '../history/pull-request-violations.ts'
import { differences } from '../history/stream-view.ts'
import type { Stage } from '../stage/start-stage.ts'
import { type Follower, startFollower } from './followers.ts'
import { now } from './ledger.ts'
import { type PullRequests, pullsOn, startPullRequests } from './pull-requests.ts'
import { readLists } from './read-lists.ts'
import { pathOf } from './records.ts'
import type { Load } from './send.ts'
import { type RunningLoad, startLoad } from './start-load.ts'
import { startChecks, startLeaver, startOutsiders, startPageVisitors } from './visitors.ts'

/** Everything at once: records, pull requests on the stand-in, streams, the page's requests, and people without access. */
export interface FullLoad {
  /** The records of a repository with the App, and of one without. */
  records: readonly RunningLoad[]
  acknowledged(more: number): Promise<void>
  /** Breaks the connections of all streams. */
  cutStreams(): void
  /** A writer loses the access. */
  revoke(): void
  /** Ends all but the streams, and compares with GitHub and the streams. Returns a line for each violation. */
  finish(): Promise<string[]>
  figures(): object
}

export interface FullLoadOptions {
  random(): number
  paceMs?: number
  /** Between two actions on pull requests. */
  pullPaceMs: number
  /** `HEADSUP_RETENTION_MS` of the instances, if that is shorter than the run. */
  retentionMs?: number
}

/** Settings of the instances: jobs and questions about access come often, so that minutes correspond to hours. */
export const oftenSettings = {
  HEADSUP_RECONCILE_INTERVAL_MS: '5000',
  HEADSUP_PERMISSION_CACHE_MS: '2000',
  HEADSUP_SWEEP_INTERVAL_MS: '1000',
}

/** How long to wait for what is repeated after a failure: a reading after a minute, then after twice as long each time. */
const settleMs = 900_000

export async function startFullLoad(stage: Stage, options: FullLoadOptions): Promise<FullLoad> {
  const { github, fleet, postgres } = stage
  const { random, paceMs = 0, pullPaceMs, retentionMs = Infinity } = options
  const urls = () => fleet.urls
  const [observed, plain] = [github.addRepository('observed', 'observed'), github.addRepository('plain')]
  github.install('observed')
  const leaver = github.addToken(`ghp_leaver${observed.id}`, 'leaver')
  github.allow(observed, leaver, 'write')
  const where = { urls, random, paceMs, retentionMs }
  const records = [
    startLoad({ ...where, repository: observed, clients: 3, deliveries: false }),
    startLoad({ ...where, repository: plain, clients: 2 }),
  ]
  const [{ load }] = records as [RunningLoad]
  const pulls = await startPullRequests(load, github, pullPaceMs)
  const streaming = new AbortController()
  onTestFinished(() => streaming.abort())
  const follow = createFollow(stage, streaming.signal)
  const followers = [...(await follow(observed)), ...(await follow(plain))]
  await untilSeen(followers[0], pulls.lasting)
  let leftAt = Infinity
  const visitors = [
    startOutsiders(load),
    startPageVisitors(load, observed.otherWriter),
    startChecks(load),
    startLeaver(load, leaver, () => leftAt),
  ]
  // GitHub's hourly limits are a fault of their own.
  const unlimited = setInterval(() => {
    for (const { limit } of github.data.tokens.values()) limit.used = 0
  }, 1_000)
  onTestFinished(() => clearInterval(unlimited))

  const settledMs = { github: 0, streams: 0 }

  return {
    records,
    acknowledged: async (more) =>
      void (await Promise.all(records.map((one) => one.acknowledged(more / records.length)))),
    cutStreams() {
      for (const { cut } of followers) cut()
    },
    revoke() {
      pullsOn(github, observed).roles.delete('leaver')
      leftAt = now()
    },
    async finish() {
      await pulls.stop()
      for (const one of records) await one.finish()
      await Promise.all(visitors.map(({ ended }) => ended))
      // Reports beyond the hourly limit are written with the next push.
      noteMerged(load, pulls, pullsOn(github, observed))
      await query(postgres.url, 'delete from report_paces')
      await pulls.pushEach()
      const begun = now()
      const atGithub = await settled(() => githubViolations(stage, observed))
      settledMs.github = Math.round(now() - begun)
      const inStreams = await settled(() => streamViolations(stage, followers))
      settledMs.streams = Math.round(now() - begun)
      return [
        ...atGithub,
        ...inStreams,
        ...followers.flatMap(({ view, violations }) => [...violations, ...view.doubled]),
        ...followers.flatMap((one) => missedCreates(one, records)),
        ...visitors.flatMap(({ violations }) => violations),
      ]
    },
    figures: () => ({
      settledMs,
      pulls: pulls.counts,
      recordedPulls: pulls.recorded.size,
      checkRuns: pullsOn(github, observed).checkRuns.length,
      streams: followers.map(({ name, counts }) => ({ name, ...counts })),
      visitors: visitors.map(({ counts }) => Object.values(counts).reduce((sum, one) => sum + one, 0)),
      requestsToGithub: github.log.length,
      webhooks: github.data.deliveries.length,
    }),
  }
}

/** A merge ends the recorded activity of its pull request. */
function noteMerged({ retentionMs, ledger }: Load, { recorded }: PullRequests, { pulls }: Repository): void {
  if (retentionMs === Infinity) return
  const merged = pulls.filter(({ mergedAt }) => mergedAt !== null)
  ledger.history.gone.push(...merged.flatMap(({ head }) => recorded.get(head) ?? []))
}

/** Two streams stay with one instance each, one changes between them, and one is the page's. */
function createFollow({ fleet }: Stage, signal: AbortSignal) {
  return async (repository: PrivateRepository) => {
    const [first = '', second = ''] = fleet.urls
    const path = pathOf({ repository } as Load, '/events')
    const visitor = visit({ url: second })
    await signIn(visitor, repository.otherWriter)
    const cookie = [...visitor.cookies].map(([key, value]) => `${key}=${value}`).join('; ')
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
    const one = (who: string, urls: string[], headers: Record<string, string>) =>
      Object.assign(startFollower({ name: `${repository.name}, ${who}`, urls, path, headers, signal }), { repository })
    return [
      one('writer at the first', [first], bearer(repository.writer)),
      one('reader at the second', [second], bearer(repository.reader)),
      one('writer at both in turn', [first, second], bearer(repository.writer)),
      one('page at the second', [second], { cookie, 'sec-fetch-site': 'same-origin' }),
    ]
  }
}

type RepositoryFollower = Follower & { repository: PrivateRepository }

async function untilSeen(follower: Follower | undefined, branch: string): Promise<void> {
  const isSeen = () =>
    [...(follower?.view.activities.values() ?? [])].some((one) => one.branch === branch && one.changes)
  for (let tries = 0; !isSeen(); tries++) {
    if (tries > 1_200) throw new Error(`${branch} is not read`)
    await sleep(50)
  }
}

/** Repeats until there is no violation, and returns those that stay. */
async function settled(find: () => Promise<string[]>): Promise<string[]> {
  const begun = now()
  for (;;) {
    const found = await find()
    if (found.length === 0 || now() - begun > settleMs) return found
    await sleep(1_000)
  }
}

function listsOf({ fleet }: Stage, { owner, name, writer }: PrivateRepository) {
  return Promise.all(fleet.urls.map((url) => readLists(`${url}/api/v1/repos/${owner}/${name}`, writer)))
}

async function githubViolations(stage: Stage, repository: PrivateRepository): Promise<string[]> {
  const onGithub = pullsOn(stage.github, repository)
  const lists = await listsOf(stage, repository)
  return [...lists.flatMap((view) => observedViolations(onGithub, view)), ...checkRunViolations(onGithub)]
}

async function streamViolations(stage: Stage, followers: readonly RepositoryFollower[]): Promise<string[]> {
  const lists = new Map<PrivateRepository, Awaited<ReturnType<typeof listsOf>>>()
  for (const { repository } of followers) {
    if (!lists.has(repository)) lists.set(repository, await listsOf(stage, repository))
  }
  return followers.flatMap(({ name, view, repository }) =>
    (lists.get(repository) ?? []).flatMap((list) => differences(view, list).map((line) => `${name}: ${line}`)),
  )
}

/** A stream has each create that was sent while it was connected. */
function missedCreates({ name, view, followsSince, ...rest }: Follower, records: readonly RunningLoad[]): string[] {
  const { repository } = rest as RepositoryFollower
  const [own] = records.filter(({ load }) => load.repository === repository)
  const creates = own?.load.ledger.history.creates ?? []
  return creates
    .filter(({ id, from }) => from > followsSince() && !view.seen.has(id))
    .map(({ id }) => `${name}: has no event of ${id}`)
}
