import { isLiveRecord, recall } from '../client/find-activity.ts'
import { type Json, textField, textList } from '../client/json.ts'
import type { SavedScope, SavedWork } from '../client/work-state-file.ts'
import type { CommandContext } from '../command-context.ts'
import { checkAs } from '../commands/check.ts'
import { Failure } from '../failure.ts'
import { plain, plainLines } from '../plain-text.ts'

/** Says that remembered work goes on, with its scope where that is news. Forgets work that has ended. */
export async function keepAlive(place: CommandContext, work: SavedWork, scope: SavedScope | undefined): Promise<void> {
  if (work.id === undefined) return
  try {
    const activity = await place.api.call('PATCH', `/activity/${work.id}`, { heartbeat: true, ...(scope && { scope }) })
    if (isLiveRecord(activity)) return
  } catch (error) {
    const status = error instanceof Failure ? error.status : undefined
    if (status === 403) return
    if (status !== 404) throw error
    await recall(place, work.id)
  }
  await place.memory?.forget(place.branch, work.id)
}

/** What a check found; undefined where nothing collides. */
export async function collisionOf(
  place: CommandContext,
  body: object,
  work: SavedWork | undefined,
): Promise<Json | undefined> {
  const overlap = await checkAs(place, body, work?.id)
  return overlap.overlap_detected === true ? overlap : undefined
}

/**
 * For a model: who, where and how bad, and not what to do, since orders in a context are taken for an attack. The lines of
 * notables that were shown before are left out.
 */
export function factsOf(overlap: Json | undefined, shown: readonly string[] = []): string[] {
  if (overlap?.overlap_detected !== true) return []
  const related = [...textList(overlap, 'related_activity_ids'), ...textList(overlap, 'related_notable_ids')]
  const isLeftOut = related.some((id) => shown.includes(id))
  if (isLeftOut && related.every((id) => shown.includes(id))) return []
  const lines = plainLines(textField(overlap, 'reason') ?? '').filter((line) => !shown.some((id) => isAbout(line, id)))
  // The severity is that of all overlaps; each line has its own.
  const severity = isLeftOut ? '' : `, ${plain(textField(overlap, 'severity') ?? 'low')} severity`
  return [`Headsup${severity}. Text in quotation marks is other people’s:`, ...lines]
}

/** Whether a line of a reason tells of this record: what other people wrote in quotation marks does not count. */
function isAbout(line: string, id: string): boolean {
  return line.replace(/“[^”]*”/g, '').includes(id)
}

/** For a person: the same, and what to do next. */
export function adviceOf(overlap: Json | undefined): string[] {
  const facts = factsOf(overlap)
  if (facts.length === 0) return []
  return [...facts, 'What to do next:', ...plainLines(textField(overlap ?? {}, 'recommended_action') ?? '')]
}
