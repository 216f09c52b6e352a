/** How often it is looked, in milliseconds. */
const every = 500

/**
 * Ends this process by SIGTERM, once, when the npm that ran it is gone. A supervisor tells npm alone to stop, npm tells its shell,
 * and most shells end without a word to what they run. (Windows names the same parent for ever: nothing happens there.)
 */
export function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, every)
  watch.unref()
}
