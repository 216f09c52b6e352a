/** The longest glob, in characters (Unicode code points). */
export const longestGlob = 1024

/** Limits of the braces of one glob: its alternatives, and the characters of all of them together. */
export interface BraceLimits {
  readonly alternatives: number
  readonly expanded: number
}

/** Those of a glob that a request or a settings file brings. */
export const braceLimits: BraceLimits = { alternatives: 64, expanded: 2048 }

/** The former ones. Globs that were stored under them stay valid. */
export const storedBraceLimits: BraceLimits = { alternatives: 256, expanded: 4096 }

/** What the path globs of one scope may be together. The bytes are those of UTF-8. */
export const scopePathLimits = { globs: 100, bytes: 16 * 1024, alternatives: 1000 } as const

/** What the area labels of one scope may be together. */
export const scopeAreaLimits = { labels: 100, bytes: 4 * 1024 } as const
