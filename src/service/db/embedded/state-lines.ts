const isStateLine = /\] (LOG|FATAL|PANIC|HINT): {2}(?!the database system is)|^FATAL: {2}|^\S*postgres\S*: /

/**
 * The last lines of PostgreSQL's log about its own state, with the last error among them: what follows an error is longer than
 * this. Lines about statements contain callers' data.
 */
export function stateLinesOf(log: string): string {
  const lines = log.split('\n').filter((line) => isStateLine.test(line))
  const last = lines.slice(-4)
  const error = lines.findLast((line) => /(FATAL|PANIC): {2}/.test(line))
  return (error === undefined || last.includes(error) ? last : [error, ...last]).join('\n')
}
