import { GlobRefused } from './glob-fault.ts'

/** Limits of one glob: its characters, its alternatives, and the characters of these together. */
export const globLimits = { characters: 1024, alternatives: 256, expanded: 4096 } as const

export function tooManyAlternatives(): GlobRefused {
  const message = `The braces make over ${globLimits.alternatives} alternatives. Use a wildcard, or several globs.`
  return new GlobRefused(message, null)
}
