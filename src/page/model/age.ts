import { ago } from '../../overlap/texts/age.ts'

/** `4 min ago`, `just now`; empty for an invalid time. */
export function agoText(instant: string | null, now: number): string {
  const at = Date.parse(instant ?? '')
  return Number.isNaN(at) ? '' : ago(new Date(at), new Date(now))
}

/** `in 3 h`, `in 2 days`; `now` for a time in the past. */
export function untilText(instant: string, now: number): string {
  const ms = Date.parse(instant) - now
  if (!(ms > 0)) return 'now'
  return `in ${ago(new Date(0), new Date(Math.max(ms, 60_000))).replace(' ago', '')}`
}
