import type { Repository } from '../../records/repository/repository.ts'
import { finishNotable, markMetPulls, type NotableMark } from '../../report/notable-queue.sql.ts'
import type { ReportDeps } from './report-deps.ts'

/** Marks the open pull requests that a changed or ended notable meets, and lets it wait for its end. */
export async function handleNotable(deps: ReportDeps, repository: Repository, notable: NotableMark): Promise<void> {
  const { db, now, readGlob } = deps
  const { settings } = await deps.settingsOf(repository)
  await markMetPulls({ db, now: now(), repository, settings, readGlob }, notable)
  await finishNotable(db, repository.id, notable)
}
