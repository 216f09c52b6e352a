import type { ReceivedResponse } from '../github-response.ts'

/** Below this, GitHub accepts the times in the App's token, in s. */
const tolerance = 30

/** Why GitHub refuses the App's own token (401). It holds the time, so a wrong clock is the usual cause. */
export function refusedAppReason({ headers }: ReceivedResponse, now: Date): string {
  const refused = "GitHub refuses the App's own token (status 401)"
  const seconds = Math.round((now.getTime() - Date.parse(headers.date ?? '')) / 1000)
  if (Number.isNaN(seconds)) return `${refused}. The usual cause is a wrong clock on this machine.`
  if (Math.abs(seconds) > tolerance) {
    const direction = seconds > 0 ? 'ahead of' : 'behind'
    return `${refused}. The clock of this machine is ${Math.abs(seconds)} s ${direction} GitHub's, which is the usual cause.`
  }
  return `${refused}. The usual cause is a wrong clock, but this one agrees with GitHub's: check APP_ID and the private key.`
}
