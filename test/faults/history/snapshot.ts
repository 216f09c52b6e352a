/** The rows of a test's repository at the end. */
export interface Snapshot {
  activities: StoredActivity[]
  notables: StoredNotable[]
  /** The ids in `scope_keys`. */
  scopeKeys: { activityId: string }[]
  notableScopeKeys: { notableId: string }[]
  idempotencyKeys: { recordId: string }[]
  deliveries: { guid: string }[]
}

export interface StoredActivity {
  id: string
  /** Each create has its own title. */
  title: string
  /** `recorded`, or observed at GitHub. */
  source: string
  status: string
  archivedAt: string | null
  paths: string[]
}

export interface StoredNotable {
  id: string
  title: string
  status: string
  archivedAt: string | null
  supersedes: string[]
}
