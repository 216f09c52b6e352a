/** What stands in the tables when all is over, of the test's repositories alone. */
export interface Snapshot {
  activities: ActivityKept[]
  notables: NotableKept[]
  /** Ids that `scope_keys` and `branch_sightings` name. */
  scopeKeys: { activityId: string }[]
  notableScopeKeys: { notableId: string }[]
  sightings: { activityId: string }[]
  idempotencyKeys: { recordId: string }[]
  deliveries: { guid: string }[]
}

export interface ActivityKept {
  id: string
  /** The title says which create made it: each has its own. */
  title: string
  status: string
  archivedAt: string | null
  paths: string[]
}

export interface NotableKept {
  id: string
  title: string
  status: string
  archivedAt: string | null
  supersedes: string[]
}
