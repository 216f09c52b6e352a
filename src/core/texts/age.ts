const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** How long ago an instant was: `just now`, `4 min ago`, `2 h ago`, `3 days ago`, `8 months ago`. */
export function ago(then: Date, now: Date): string {
  const ms = now.getTime() - then.getTime()
  if (ms < minute) return 'just now'
  if (ms < hour) return `${Math.floor(ms / minute)} min ago`
  if (ms < 2 * day) return `${Math.floor(ms / hour)} h ago`
  if (ms < 61 * day) return `${Math.floor(ms / day)} days ago`
  if (ms < 730 * day) return `${Math.floor(ms / (30.44 * day))} months ago`
  return `${Math.floor(ms / (365.25 * day))} years ago`
}
