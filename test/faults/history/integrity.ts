import { grouped } from './grouped.ts'
import type { Snapshot } from './snapshot.ts'

/** All attempts of a create with one idempotency key. */
export interface CreateAttempts {
  title: string
  /** The id of each response, replays included. Empty without a response. */
  ids: string[]
}

/** All attempts of a delivery with one GUID, and the outcomes in the responses. */
export interface DeliveryAttempts {
  guid: string
  outcomes: string[]
}

/**
 * Checks what must hold in the tables after any faults. Returns a line for each violation. `gone` are the ids of the records
 * whose retention is over.
 */
export function integrityViolations(
  snapshot: Snapshot,
  creations: readonly CreateAttempts[],
  deliveries: readonly DeliveryAttempts[],
  gone: ReadonlySet<string> = new Set(),
): string[] {
  return [
    ...ofCreations(snapshot, creations, gone),
    ...ofDeliveries(snapshot, deliveries),
    ...ofRecords(snapshot),
    ...ofOrphans(snapshot, gone),
  ]
}

function ofCreations(
  { activities, notables }: Snapshot,
  creations: readonly CreateAttempts[],
  gone: ReadonlySet<string>,
): string[] {
  const recorded = activities.filter(({ source }) => source === 'recorded')
  const made = grouped([...recorded, ...notables], ({ title }) => title)
  const requested = new Set(creations.map(({ title }) => title))
  const ofNobody = [...made.keys()]
    .filter((title) => !requested.has(title))
    .map((title) => `${title}: nobody created it`)
  const faults = creations.flatMap(({ title, ids }) => {
    const records = made.get(title) ?? []
    const distinctIds = [...new Set(ids)]
    return [
      ...(records.length > 1 ? [`${title}: exists ${records.length} times`] : []),
      ...(distinctIds.length > 1 ? [`${title}: was answered with ${distinctIds.length} ids`] : []),
      ...distinctIds
        .filter((id) => !gone.has(id) && !records.some((one) => one.id === id))
        .map((id) => `${title}: ${id} is lost`),
    ]
  })
  return [...ofNobody, ...faults]
}

function ofDeliveries({ deliveries: snapshot }: Snapshot, deliveries: readonly DeliveryAttempts[]): string[] {
  const recorded = grouped(snapshot, ({ guid }) => guid)
  return deliveries.flatMap(({ guid, outcomes }) => {
    const times = recorded.get(guid)?.length ?? 0
    const handled = outcomes.filter((outcome) => outcome === 'handled').length
    return [
      ...(outcomes.length > 0 && times !== 1 ? [`delivery ${guid}: was answered, and is recorded ${times} times`] : []),
      ...(handled > 1 ? [`delivery ${guid}: was handled ${handled} times`] : []),
    ]
  })
}

function ofRecords({ activities, notables, scopeKeys, notableScopeKeys }: Snapshot): string[] {
  const indexedNotables = new Set(notableScopeKeys.map(({ notableId }) => notableId))
  const indexed = new Set(scopeKeys.map(({ activityId }) => activityId))
  const notable = new Map(notables.map((one) => [one.id, one]))
  const dated = [...activities, ...notables].filter((one) => (one.status === 'archived') !== (one.archivedAt !== null))
  return [
    ...dated.map(({ id, status, archivedAt }) => `${id}: is ${status}, archived_at ${archivedAt}`),
    ...activities.flatMap(({ id, status, paths }) => [
      ...(status === 'expired' ? [`${id}: no activity is ever stored as expired`] : []),
      ...(paths.length > 0 && !indexed.has(id) ? [`${id}: has paths, and no scope_keys`] : []),
    ]),
    ...notables.flatMap(({ id, status }) => {
      const isIndexed = indexedNotables.has(id)
      return isIndexed === (status === 'active')
        ? []
        : `${id}: is ${status}, and ${isIndexed ? 'has' : 'has no'} notable_scope_keys`
    }),
    ...notables.flatMap(({ id, supersedes }) =>
      supersedes
        .filter((replaced) => notable.get(replaced)?.status === 'active')
        .map((replaced) => `${replaced}: is superseded by ${id}, and still active`),
    ),
  ]
}

function ofOrphans(
  { activities, notables, scopeKeys, notableScopeKeys, idempotencyKeys }: Snapshot,
  gone: ReadonlySet<string>,
): string[] {
  const existing = new Set([...activities, ...notables].map(({ id }) => id))
  const orphans = (table: string, ids: readonly string[]) =>
    [...new Set(ids)].filter((id) => !existing.has(id)).map((id) => `${table}: of ${id}, which does not exist`)
  return [
    ...orphans(
      'scope_keys',
      scopeKeys.map(({ activityId }) => activityId),
    ),
    ...orphans(
      'notable_scope_keys',
      notableScopeKeys.map(({ notableId }) => notableId),
    ),
    ...orphans(
      'idempotency_keys',
      // A key is kept for a day, also without its record.
      idempotencyKeys.map(({ recordId }) => recordId).filter((id) => !gone.has(id)),
    ),
  ]
}
