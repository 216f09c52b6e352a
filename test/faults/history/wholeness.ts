import { grouped } from './grouped.ts'
import type { Snapshot } from './snapshot.ts'

/** A create with its key: all attempts of it together. */
export interface Creation {
  title: string
  /** Of each answer, a replayed one too; none where nobody ever heard. */
  ids: string[]
}

/** A delivery by its GUID: what was answered to each attempt that was answered at all. */
export interface Delivered {
  guid: string
  outcomes: string[]
}

/** What the tables must be like, whatever happened: a line for each thing that is not so. */
export function faultsOf(kept: Snapshot, creations: readonly Creation[], deliveries: readonly Delivered[]): string[] {
  return [...ofCreations(kept, creations), ...ofDeliveries(kept, deliveries), ...ofRecords(kept), ...ofOrphans(kept)]
}

function ofCreations({ activities, notables }: Snapshot, creations: readonly Creation[]): string[] {
  const made = grouped([...activities, ...notables], ({ title }) => title)
  const asked = new Set(creations.map(({ title }) => title))
  const ofNobody = [...made.keys()].filter((title) => !asked.has(title)).map((title) => `${title}: nobody created it`)
  const faults = creations.flatMap(({ title, ids }) => {
    const records = made.get(title) ?? []
    const told = [...new Set(ids)]
    return [
      ...(records.length > 1 ? [`${title}: is there ${records.length} times`] : []),
      ...(told.length > 1 ? [`${title}: was answered with ${told.length} ids`] : []),
      ...told.filter((id) => !records.some((one) => one.id === id)).map((id) => `${title}: ${id} is lost`),
    ]
  })
  return [...ofNobody, ...faults]
}

function ofDeliveries({ deliveries: kept }: Snapshot, deliveries: readonly Delivered[]): string[] {
  const recorded = grouped(kept, ({ guid }) => guid)
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

function ofOrphans({
  activities,
  notables,
  scopeKeys,
  notableScopeKeys,
  sightings,
  idempotencyKeys,
}: Snapshot): string[] {
  const there = new Set([...activities, ...notables].map(({ id }) => id))
  const alone = (table: string, ids: readonly string[]) =>
    [...new Set(ids)].filter((id) => !there.has(id)).map((id) => `${table}: of ${id}, which is not there`)
  return [
    ...alone(
      'scope_keys',
      scopeKeys.map(({ activityId }) => activityId),
    ),
    ...alone(
      'notable_scope_keys',
      notableScopeKeys.map(({ notableId }) => notableId),
    ),
    ...alone(
      'branch_sightings',
      sightings.map(({ activityId }) => activityId),
    ),
    ...alone(
      'idempotency_keys',
      idempotencyKeys.map(({ recordId }) => recordId),
    ),
  ]
}
