/** The limit of each list of ids in a response. */
export const mostIds = 100

/** The limit of `nearby_activity_ids`. */
export const mostNearby = 20

/** The limit of `candidates`, and of the files of each. */
export const mostCandidates = 20
export const mostCandidateFiles = 100
