import type { Repository } from '../../records/repository/repository.ts'
import { finishNotable, type QueuedNotable, queueReportsOf } from '../../report/notable-queue.sql.ts'
import type { ReportDeps } from './report-deps.ts'

/** Queues the reports of the open pull requests that a changed or ended notable meets, and postpones the notable until it ends. */
export async function queueMetReports(deps: ReportDeps, repository: Repository, notable: QueuedNotable): Promise<void> {
  const { db, now, readGlob } = deps
  const { settings } = await deps.settingsOf(repository)
  await queueReportsOf({ db, now: now(), repository, settings, readGlob }, notable)
  await finishNotable(db, repository.id, notable)
}
