import type { FileChange } from '../../changes/file-change.ts'
import { activitySources, enumValue } from '../../enums.ts'
import type { CollisionItem } from '../../schemas/collision-item.ts'
import { examplePathOf } from '../../scope/compare.ts'
import { hidesWords } from '../author.ts'
import type { LoadedCollision } from '../findings.ts'

/** The limit of ranges of lines of one file. */
export const rangesLimit = 100

/** A collision as a response shows it. The lines are those of the file that counts most. */
export function collisionItem({
  id,
  severity,
  activity,
  overlap,
  changes,
  sameChange,
  issues,
  byStranger,
  ownership,
}: LoadedCollision): CollisionItem {
  const file = sameChange?.isTold ? sameChange.file : changes?.files[0]
  const ofFile = file?.unnamed ? null : file?.path
  const { pr_url, actor, agent, branch, source, began_at } = activity
  return {
    activity_id: id,
    severity,
    example_path: (file ? ofFile : overlap && examplePathOf(overlap)) ?? null,
    areas: [...(overlap?.areas ?? [])],
    issues: [...issues],
    lines: file?.change ? linesOf(file.change) : null,
    their_lines: file ? linesOf(file.theirChange) : null,
    since: began_at.toISOString(),
    pr_url,
    actor,
    agent,
    branch: hidesWords(activity) ? null : branch,
    source: enumValue(activitySources, source),
    ...(sameChange && { same_change: true }),
    ...(ownership === 'own' && { own: true }),
    ...(byStranger && { outside: true }),
  }
}

/** Null for an added file, whose lines are all new. */
function linesOf({ status, lines }: FileChange): [number, number][] | null {
  if (status === 'added' || lines === null) return null
  return lines.slice(0, rangesLimit).map(([first, last]) => [first, last])
}
