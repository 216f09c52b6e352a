import { setTimeout as sleep } from 'node:timers/promises'
import type { FileInput } from '../../support/github/changed-files.ts'
import { type Repository, repositoryOf } from '../../support/github/data.ts'
import type { Pull } from '../../support/github/pull-data.ts'
import type { Github } from '../../support/github/start.ts'
import { beginCreation } from './ledger.ts'
import { CreateResponse, pathOf } from './records.ts'
import { expectStatus, type Load, pickRandom, sendUntilKnown } from './send.ts'

/** The pull requests of one repository, which somebody opens, changes and ends on GitHub. */
export interface PullRequests {
  /** By kind of action. */
  counts: Record<string, number>
  /** The recorded activities of pull requests, by head branch. */
  recorded: ReadonlyMap<string, string>
  /** The branch of a pull request that stays as it is. */
  lasting: string
  /** Waits for the current action, and begins no more. */
  stop(): Promise<void>
  /** Pushes once more to each open pull request. */
  pushEach(): Promise<void>
}

interface Actor extends Load {
  github: Github
  counts: Record<string, number>
  recorded: Map<string, string>
}

const mostOpen = 14
/** Ranges that touch only if they are the same. */
const ranges = [100, 200, 300] as const
export const lastingFile = { path: 'src/lasting.ts', lines: [[10, 20]] } as const satisfies FileInput

/** Starts with a pull request that lasts. One actor takes turns, with a pause of `paceMs`. */
export async function startPullRequests(load: Load, github: Github, paceMs: number): Promise<PullRequests> {
  const ending = new AbortController()
  const actor: Actor = { ...load, github, counts: {}, recorded: new Map() }
  const lasting = 'lasting'
  await github.openPullRequest(load.repository, { head: lasting, author: lasting, files: [lastingFile] })
  const over = (async () => {
    for (let turn = 0; !ending.signal.aborted && !load.signal.aborted; turn++) {
      await takeTurn(actor, turn, lasting)
      await sleep(paceMs)
    }
  })()
  return {
    counts: actor.counts,
    recorded: actor.recorded,
    lasting,
    async stop() {
      ending.abort()
      await over
    },
    async pushEach() {
      for (const { head, files } of openPulls(actor)) await pushSame(actor, head, files)
    },
  }
}

export function pullsOn({ data }: Pick<Github, 'data'>, { id }: { id: bigint }): Repository {
  return repositoryOf(data, Number(id))
}

function openPulls({ github, repository }: Actor): Pull[] {
  return pullsOn(github, repository).pulls.filter(({ state }) => state === 'open')
}

const actions: readonly [number, string][] = [
  [50, 'push'],
  [15, 'merge'],
  [10, 'close'],
  [10, 'reopen'],
  [8, 'retitle'],
  [7, 'draft'],
]

async function takeTurn(actor: Actor, turn: number, lasting: string): Promise<void> {
  const { github, repository } = actor
  const open = openPulls(actor).filter(({ head }) => head !== lasting)
  if (open.length < 3 || (open.length < mostOpen && actor.random() < 0.35)) return openOne(actor, turn)
  const { number, head, draft } = pickRandom(actor, open)
  const what = pickRandom(
    actor,
    actions.flatMap(([weight, name]) => Array.from({ length: weight }, () => name)),
  )
  count(actor, what)
  if (what === 'merge') await github.mergePullRequest(repository, number, { deleteBranch: actor.random() < 0.3 })
  else if (what === 'close') await github.closePullRequest(repository, number)
  else if (what === 'reopen') await reopenOne(actor)
  else if (what === 'retitle') await github.retitle(repository, number, `Title ${turn}`)
  else if (what === 'draft') await github[draft ? 'markReady' : 'convertToDraft'](repository, number)
  else await github.push(repository, head, {}, { changed: [randomFile(actor)] })
}

function count({ counts }: Actor, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1
}

function randomFile(actor: Actor): FileInput {
  const first = pickRandom(actor, ranges)
  return { path: `src/part-${Math.floor(actor.random() * 12)}/file.ts`, lines: [[first, first + 5]] }
}

/** Some are recorded first: the recorded activity covers the pull request. */
async function openOne(actor: Actor, turn: number): Promise<void> {
  const head = `pull-${turn}`
  if (actor.random() < 0.25) await record(actor, head)
  count(actor, 'open')
  await actor.github.openPullRequest(actor.repository, { head, author: `author-${turn}`, files: [randomFile(actor)] })
}

async function record(actor: Actor, branch: string): Promise<void> {
  const { ledger, repository, recorded } = actor
  const title = `${repository.name}-${branch}`
  const creation = beginCreation(ledger, title)
  const body = { title, summary: 'begun', actor: title, branch }
  const sent = { method: 'POST', token: repository.writer, headers: { 'idempotency-key': title }, body }
  const answer = await sendUntilKnown(actor, 'create', pathOf(actor, '/activity'), sent)
  if (!answer || !expectStatus(ledger, 'create', answer, 201)) return
  const { id } = CreateResponse.parse(answer.body).activity
  creation.ids.push(id)
  recorded.set(branch, id)
}

async function reopenOne(actor: Actor): Promise<void> {
  const { github, repository } = actor
  const closed = pullsOn(github, repository).pulls.filter(({ state, mergedAt }) => state === 'closed' && !mergedAt)
  const last = closed.at(-1)
  if (last) await github.reopenPullRequest(repository, last.number)
}

/** A new head with the same changes. */
async function pushSame({ github, repository }: Actor, head: string, files: Pull['files']): Promise<void> {
  const changed = files.map(({ path, patch }) => ({ path, ...(patch === null ? {} : { patch }) }))
  await github.push(repository, head, {}, { changed })
}
