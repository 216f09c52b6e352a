import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import { type Lease, withLease } from '../../db/lease.ts'
import type { Log } from '../../lib/log.ts'
import { isHandled } from '../app.ts'
import { type GithubResponse, nextPage } from '../github-response.ts'
import type { GithubApp } from '../installation/app-client.ts'
import { isNearlySpent } from '../rate-limits.ts'
import {
  findHandledGuids,
  findRedeliveryRequests,
  readListedUntil,
  recordRedeliveryRequest,
  saveListedUntil,
  undoRedeliveryRequest,
} from '../webhooks/delivery-store.ts'
import {
  FailedDelivery,
  isDue,
  isOpen,
  lastAttempts,
  listedFrom,
  type RedeliveryRequests,
  settledUntil,
} from './redelivery-rules.ts'

export interface RedeliverDeps {
  db: Database
  app: GithubApp
  log: Log
  now(): Date
  /** Ends the pass early. The next one continues. */
  signal?: AbortSignal
}

export interface RedeliverCounts {
  failed: number
  /** Deliveries that GitHub redelivers. */
  asked: number
  /** 1 if the pass ended early: GitHub failed, or a rate limit is almost spent. */
  stopped: number
  /** 1 if another instance is running it. */
  busy: number
}

/** How long the lease lasts, in ms: as long as a few requests may take. */
const leaseMs = 60_000

/** This part of the App's own rate limit is left for finding its installations. */
const reserve = 0.1

/**
 * Asks GitHub to redeliver the failed deliveries that were never handled, at most once an hour and five times each
 * (docs/rules.md#lost-deliveries). A pass that ends early leaves the saved position unchanged, so the next one starts there again.
 */
export async function redeliver(deps: RedeliverDeps): Promise<RedeliverCounts> {
  const counts = { failed: 0, asked: 0, stopped: 0, busy: 0 }
  const done = await withLease(deps.db, { name: 'redeliver', holdMs: leaseMs }, async (lease) => {
    const began = deps.now()
    const attempts = await listFailed(deps, lease, began)
    if (attempts === null) return { ...counts, stopped: 1 }
    return await requestAll(deps, lease, attempts, began)
  })
  return done ?? { ...counts, busy: 1 }
}

/** The failed attempts since the saved position, or null if the pass has to end. */
async function listFailed(deps: RedeliverDeps, lease: Lease, began: Date): Promise<FailedDelivery[] | null> {
  const from = listedFrom(await readListedUntil(deps.db), began)
  const found: FailedDelivery[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const parameters = { status: 'failure', per_page: 100, ...(cursor === undefined ? {} : { cursor }) }
    const response = await deps.app.requestAsApp({
      route: 'GET /app/hook/deliveries',
      parameters,
      signal: deps.signal,
    })
    const page = response.kind === 'response' && response.status === 200 ? readPage(response.body, deps.log) : null
    if (page === null || mustStop(response) || !(await lease.renew())) return halt(deps, response)
    const recent = page.filter((one) => one.delivered_at >= from)
    found.push(...recent)
    cursor = recent.length < page.length ? null : (nextPage(response)?.searchParams.get('cursor') ?? null)
  }
  return found
}

function readPage(body: unknown, log: Log): FailedDelivery[] | null {
  const list = z.array(z.unknown()).safeParse(body)
  if (!list.success) return null
  const read = list.data.map((one) => FailedDelivery.safeParse(one))
  const unreadable = read.filter(({ success }) => !success).length
  if (unreadable > 0) log.warn({ unreadable }, 'deliveries that can not be read are not redelivered')
  return read.flatMap(({ data }) => data ?? [])
}

async function requestAll(
  deps: RedeliverDeps,
  lease: Lease,
  attempts: FailedDelivery[],
  began: Date,
): Promise<RedeliverCounts> {
  const { db } = deps
  const last = lastAttempts(attempts)
  const guids = last.map(({ guid }) => guid)
  const [handled, known] = [await findHandledGuids(db, guids), await findRedeliveryRequests(db, guids)]
  const missing = last.filter(({ guid, event, action }) => !handled.has(guid) && isHandled(event, action))
  const counts = { failed: missing.length, asked: 0, stopped: 0, busy: 0 }
  for (const one of missing.filter(({ guid }) => isDue(known.get(guid), began))) {
    const request = await requestOne(deps, one, known.get(one.guid))
    counts.asked += request.asked
    if (request.ends || !(await lease.renew())) return { ...counts, stopped: 1 }
  }
  const open = new Set(missing.map(({ guid }) => guid).filter((guid) => isOpen(known.get(guid))))
  await saveListedUntil(db, settledUntil(attempts, open, began), began)
  return counts
}

async function requestOne(deps: RedeliverDeps, { id, guid }: FailedDelivery, before: RedeliveryRequests | undefined) {
  await recordRedeliveryRequest(deps.db, guid, deps.now())
  const response = await deps.app.requestAsApp({
    route: 'POST /app/hook/deliveries/{delivery_id}/attempts',
    parameters: { delivery_id: id },
    signal: deps.signal,
  })
  const ends = mustStop(response)
  // A request that GitHub declines counts as made, or it would be repeated for ever. A 404 means that it has no such delivery.
  const isAccepted = response.kind === 'response' && response.status === 202
  if (ends && !isAccepted) await undoRedeliveryRequest(deps.db, guid, before)
  if (ends) halt(deps, response)
  return { asked: isAccepted ? 1 : 0, ends }
}

function mustStop(response: GithubResponse): boolean {
  if (response.kind === 'failure') return true
  return response.status >= 500 || response.status === 401 || isNearlySpent(response, reserve)
}

function halt({ log }: RedeliverDeps, response: GithubResponse): null {
  const reason = response.kind === 'failure' ? response.reason : `status ${response.status}`
  log.warn({ reason }, 'the redelivery of lost deliveries stopped early; the next run continues it')
  return null
}
