import type { GithubData, Installation, Repository } from './data.ts'

export function covers({ account, repositories }: Installation, { id, owner }: Repository): boolean {
  return account.toLowerCase() === owner.toLowerCase() && (repositories === 'all' || repositories.includes(id))
}

/** The App's installation that covers the repository, also if it is suspended. */
export function installationOf({ installations }: GithubData, repository: Repository): Installation | undefined {
  return [...installations.values()].find((one) => covers(one, repository))
}
