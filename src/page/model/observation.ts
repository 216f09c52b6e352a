/** What a check says about open pull requests. */
export interface Observation {
  pull_requests: string
  as_of: string | null
  unread: number
}

/** A sentence where open pull requests are not all shown; undefined where they are. */
export function observationNotice({ pull_requests, unread }: Observation): string | undefined {
  switch (pull_requests) {
    case 'off':
      return 'Open pull requests are not watched in this repository. Only recorded work is shown.'
    case 'unavailable':
      return 'Your sign-in may not read the pull requests of this repository. Only recorded work is shown.'
    case 'reading':
      return 'The open pull requests are being read for the first time. More work may appear.'
    case 'stale':
      return 'GitHub has not answered lately, so open pull requests may have changed.'
    default:
      return unread > 0
        ? `The files of ${unread} pull ${unread === 1 ? 'request are' : 'requests are'} still being read.`
        : undefined
  }
}
