import { setImmediate } from 'node:timers/promises'
import type { Work } from './track.ts'

/** The work of one check, over all the scopes that it compares. */
export interface TurnWork extends Work {
  /** Up to how many steps go on before others have their turn. */
  turnEnds: number
  /** After how many steps it is given up. */
  readonly limit: number
}

/** A step takes some nanoseconds; this is about ten milliseconds, at most. */
const STEPS_OF_A_TURN = 500_000

/** Work without an end is for what is known to be small. */
export function openWork(limit = Number.POSITIVE_INFINITY): TurnWork {
  return { steps: 0, turnEnds: STEPS_OF_A_TURN, limit }
}

/**
 * Runs what yields whenever a turn is over (`compareInSteps`), letting everything else have its turn in between.
 * `undecided` where the limit of the work was reached first; what is small takes one turn and no waiting.
 */
export async function inTurns<T>(steps: Iterator<void, T>, work: TurnWork): Promise<T | 'undecided'> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (work.steps >= work.limit) return 'undecided'
    await setImmediate()
    work.turnEnds = work.steps + STEPS_OF_A_TURN
  }
}
