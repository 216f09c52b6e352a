/** Loaded before a program of the demo. Ends the program as Ctrl-C does when the demo disconnects or is killed. */
function end() {
  // A program that is still starting has no listener yet, and would leave its PostgreSQL running.
  if (process.listenerCount('SIGTERM') > 0) process.kill(process.pid, 'SIGTERM')
  else setTimeout(end, 50)
}

process.once('disconnect', end)
// The channel must not keep the program running.
process.channel?.unref()
