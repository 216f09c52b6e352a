/** How often the parent process is checked, in milliseconds. */
const intervalMs = 500

/**
 * Sends SIGTERM to this process when the npm that started it has ended. A supervisor stops only npm, npm stops its shell,
 * and most shells do not stop their programs. On Windows the parent process id never changes, so nothing happens.
 */
export function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, intervalMs)
  watch.unref()
}
