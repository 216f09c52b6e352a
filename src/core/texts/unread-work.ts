/** How much observed work has files that are not read. */
export interface UnreadWork {
  /** Open pull requests and pushed branches. */
  unread: number
  /** How many of them are pushed branches. */
  unread_branches?: number | undefined
}

/** Names unread work, such as "2 open pull requests and 1 pushed branch". */
export function unreadWork({ unread, unread_branches: branches = 0 }: UnreadWork): string {
  const pulls = unread - branches
  return [
    ...(pulls > 0 ? [`${pulls} open pull ${pulls === 1 ? 'request' : 'requests'}`] : []),
    ...(branches > 0 ? [`${branches} pushed ${branches === 1 ? 'branch' : 'branches'}`] : []),
  ].join(' and ')
}
