/** The lowest of the numbers that came lately, or null. Two spans of `spanMs` are kept, so lately is one to two of them. */
export function createMinimum(spanMs: number, now: () => number = performance.now.bind(performance)) {
  let began = now()
  let current: number | null = null
  let previous: number | null = null

  function turn() {
    const spans = Math.floor((now() - began) / spanMs)
    if (spans <= 0) return
    previous = spans === 1 ? current : null
    current = null
    began += spans * spanMs
  }

  return {
    see(value: number) {
      turn()
      current = lower(current, value)
    },
    lowest(): number | null {
      turn()
      return previous === null ? current : lower(current, previous)
    },
  }
}

function lower(a: number | null, b: number): number {
  return a === null ? b : Math.min(a, b)
}
