/**
 * Why a glob is refused: what is wrong and what to write instead. `position` counts characters (code points) from 0 and
 * points at the first character of what is refused; a limit has none.
 */
export interface GlobFault {
  message: string
  position: number | null
}

/** Leaves the reading of a glob; `parseGlob` turns it into a plain value. */
export class GlobRefused extends Error {
  readonly fault: GlobFault

  constructor(message: string, position: number | null) {
    super(message)
    this.name = 'GlobRefused'
    this.fault = { message, position }
  }
}
