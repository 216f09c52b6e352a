/** Loaded before a program of the demo: ends it as Ctrl-C would once the demo lets go of it, or is killed. */
function leave() {
  // One that is still starting does not listen yet, and would leave its PostgreSQL behind.
  if (process.listenerCount('SIGTERM') > 0) process.kill(process.pid, 'SIGTERM')
  else setTimeout(leave, 50)
}

process.once('disconnect', leave)
// It is no reason to stay.
process.channel?.unref()
