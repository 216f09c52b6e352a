import { markHead } from '../../report/marks.sql.ts'
import { type HandlerContext, type HandlerResult, nothingChanged, resolveRepository } from './webhook-handler.ts'
import { CheckRunEvent } from './webhook-payloads.ts'

/**
 * `check_run` `rerequested`: somebody asks for the check run of a head again (docs/rules.md#reports). It is computed anew and
 * written even if nothing changed, since GitHub has reset the status of its suite.
 */
export async function onCheckRunRerequested(payload: unknown, context: HandlerContext): Promise<HandlerResult> {
  const { tx, observer } = context
  const event = CheckRunEvent.parse(payload)
  const repositoryId = (await resolveRepository(event.repository, tx))?.id
  if (repositoryId === undefined) return nothingChanged
  const marked = await markHead(tx, repositoryId, event.check_run.head_sha)
  return { repositoryId, counts: { marked }, afterwards: () => observer?.writeReports() }
}
