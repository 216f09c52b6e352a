/** The memory of a cache is taken when it is made, and a service of a test has few callers. */
export const smallCaches = { cachedResults: 1_000, trackedTokens: 1_000, trackedAddresses: 1_000 }
