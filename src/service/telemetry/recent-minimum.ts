/**
 * The lowest of the recent values, or null. Keeps the minimum of the current window of `windowMs` and of the one before,
 * so a value counts for one to two windows.
 */
export function createRecentMinimum(windowMs: number, now: () => number = performance.now.bind(performance)) {
  let began = now()
  let current: number | null = null
  let previous: number | null = null

  function advance() {
    const windows = Math.floor((now() - began) / windowMs)
    if (windows <= 0) return
    previous = windows === 1 ? current : null
    current = null
    began += windows * windowMs
  }

  return {
    add(value: number) {
      advance()
      current = lower(current, value)
    },
    lowest(): number | null {
      advance()
      return previous === null ? current : lower(current, previous)
    },
  }
}

function lower(a: number | null, b: number): number {
  return a === null ? b : Math.min(a, b)
}
