import { queueRerun } from '../../report/report-queue.sql.ts'
import { type HandlerContext, type HandlerResult, nothingChanged, resolveRepository } from './webhook-handler.ts'
import { RerequestedEvent, rerequestedHead } from './webhook-payloads.ts'

/**
 * `check_run` and `check_suite` `rerequested`: somebody re-runs the check run of a head, or all checks of it
 * (docs/rules.md#reports). It is computed and written again even if nothing changed, since GitHub has reset the status of its
 * suite.
 */
export async function onRerequested(payload: unknown, context: HandlerContext): Promise<HandlerResult> {
  const { tx, observer } = context
  const event = RerequestedEvent.parse(payload)
  const repositoryId = (await resolveRepository(event.repository, tx))?.id
  if (repositoryId === undefined) return nothingChanged
  const marked = await queueRerun(tx, repositoryId, rerequestedHead(event))
  return { repositoryId, counts: { marked }, afterwards: () => observer?.writeReports() }
}
