import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import { type Lease, withLease } from '../../db/lease.ts'
import type { Log } from '../../lib/log.ts'
import { isHandled } from '../app.ts'
import type { GithubResponse } from '../github-response.ts'
import type { GithubApp } from '../installation/app-client.ts'
import {
  findHandledGuids,
  findRedeliveryRequests,
  readListedUntil,
  recordRedeliveryRequest,
  saveListedUntil,
  undoRedeliveryRequest,
} from '../webhooks/delivery-store.ts'
import { nextPage, pauseUntil } from './rate-limit-headroom.ts'
import {
  FailedDelivery,
  isDue,
  isOpen,
  lastTries,
  listedFrom,
  type RedeliveryRequests,
  settledUntil,
} from './redelivery-rules.ts'

export interface RedeliverDeps {
  db: Database
  app: GithubApp
  log: Log
  now(): Date
  /** Ends the pass early: the next one goes on. */
  signal?: AbortSignal
}

export interface RedeliverCounts {
  failed: number
  asked: number
  /** 1 where the pass ended early: GitHub failed, or a limit is near. */
  stopped: number
  /** 1 where another instance was at it. */
  busy: number
}

/** As long as a few questions may take. */
const holdMs = 60_000

/**
 * Asks GitHub to redeliver the failed deliveries that were never handled, at most once an hour and five times each
 * (docs/rules.md#lost-deliveries). A pass that ends early keeps its mark, so the next one continues there.
 */
export async function redeliver(deps: RedeliverDeps): Promise<RedeliverCounts> {
  const counts = { failed: 0, asked: 0, stopped: 0, busy: 0 }
  const done = await withLease(deps.db, { name: 'redeliver', holdMs }, async (lease) => {
    const began = deps.now()
    const tries = await listFailed(deps, lease, began)
    if (tries === null) return { ...counts, stopped: 1 }
    return await askAgain(deps, lease, tries, began)
  })
  return done ?? { ...counts, busy: 1 }
}

/** The failed tries back to where everything is settled; null where GitHub does not say. */
async function listFailed(deps: RedeliverDeps, lease: Lease, began: Date): Promise<FailedDelivery[] | null> {
  const from = listedFrom(await readListedUntil(deps.db), began)
  const found: FailedDelivery[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const parameters = { status: 'failure', per_page: 100, ...(cursor === undefined ? {} : { cursor }) }
    const answer = await deps.app.requestAsApp({
      route: 'GET /app/hook/deliveries',
      parameters,
      signal: deps.signal,
    })
    const page = answer.kind === 'response' && answer.status === 200 ? readPage(answer.body, deps.log) : null
    if (page === null || mustStop(deps, answer) || !(await lease.renew())) return halt(deps, answer)
    const recent = page.filter((one) => one.delivered_at >= from)
    found.push(...recent)
    cursor = recent.length < page.length ? null : (nextPage(answer)?.searchParams.get('cursor') ?? null)
  }
  return found
}

function readPage(body: unknown, log: Log): FailedDelivery[] | null {
  const list = z.array(z.unknown()).safeParse(body)
  if (!list.success) return null
  const read = list.data.map((one) => FailedDelivery.safeParse(one))
  const unreadable = read.filter(({ success }) => !success).length
  if (unreadable > 0) log.warn({ unreadable }, 'deliveries that can not be read are not fetched again')
  return read.flatMap(({ data }) => data ?? [])
}

async function askAgain(
  deps: RedeliverDeps,
  lease: Lease,
  tries: FailedDelivery[],
  began: Date,
): Promise<RedeliverCounts> {
  const { db } = deps
  const last = lastTries(tries)
  const guids = last.map(({ guid }) => guid)
  const [handled, known] = [await findHandledGuids(db, guids), await findRedeliveryRequests(db, guids)]
  const missing = last.filter(({ guid, event, action }) => !handled.has(guid) && isHandled(event, action))
  const counts = { failed: missing.length, asked: 0, stopped: 0, busy: 0 }
  for (const one of missing.filter(({ guid }) => isDue(known.get(guid), began))) {
    const goesOn = await ask(deps, one, known.get(one.guid))
    counts.asked += goesOn.asked
    if (goesOn.rest || !(await lease.renew())) return { ...counts, stopped: 1 }
  }
  const open = new Set(missing.map(({ guid }) => guid).filter((guid) => isOpen(known.get(guid))))
  await saveListedUntil(db, settledUntil(tries, open, began), began)
  return counts
}

async function ask(deps: RedeliverDeps, { id, guid }: FailedDelivery, before: RedeliveryRequests | undefined) {
  await recordRedeliveryRequest(deps.db, guid, deps.now())
  const answer = await deps.app.requestAsApp({
    route: 'POST /app/hook/deliveries/{delivery_id}/attempts',
    parameters: { delivery_id: id },
    signal: deps.signal,
  })
  const rest = mustStop(deps, answer)
  // What GitHub does not take for its own reasons (404: it keeps it no more) counts as asked, or it would be asked for ever.
  const isTaken = answer.kind === 'response' && answer.status === 202
  if (rest && !isTaken) await undoRedeliveryRequest(deps.db, guid, before)
  if (rest) halt(deps, answer)
  return { asked: isTaken ? 1 : 0, rest }
}

function mustStop({ now }: RedeliverDeps, answer: GithubResponse): boolean {
  if (answer.kind === 'failure') return true
  return answer.status >= 500 || answer.status === 401 || pauseUntil(answer, now()) !== null
}

function halt({ log }: RedeliverDeps, answer: GithubResponse): null {
  const reason = answer.kind === 'failure' ? answer.reason : `status ${answer.status}`
  log.warn({ reason }, 'fetching lost deliveries again stops, and goes on at its next turn')
  return null
}
