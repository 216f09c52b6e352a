/** The limit of each list of ids in a response. */
export const mostIds = 100

/** The limit of `nearby_activity_ids`. */
export const mostNearby = 20
