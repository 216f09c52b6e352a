import { follow, type State } from './law.ts'
import type { RecordHistory, Step } from './step.ts'

/** An order that explains a history, or how far the best one got and what it could not explain. */
export type Explained = { is: 'explained' } | { is: 'unexplained'; fits: number; stuck: Step[]; state: State }

/**
 * Looks for one order of the steps that a single copy of the record could have taken: each step at one instant between its
 * sending and its answer (linearizability, after Wing and Gong, with the visited pairs remembered as by Lowe). A step whose
 * outcome is unknown may come at any time after its sending, or never.
 */
export function explain({ start, steps }: Pick<RecordHistory, 'start' | 'steps'>): Explained {
  const all = [...steps].sort((a, b) => a.from - b.from)
  const visited = new Set<string>()
  let best: Extract<Explained, { is: 'unexplained' }> = { is: 'unexplained', fits: -1, stuck: [], state: start }

  function search(state: State, done: bigint, fits: number): boolean {
    const place = `${done.toString(36)} ${JSON.stringify(Object.entries(state).sort())}`
    if (visited.has(place)) return false
    visited.add(place)
    const open = all.flatMap((step, at) => ((done >> BigInt(at)) & 1n ? [] : [{ step, at }]))
    const answered = open.filter(({ step }) => step.outcome.is !== 'unknown')
    if (answered.length === 0) return true
    const firstAnswer = Math.min(...answered.map(({ step }) => step.until))
    const next = open.filter(({ step }) => step.from <= firstAnswer)
    if (fits > best.fits) best = { is: 'unexplained', fits, stuck: next.map(({ step }) => step), state }
    // Those that were answered first: most histories need no unknown step at all.
    next.sort((a, b) => a.step.until - b.step.until)
    return next.some(({ step, at }) => {
      const after = follow(state, step)
      return after !== undefined && search(after, done | (1n << BigInt(at)), fits + 1)
    })
  }

  return search(start, 0n, 0) ? { is: 'explained' } : best
}
