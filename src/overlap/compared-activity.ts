import type { Scope } from '../scope/schema.ts'
import type { LiveActivity } from './collision.ts'
import type { BranchInfo } from './relationship.ts'

/** Lists come as JSON, which is read natively; reading PostgreSQL's own notation costs several times as much. */
export const lists = 'array_to_json(areas) as areas, array_to_json(paths) as paths'
export const comparedColumns = `id, title, actor, agent, status, branch, base_branch, risk, blocking, ${lists}`

/** What a check needs of an activity. */
export interface ComparedActivity extends LiveActivity, BranchInfo, Scope {}

/** Whose activities: of this repository, live at `now`, all but `self`. */
export interface LiveOf {
  repositoryId: bigint
  now: Date
  self: string | undefined
}
