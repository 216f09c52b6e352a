import { RequestError } from '@octokit/request-error'
import type { Octokit } from '@octokit/rest'
import { followReadHead } from '../../check-runs/check-runs.ts'
import type { Parts } from '../../context.ts'
import { inTransaction } from '../../db/retry.ts'
import { safely } from '../../log.ts'
import { forgetPull } from '../../observed/forget.ts'
import { mayObserve } from '../../observed/may-observe.ts'
import { type KnownPull, knownPulls, type Observing } from '../../observed/pulls.ts'
import { saveFiles } from '../../observed/save-files.ts'
import { differing } from '../../records/differing.ts'
import { refusesToken } from '../octokit.ts'
import { followPull } from './follow-pull.ts'
import { type GithubPull, pullFactsOf } from './pull-facts.ts'
import { type At, listOf, readHead } from './read-head.ts'
import { takeUnread } from './unread.ts'

export interface Reading extends Parts {
  octokit: Pick<Octokit, 'paginate' | 'rest'>
  observing: Omit<Observing, 'now'>
  /** Whether time and limits are left for another head, or another question. */
  mayGoOn(): boolean
  /** Whether heads of strangers are read too. */
  withStrangers(): boolean
}

/** One reading asks about 100 absent ones; the next one goes on. */
const most = { absent: 100, atOnce: 4 }

/**
 * Lists the open pull requests, and saves what is new: all of them, or the pages that were updated last. Absence from the list ends
 * nothing: GitHub is asked about each. Returns how many open ones are not listed.
 */
export async function listPulls(reading: Reading, mostPages = Number.POSITIVE_INFINITY): Promise<number> {
  const { prisma, octokit, observing, mayGoOn } = reading
  const { pulls } = octokit.rest
  const [at, { id }] = [atOf(observing), observing.repository]
  const asked = { ...at, state: 'open', sort: 'updated', direction: 'desc', per_page: 100 } as const
  let [pages, all, isCut] = [0, 0, false]
  const listed = await octokit.paginate(pulls.list, asked, (response, done) => {
    pages += 1
    all = lastPage(response.headers.link)
    isCut = all > pages && (pages === mostPages || !mayGoOn())
    if (isCut) done()
    return listOf(response)
  })
  // The name may belong to another repository by now.
  if (listed.some(({ base }) => BigInt(base.repo.id) !== id)) throw new Error('the list is of another repository')
  const known = await knownPulls(prisma, id)
  for (const pull of listed.toReversed()) await saveListed(reading, pull, known.get(pull.number))
  const numbers = new Set(listed.map(({ number }) => number))
  const absent = [...known.keys()].filter((number) => !numbers.has(number)).slice(0, most.absent)
  for (const number of absent) if (mayGoOn()) await askAbout(reading, number, isCut)
  if (!isCut) return 0
  const counted = mayGoOn() && (await pulls.list({ ...at, state: 'open', per_page: 1 }))
  // Without that answer: at least so many.
  const open = counted ? lastPage(counted.headers.link) : (all - 1) * asked.per_page + 1
  return Math.max(open - listed.length, 0)
}

/** The number of the last page; 0 where this is it. */
function lastPage(link = ''): number {
  return Number(/[?&]page=(\d+)[^>]*>; rel="last"/.exec(link)?.[1] ?? 0)
}

/** Most are as they were, and cost nothing. */
async function saveListed(reading: Reading, pull: GithubPull, known: KnownPull | undefined): Promise<void> {
  const { prisma, observing } = reading
  const facts = pullFactsOf(pull, observing)
  const isSettled = known?.is_settled === mayObserve(facts, observing.settings)
  if (known && isSettled && Object.keys(differing(known, facts)).length === 0) return
  await inTransaction(prisma, (tx) => followPull(tx, { ...observing, now: reading.now() }, pull))
}

async function askAbout(reading: Reading, number: number, isCut: boolean): Promise<void> {
  const { prisma, octokit, observing, now } = reading
  const { id } = observing.repository
  const found = await octokit.rest.pulls.get({ ...atOf(observing), pull_number: number }).catch((error: unknown) => {
    if (error instanceof RequestError && error.status === 404) return null
    throw error
  })
  if (found && BigInt(found.data.base.repo.id) !== id) throw new Error('the answer is of another repository')
  const isBeyond = found?.data.state === 'open' && isCut
  await inTransaction(prisma, async (tx) => {
    if (found) await followPull(tx, { ...observing, now: now() }, found.data)
    if (!found || isBeyond) await forgetPull(tx, { id, number }, { isGone: !found, now: now() })
  })
}

/**
 * Reads the files of at most so many heads, four at a time. One that fails stays unread and is tried again later; it does not keep
 * the others waiting. Throws where GitHub refuses the token.
 */
export async function readHeads(reading: Reading, mostHeads: number): Promise<void> {
  const { prisma, observing, now, log, mayGoOn, withStrangers } = reading
  const { id } = observing.repository
  for (let left = mostHeads; left > 0 && mayGoOn(); left -= most.atOnce) {
    const taking = { now: now(), most: Math.min(left, most.atOnce), withStrangers: withStrangers() }
    const heads = await takeUnread(prisma, id, taking)
    const results = await Promise.allSettled(heads.map((head) => readOne(reading, head)))
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    for (const error of failures) log.info({ repository: String(id), ...safely(error) }, 'a head could not be read')
    const refusal = failures.find(refusesToken)
    if (refusal) throw refusal
    // None is left, or GitHub is away.
    if (failures.length === heads.length) return
  }
}

type Head = Parameters<typeof readHead>[2]

async function readOne({ prisma, octokit, observing, now }: Reading, head: Head): Promise<void> {
  const read = await readHead(octokit, atOf(observing), head)
  if (!read) return
  await inTransaction(prisma, async (tx) => {
    const at = now()
    const run = { repository_id: observing.repository.id, number: head.number, head_sha: head.head_sha }
    if (await saveFiles(tx, { ...observing, now: at }, read)) await followReadHead(tx, run, at)
  })
}

function atOf({ repository: { owner, name } }: Pick<Observing, 'repository'>): At {
  return { owner, repo: name }
}
