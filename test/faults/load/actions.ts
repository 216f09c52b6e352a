import { randomUUID } from 'node:crypto'
import type { ApiResponse } from '../../support/client.ts'
import type { Effect, View } from '../history/step.ts'
import { beginCreation, beginStep, now } from './ledger.ts'
import { CreateResponse, mayBeGone, pathOf, RecordFields, type Subject, viewOf } from './records.ts'
import { expectStatus, type Load, pickRandom, sendOnce, sendUntilKnown } from './send.ts'

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

/** Creates an activity with an idempotency key. Repeats some creates that were answered already. */
export async function createActivity(load: Load, title: string): Promise<Subject | undefined> {
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
  const answer = await sendUntilKnown(load, 'create', pathOf(load, '/activity'), sent)
  if (!answer || !expectStatus(ledger, 'create', answer, 201)) return undefined
  const until = now()
  const mergedAt = new Date()
  const { activity, overlap } = CreateResponse.parse(answer.body)
  creation.ids.push(activity.id)
  const record = { id: activity.id, kind: 'activity' as const, start: viewOf(activity), steps: [] }
  ledger.history.records.push(record)
  ledger.history.creates.push({
    id: activity.id,
    path,
    from,
    until,
    endedFrom: Infinity,
    named: overlap.related_activity_ids,
  })
  if (load.random() < 0.15) {
    const again = await sendOnce(load, 'create', pathOf(load, '/activity'), sent)
    if (again && expectStatus(ledger, 'create again', again, 201))
      creation.ids.push(CreateResponse.parse(again.body).activity.id)
  }
  return { record, branch, mergedAt }
}

/** Creates a notable that supersedes the given ones. */
export async function createNotable(
  load: Load,
  title: string,
  replaced: readonly Subject[],
): Promise<Subject | undefined> {
  const { ledger, repository } = load
  const creation = beginCreation(ledger, title)
  const supersedes = replaced.map(({ record }) => record.id)
  const body = { title, summary: 'raised', importance: 'low', category: 'process', supersedes }
  const ends = replaced.map(({ record }) => beginStep(record, title, { does: 'supersede' }))
  const sent = { method: 'POST', token: repository.writer, headers: { 'idempotency-key': title }, body }
  const answer = await sendUntilKnown(load, 'raise', pathOf(load, '/notables'), sent)
  if (!answer || !expectStatus(ledger, 'raise', answer, 201)) return undefined
  for (const end of ends) end({ is: 'ok', seen: {} })
  const { id } = RecordFields.parse(answer.body)
  creation.ids.push(id)
  const record = { id, kind: 'notable' as const, start: viewOf(answer.body), steps: [] }
  ledger.history.records.push(record)
  return { record, branch: '', mergedAt: new Date() }
}

/** Sends one request, and records the attempt and its outcome. */
async function tryOnce(
  load: Load,
  by: string,
  subject: Subject,
  { effect, verb, rest = '', body }: Attempt,
): Promise<void> {
  const { record } = subject
  const end = beginStep(record, by, effect)
  const list = record.kind === 'activity' ? '/activity' : '/notables'
  const sent = { method: verb, token: load.repository.writer, ...(body ? { body } : {}) }
  const answer = await sendOnce(load, nameOf(effect, record.kind), pathOf(load, `${list}/${record.id}${rest}`), sent)
  if (answer?.status === 404 && mayBeGone(load, record)) record.isGone = true
  else if (answer) end(outcomeOf(load, effect, answer))
}

interface Attempt {
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

export function heartbeat(load: Load, by: string, subject: Subject): Promise<void> {
  return tryOnce(load, by, subject, { effect: { does: 'beat' }, verb: 'POST', rest: '/heartbeat' })
}

/** Sets a unique summary, which identifies the last write. */
export function changeSummary(load: Load, by: string, subject: Subject): Promise<void> {
  const set: View = { summary: `${by} ${randomUUID()}` }
  if (subject.record.kind === 'activity' && load.random() < 0.4) set.risk = pickRandom(load, risks)
  return tryOnce(load, by, subject, { effect: { does: 'patch', set }, verb: 'PATCH', body: set })
}

/** Sets a random status, also one that is not allowed: then the rest of the PATCH must not be applied either. */
export function changeStatus(load: Load, by: string, subject: Subject): Promise<void> {
  const status = pickRandom(load, statuses)
  const set: View = { summary: `${by} ${randomUUID()}` }
  return tryOnce(load, by, subject, { effect: { does: 'patch', status, set }, verb: 'PATCH', body: { ...set, status } })
}
