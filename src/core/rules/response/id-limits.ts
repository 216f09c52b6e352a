/** The limit of each list of ids in a response, and of `nearby_activity_ids`. */
export interface IdLimits {
  ids: number
  nearby: number
}

export const idLimits: IdLimits = { ids: 100, nearby: 20 }

/** The same in each result of a request with several proposals. */
export const idLimitsOfTask: IdLimits = { ids: 10, nearby: 10 }

/** Each text of a response describes at most this many overlaps, and a line names at most this many ids or labels. */
export const mostDescribed = 5
