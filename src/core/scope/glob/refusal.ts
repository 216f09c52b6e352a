import type { BraceLimits } from './limits.ts'

/**
 * Why a glob is refused: what is wrong, and what to write instead. `position` is the index, in code points, of the first
 * character of what is refused. It is null for a limit.
 */
export interface GlobFault {
  message: string
  position: number | null
}

/** Thrown while a glob is parsed. `parseGlob` turns it into a plain value. */
export class GlobRefused extends Error {
  readonly fault: GlobFault

  constructor(message: string, position: number | null) {
    super(message)
    this.name = 'GlobRefused'
    this.fault = { message, position }
  }
}

export function tooManyAlternatives({ alternatives }: BraceLimits): GlobRefused {
  const message = `The braces make over ${alternatives} alternatives. Use a wildcard, or several globs.`
  return new GlobRefused(message, null)
}
