/** The longest that anybody is asked to stay away, in seconds. */
const longest = 30

export interface RetryAfter {
  served(): void
  /** Counts one; the first of each second returns how many were refused since that was last said, the others 0. */
  refused(): number
  /** After how many seconds one who is refused now has a chance: 1 to 30. */
  secondsUntilServed(): number
}

/**
 * Counts, second by second, who is served and who is refused. If all who were refused within a second came again at once,
 * it would take `refused / served` seconds to serve them: asked to stay away for that long, they come as fast as they are
 * served. `now` in ms.
 */
export function createRetryAfter(now: () => number): RetryAfter {
  let current = { second: 0, served: 0, refused: 0 }
  let before = { ...current }
  let unsaid = 0
  let saidIn = -1

  function turn(): number {
    const second = Math.floor(now() / 1_000)
    if (second !== current.second) {
      before = second === current.second + 1 ? current : { second: second - 1, served: 0, refused: 0 }
      current = { second, served: 0, refused: 0 }
    }
    return second
  }

  return {
    served() {
      turn()
      current.served++
    },
    refused() {
      const second = turn()
      current.refused++
      unsaid++
      if (saidIn === second) return 0
      saidIn = second
      const said = unsaid
      unsaid = 0
      return said
    },
    secondsUntilServed() {
      turn()
      const refused = before.refused + current.refused
      const served = before.served + current.served
      return Math.min(longest, 1 + Math.ceil(refused / Math.max(1, served)))
    },
  }
}
