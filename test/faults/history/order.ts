import { follow, type State } from './law.ts'
import type { RecordHistory, Step } from './step.ts'

/** An order that explains a history, or how far the best one got and what it could not explain. */
export type Explained =
  | { is: 'explained'; tries: number }
  | {
      is: 'unexplained'
      fits: number
      stuck: Step[]
      state: State
      tries: number
      /** Whether there were more orders than there is time for: then there may be one that explains it. */
      gaveUp: boolean
    }

/** States that are looked at before the search gives up: some seconds. Of 1,059 sound histories none took more than 35. */
const enoughTries = 100_000

/**
 * Looks for one order of the steps that a single copy of the record could have taken: each step at one instant between its
 * sending and its answer (linearizability, after Wing and Gong, with the visited pairs remembered as by Lowe). A step whose
 * outcome is unknown may come at any time after its sending, or never.
 */
export function explain({ start, steps }: Pick<RecordHistory, 'start' | 'steps'>, mostTries = enoughTries): Explained {
  // A read that nobody heard of says nothing.
  const telling = steps.filter(({ effect, outcome }) => effect.does !== 'read' || outcome.is !== 'unknown')
  const all = telling.sort((a, b) => a.from - b.from)
  const visited = new Set<string>()
  let best: Extract<Explained, { is: 'unexplained' }> = {
    is: 'unexplained',
    fits: -1,
    stuck: [],
    state: start,
    tries: 0,
    gaveUp: false,
  }

  function search(state: State, done: bigint, fits: number): boolean {
    const place = `${done.toString(36)} ${textOf(state)}`
    if (visited.has(place) || visited.size >= mostTries) return false
    visited.add(place)
    const open = all.flatMap((step, at) => ((done >> BigInt(at)) & 1n ? [] : [{ step, at }]))
    const answered = open.filter(({ step }) => step.outcome.is !== 'unknown')
    if (answered.length === 0) return true
    const firstAnswer = Math.min(...answered.map(({ step }) => step.until))
    const next = open.filter(({ step }) => step.from <= firstAnswer)
    if (fits > best.fits) best = { ...best, fits, stuck: next.map(({ step }) => step), state }
    // Those that were answered first: most histories need no unknown step at all.
    next.sort((a, b) => a.step.until - b.step.until)
    return next.some(({ step, at }) => {
      const after = follow(state, step)
      // What nobody heard of and what changes nothing now may as well come later, or never.
      if (after === undefined || (step.outcome.is === 'unknown' && textOf(after) === textOf(state))) return false
      return search(after, done | (1n << BigInt(at)), fits + 1)
    })
  }

  const isFound = search(start, 0n, 0)
  const tries = visited.size
  return isFound ? { is: 'explained', tries } : { ...best, tries, gaveUp: tries >= mostTries }
}

function textOf(state: State): string {
  return JSON.stringify(Object.entries(state).sort())
}
