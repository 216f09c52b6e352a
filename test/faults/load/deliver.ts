import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { sign } from '../../support/deliveries.ts'
import type { Effect } from '../history/step.ts'
import { beginDelivery, beginStep } from './ledger.ts'
import type { Subject } from './records.ts'
import { expectStatus, type Load, sendOnce, sendUntilKnown } from './send.ts'

type DeliveredEffect = Extract<Effect['does'], 'lose-branch' | 'merge' | 'push'>

const Answered = z.object({ outcome: z.string() })

/**
 * Delivers an event of the branch of a record until it is acknowledged. A GUID is handled once, so all attempts are one step.
 * Some deliveries are repeated after that, which must change nothing.
 */
export async function deliver(load: Load, by: string, subject: Subject, does: DeliveredEffect): Promise<void> {
  const { ledger } = load
  const { record } = subject
  const delivered = beginDelivery(ledger, randomUUID())
  const sent = signed(load, delivered.guid, subject, does)
  const end = beginStep(record, by, { does })
  const answer = await sendUntilKnown(load, 'deliver', '/api/github/webhooks', sent)
  if (!answer || !expectStatus(ledger, 'deliver', answer, 200)) return
  end({ is: 'ok', seen: {} })
  delivered.outcomes.push(Answered.parse(answer.body).outcome)
  if (load.random() > 0.3) return
  const again = await sendOnce(load, 'deliver', '/api/github/webhooks', sent)
  if (again && expectStatus(ledger, 'deliver again', again, 200)) {
    const { outcome } = Answered.parse(again.body)
    if (outcome !== 'duplicate')
      ledger.violations.push(`delivery ${delivered.guid}: ${outcome} for a repeated delivery`)
  }
}

function signed({ repository: { id, owner, name } }: Load, guid: string, subject: Subject, does: DeliveredEffect) {
  const { branch } = subject
  const repository = { id: Number(id), name, full_name: `${owner}/${name}`, owner: { login: owner }, pushed_at: null }
  const events = {
    'lose-branch': ['delete', { ref: branch, ref_type: 'branch', repository }],
    push: ['push', { ref: `refs/heads/${branch}`, repository, commits: [] }],
    merge: ['pull_request', { action: 'closed', repository, pull_request: mergedPull(subject, repository) }],
  } as const
  const [event, payload] = events[does]
  const raw = JSON.stringify(payload)
  const headers = { 'x-github-event': event, 'x-github-delivery': guid, 'x-hub-signature-256': sign(raw) }
  return { method: 'POST', raw, headers }
}

function mergedPull({ branch, mergedAt }: Subject, repository: object) {
  return {
    number: 7,
    state: 'closed',
    merged: true,
    merged_at: mergedAt.toISOString(),
    head: { ref: branch, repo: repository },
    base: { ref: 'main', repo: repository },
  }
}
