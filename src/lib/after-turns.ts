/** In how many parts a time is waited. Connecting to PostgreSQL with a password takes a dozen turns. */
const parts = 40

/**
 * Calls `run` after this time of a process that runs, in milliseconds: a pause, or one long turn of the event loop, counts as one
 * part of forty. So a time-out of a busy process does not come before the responses that have arrived meanwhile. Keeps no
 * process alive. Returns a function that cancels it.
 */
export function afterTurns(ms: number, run: () => void): () => void {
  let left = parts
  const wait = () => setTimeout(tick, ms / parts).unref()
  function tick() {
    if (--left === 0) run()
    else timer = wait()
  }
  let timer = wait()
  return () => clearTimeout(timer)
}
