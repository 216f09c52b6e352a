import type { Scope } from '../../scope/schema.ts'
import type { BranchInfo } from '../relationship.ts'
import type { Closeness } from '../severity.ts'

/** Lists are selected as JSON: parsing PostgreSQL's array notation costs several times as much. */
export const listColumns = 'array_to_json(areas) as areas, array_to_json(paths) as paths'

/** Which activities a check reads: those of this repository that are live at `now`, without `self`. */
export interface LiveFilter {
  repositoryId: bigint
  now: Date
  self: string | undefined
}

/** A row and its version. Every change of a row makes a new version, a heartbeat too. */
export interface RowVersion {
  id: string
  version: string
}

/** The columns of an activity that a check compares and describes. */
export interface ComparedActivity extends BranchInfo, Scope {
  id: string
  title: string
  actor: string
  agent: string | null
  status: string
  risk: string
  blocking: boolean
}

/** An activity as loaded from the database or the cache, live or ended. */
export interface LoadedActivity extends ComparedActivity {
  pr_url: string | null
  ended_at: Date | null
}

/** An activity whose overlap the index decides. Its row is not loaded. */
export interface ActivityMatchedByIndex extends RowVersion, BranchInfo {
  closeness: Exclude<Closeness, 'areas'>
  is_grave: boolean
}

export interface MergedActivity extends Scope {
  id: string
  title: string
  actor: string
  branch: string | null
  pr_url: string | null
  ended_at: Date
}

export interface ComparedNotable extends Scope {
  id: string
  title: string
  importance: string
  blocking: boolean
}

/** A live activity that may be the caller's own or stacked. */
export interface StackedActivity extends BranchInfo {
  id: string
}

/** Loads these activities. Leaves out those that were deleted. */
export type LoadActivities = (rows: readonly RowVersion[]) => Promise<readonly LoadedActivity[]>
