/** How many records one repository may hold. */
export interface RecordLimits {
  liveActivities: number
  /** Active notables. */
  notables: number
  /** Activities and notables, including ended ones. */
  records: number
}

export const defaultRecordLimits: RecordLimits = { liveActivities: 20_000, notables: 1_000, records: 200_000 }
