import { randomUUID } from 'node:crypto'
import type { ApiResponse } from '../../support/client.ts'
import type { Effect, View } from '../history/step.ts'
import { attempt, expectStatus, insist, type Load, pick } from './ask.ts'
import { beginCreation, enter, now } from './ledger.ts'
import { Made, pathOf, Shown, type Subject, viewOf } from './records.ts'

const statuses = [
  'planned',
  'active',
  'paused',
  'blocked',
  'draft-pr-open',
  'ready-for-review',
  'merged',
  'abandoned',
  'archived',
]
const risks = ['low', 'medium', 'high', 'critical']

/** Creates with a key, as often as it takes; then asks once more, now and then, as a client does that lost its memory. */
export async function create(load: Load, title: string): Promise<Subject | undefined> {
  const { ledger, repository } = load
  const path = `src/part-${Math.floor(load.random() * 12)}/file.ts`
  const branch = `work/${title}`
  const creation = beginCreation(ledger, title)
  const sent = {
    method: 'POST',
    token: repository.writer,
    headers: { 'idempotency-key': title },
    body: { title, summary: 'begun', actor: title, branch, scope: { paths: [path] } },
  }
  const from = now()
  const answer = await insist(load, 'create', pathOf(load, '/activity'), sent)
  if (!answer || !expectStatus(ledger, 'create', answer, 201)) return undefined
  const until = now()
  const mergedAt = new Date()
  const { activity, overlap } = Made.parse(answer.body)
  creation.ids.push(activity.id)
  const record = { id: activity.id, kind: 'activity' as const, start: viewOf(activity), steps: [] }
  ledger.history.records.push(record)
  ledger.history.sights.push({
    id: activity.id,
    path,
    from,
    until,
    endedFrom: Infinity,
    named: overlap.related_activity_ids,
  })
  if (load.random() < 0.15) {
    const again = await attempt(load, 'create', pathOf(load, '/activity'), sent)
    if (again && expectStatus(ledger, 'create again', again, 201)) creation.ids.push(Made.parse(again.body).activity.id)
  }
  return { record, branch, mergedAt }
}

/** Raises a notable, in the place of those given. */
export async function raise(load: Load, title: string, replaced: readonly Subject[]): Promise<Subject | undefined> {
  const { ledger, repository } = load
  const creation = beginCreation(ledger, title)
  const supersedes = replaced.map(({ record }) => record.id)
  const body = { title, summary: 'raised', importance: 'low', category: 'process', supersedes }
  const ends = replaced.map(({ record }) => enter(record, title, { does: 'supersede' }))
  const sent = { method: 'POST', token: repository.writer, headers: { 'idempotency-key': title }, body }
  const answer = await insist(load, 'raise', pathOf(load, '/notables'), sent)
  if (!answer || !expectStatus(ledger, 'raise', answer, 201)) return undefined
  for (const end of ends) end({ is: 'ok', seen: {} })
  const { id } = Shown.parse(answer.body)
  creation.ids.push(id)
  const record = { id, kind: 'notable' as const, start: viewOf(answer.body), steps: [] }
  ledger.history.records.push(record)
  return { record, branch: '', mergedAt: new Date() }
}

/** One attempt at one thing, of which the record keeps what was asked and what was answered. */
async function tryOnce(
  load: Load,
  by: string,
  subject: Subject,
  { effect, verb, rest = '', body }: Try,
): Promise<void> {
  const { record } = subject
  const end = enter(record, by, effect)
  const list = record.kind === 'activity' ? '/activity' : '/notables'
  const sent = { method: verb, token: load.repository.writer, ...(body ? { body } : {}) }
  const answer = await attempt(load, nameOf(effect, record.kind), pathOf(load, `${list}/${record.id}${rest}`), sent)
  if (answer) end(outcomeOf(load, effect, answer))
}

interface Try {
  effect: Effect
  verb: string
  rest?: string
  body?: object
}

function nameOf({ does }: Effect, kind: string): string {
  return kind === 'activity' ? does : `${does} notable`
}

function outcomeOf({ ledger }: Load, effect: Effect, answer: ApiResponse) {
  if (answer.status === 409 && effect.does === 'patch') return { is: 'illegal' as const }
  if (expectStatus(ledger, effect.does, answer, 200)) return { is: 'ok' as const, seen: viewOf(answer.body) }
  return { is: 'unknown' as const }
}

export function read(load: Load, by: string, subject: Subject): Promise<void> {
  return tryOnce(load, by, subject, { effect: { does: 'read' }, verb: 'GET' })
}

export function archive(load: Load, by: string, subject: Subject): Promise<void> {
  return tryOnce(load, by, subject, { effect: { does: 'archive' }, verb: 'POST', rest: '/archive' })
}

export function beat(load: Load, by: string, subject: Subject): Promise<void> {
  return tryOnce(load, by, subject, { effect: { does: 'beat' }, verb: 'POST', rest: '/heartbeat' })
}

/** A summary that nobody else writes: it says which write is the last. */
export function rewrite(load: Load, by: string, subject: Subject): Promise<void> {
  const set: View = { summary: `${by} ${randomUUID()}` }
  if (subject.record.kind === 'activity' && load.random() < 0.4) set.risk = pick(load, risks)
  return tryOnce(load, by, subject, { effect: { does: 'patch', set }, verb: 'PATCH', body: set })
}

/** Any status, an illegal one too; what else the PATCH says is then to be left undone. */
export function move(load: Load, by: string, subject: Subject): Promise<void> {
  const status = pick(load, statuses)
  const set: View = { summary: `${by} ${randomUUID()}` }
  return tryOnce(load, by, subject, { effect: { does: 'patch', status, set }, verb: 'PATCH', body: { ...set, status } })
}
