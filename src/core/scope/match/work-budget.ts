import { listFor } from '../../lib/maps.ts'

/** The work of one request, over all the globs that it compares. */
export interface WorkBudget {
  /** The work done. A step takes some 20 ns. */
  steps: number
  /** The number of steps at which the current slice ends. */
  sliceEnd: number
  /** The number of steps after which the work is given up. */
  readonly limit: number
  /** Whose work it is. The owners take turns, however much work each has. */
  readonly owner?: Owner
}

/** The id of a repository; undefined for work that belongs to none. */
type Owner = bigint | undefined

/** Some two milliseconds. */
const STEPS_OF_A_SLICE = 100_000

export function workBudget(limit = Number.POSITIVE_INFINITY, owner?: Owner): WorkBudget {
  return { steps: 0, sliceEnd: Math.min(STEPS_OF_A_SLICE, limit), limit, owner }
}

/** Whether the work was given up, or has to be. */
export function isUsedUp({ steps, limit }: WorkBudget): boolean {
  return steps >= limit
}

/** A budget without slices and without a limit, for work that has to be done in one go. */
export function unlimitedBudget(): WorkBudget {
  return { steps: 0, sliceEnd: Number.POSITIVE_INFINITY, limit: Number.POSITIVE_INFINITY }
}

/** Callbacks that start the next slice of a generator, by its owner. The first owner is next. */
const waiting = new Map<Owner, (() => void)[]>()

/**
 * Waits for a turn of the event loop. Only one slice, of some milliseconds, runs in each turn, whichever request it belongs to:
 * with a hundred slices in one turn, every other request would wait for all of them.
 */
export function nextTurn(owner: Owner): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.size === 0) setImmediate(runNext)
    listFor(waiting, owner).push(resolve)
  })
}

function runNext(): void {
  const [next] = waiting
  if (next === undefined) return
  const [owner, callbacks] = next
  const first = callbacks.shift()
  waiting.delete(owner)
  if (callbacks.length > 0) waiting.set(owner, callbacks)
  if (waiting.size > 0) setImmediate(runNext)
  first?.()
}

/**
 * Runs a generator that yields at the end of each slice, and lets the event loop run in between. Resolves with `undecided`
 * if the limit is reached first.
 */
export async function runInSlices<T>(slices: Iterator<void, T>, budget: WorkBudget): Promise<T | 'undecided'> {
  for (;;) {
    const { done, value } = slices.next()
    if (done) return value
    if (isUsedUp(budget)) return 'undecided'
    await nextTurn(budget.owner)
    budget.sliceEnd = Math.min(budget.steps + STEPS_OF_A_SLICE, budget.limit)
  }
}
