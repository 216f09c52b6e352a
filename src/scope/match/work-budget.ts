/** The work of one request, over all the globs that it compares. */
export interface WorkBudget {
  /** The work done. A step takes some 20 ns. */
  steps: number
  /** The number of steps at which the current slice ends. */
  sliceEnd: number
  /** The number of steps after which the work is given up. */
  readonly limit: number
}

/** Some six milliseconds. */
const STEPS_OF_A_SLICE = 300_000

export function workBudget(limit = Number.POSITIVE_INFINITY): WorkBudget {
  return { steps: 0, sliceEnd: STEPS_OF_A_SLICE, limit }
}

/** A budget without slices and without a limit, for work that has to be done in one go. */
export function unlimitedBudget(): WorkBudget {
  return { steps: 0, sliceEnd: Number.POSITIVE_INFINITY, limit: Number.POSITIVE_INFINITY }
}

/** Runs a generator that yields at the end of each slice, without pauses. */
export function runToEnd<T>(slices: Iterator<void, T>): T {
  for (;;) {
    const { done, value } = slices.next()
    if (done) return value
  }
}

/** Callbacks that start the next slice of a generator. */
const waiting: (() => void)[] = []

/**
 * Waits for a turn of the event loop. One slice runs in each turn, whichever request it belongs to: a hundred slices in one
 * turn would delay every other request by their sum.
 */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(runNext)
  })
}

function runNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(runNext)
}

/**
 * Runs a generator that yields at the end of each slice, and lets the event loop run in between. Resolves with `undecided`
 * if the limit is reached first.
 */
export async function runInSlices<T>(slices: Iterator<void, T>, budget: WorkBudget): Promise<T | 'undecided'> {
  for (;;) {
    const { done, value } = slices.next()
    if (done) return value
    if (budget.steps >= budget.limit) return 'undecided'
    await nextTurn()
    budget.sliceEnd = budget.steps + STEPS_OF_A_SLICE
  }
}
